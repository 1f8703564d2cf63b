"""What azulejo, a tile-based GPU in software, says of frames, machines and studies, as pandas data frames.

Load what the program wrote:

- `load_run`: `azulejo simulate --json` or `--csv DIR`, frames, passes, tiles, draws and intervals on machines.
- `load_study`: `azulejo study ID --json` or `--csv DIR`, figures of papers measured again.
- `load_studies`: `azulejo study ID -o FOLDER`, a report with several of them.
- `load_numbers`: `azulejo study numbers --json`, every number that the papers state beside ours.
- `load_sweep`: `azulejo sweep FILE.toml`, a row for each point.
- `load_characterize`, `load_inspection`: what kind of load demos are; one frame, draw by draw.
- `load_cache`, `load_reuse`, `load_dram`: the memory models alone, on traces.
- `load_l2_stream`: the texture accesses that an L2 saw, one by one.

Or run it: `simulate`, `study`, `characterize`, and `call` for everything else. `azulejo.plot` draws figures.

Names and units are those of the program's tables; `attrs` of each data frame say how it came about. What cannot be loaded
is a `LoadError` that names file, element and what was expected; what the program refuses is a `ProgramError` with its own words.
"""

from ._demos import Inspection, load_characterize, load_inspection
from ._errors import AzulejoError, LoadError, ProgramError
from ._memory import Dram, Reuse, load_cache, load_dram, load_reuse
from ._program import call, characterize, find_program, simulate, study, sweep
from ._run import Run, load_run
from ._stream import load_l2_stream
from ._study import Figure, Study, load_numbers, load_studies, load_study
from ._sweep import load_sweep
from ._tables import total

__all__ = [
    "AzulejoError",
    "Dram",
    "Figure",
    "Inspection",
    "LoadError",
    "ProgramError",
    "Reuse",
    "Run",
    "Study",
    "call",
    "characterize",
    "find_program",
    "load_cache",
    "load_characterize",
    "load_dram",
    "load_inspection",
    "load_l2_stream",
    "load_numbers",
    "load_reuse",
    "load_run",
    "load_studies",
    "load_study",
    "load_sweep",
    "simulate",
    "study",
    "sweep",
    "total",
]
