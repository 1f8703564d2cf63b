//! Style of the page: light and dark, on a screen, on a telephone and on paper.

/// Style sheet of the page, which names nothing outside the page.
pub(super) const STYLE: &str = r#"
:root { color-scheme: light dark; --paper: #fff; --ink: #1a1d21; --muted: #59636e; --line: #dfe3e8; --band: #f2f4f7; --good: #14723c; --bad: #b3261e; --link: #0b5cad;
  --c0: #0b6bb3; --c1: #e08e00; --c2: #0a8f6c; --c3: #b5508f; --c4: #5ab2e5; --c5: #c94f17; --c6: #8d7a00; --c7: #6b7280; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --ink: #e8eaed; --muted: #a3adb8; --line: #343a41; --band: #1f2429; --good: #5fce8d; --bad: #ff8a80; --link: #7fb8f5;
  --c0: #4a9fe0; --c1: #f3ad3d; --c2: #35b892; --c3: #dc86ba; --c4: #9ad4f5; --c5: #f07f4a; --c6: #cdb840; --c7: #9aa3af; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.35rem; line-height: 1.25; margin: 3rem 0 .75rem; padding-top: 1rem; border-top: 2px solid var(--line); }
h3 { font-size: 1.02rem; line-height: 1.35; margin: 0 0 .6rem; font-weight: 600; }
h3 code { font-weight: 400; color: var(--muted); }
a { color: var(--link); }
code { font: .88em ui-monospace, monospace; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 0 0 1rem; }
dt { color: var(--muted); } dd { margin: 0; min-width: 0; }
nav li { break-inside: avoid; }
nav ul { columns: 15rem; column-gap: 2rem; padding-left: 1.1rem; margin: .25rem 0 1rem; font-size: .92rem; }
nav li { break-inside: avoid; }
figure { margin: 2rem 0 2.5rem; break-inside: avoid; }
svg { display: block; width: 100%; height: auto; font: 12px system-ui, sans-serif; fill: var(--ink); overflow: visible; }
.narrow { display: none; }
.mid { text-anchor: middle; } .end { text-anchor: end; } .muted { fill: var(--muted); } .small { font-size: 11px; } .strong { font-weight: 600; } .black { fill: #000; } .white { fill: #fff; }
.grid { stroke: var(--line); } .zero { stroke: var(--muted); } .band { fill: var(--band); }
.c0 { fill: var(--c0); stroke: var(--c0); } .c1 { fill: var(--c1); stroke: var(--c1); } .c2 { fill: var(--c2); stroke: var(--c2); } .c3 { fill: var(--c3); stroke: var(--c3); }
.c4 { fill: var(--c4); stroke: var(--c4); } .c5 { fill: var(--c5); stroke: var(--c5); } .c6 { fill: var(--c6); stroke: var(--c6); } .c7 { fill: var(--c7); stroke: var(--c7); }
.sum { fill: var(--muted); stroke: var(--muted); } .mean { fill: var(--ink); stroke: var(--ink); } .faint { fill: var(--line); stroke: var(--line); }
rect { stroke-width: 0; }
rect.paper { fill-opacity: .22; stroke-width: 1.5; stroke-dasharray: 4 3; }
rect.paper:not([class*="c"]) { fill: none; stroke: var(--ink); }
.stroke { fill: none; stroke-width: 2; } .stroke.mean { stroke-width: 3; } .stroke.paper { stroke: var(--ink); stroke-dasharray: 6 4; }
.point { stroke-width: 0; } .point.paper { fill: var(--paper); stroke: var(--ink); stroke-width: 1.5; }
.scroll { overflow-x: auto; margin: .6rem 0; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem .2rem 0; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; } th { font-weight: 600; } td.ours { font-weight: 600; }
table.listing th, table.listing td { text-align: left; white-space: normal; vertical-align: top; }
tbody.means td, tbody.means th { background: var(--band); }
details { margin: .4rem 0; font-size: .9rem; } summary { cursor: pointer; color: var(--link); }
.none { color: var(--muted); font-size: .9rem; margin: .4rem 0; }
ul.verdicts { list-style: none; padding: 0; } ul.verdicts li { padding: .35rem 0; border-bottom: 1px solid var(--line); }
.holds, .fails { font-weight: 600; } .holds { color: var(--good); } .fails { color: var(--bad); }
@media (max-width: 40rem) { .wide { display: none; } .narrow { display: block; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } body { padding-top: 1rem; } th, td { padding-right: .5rem; } table { font-size: .8rem; } h1 { font-size: 1.4rem; } }
@media print {
  :root { color-scheme: light; --paper: #fff; --ink: #000; --muted: #444; --line: #bbb; --band: #eee; --good: #000; --bad: #000; --link: #000;
    --c0: #0b6bb3; --c1: #e08e00; --c2: #0a8f6c; --c3: #b5508f; --c4: #5ab2e5; --c5: #c94f17; --c6: #8d7a00; --c7: #6b7280; }
  @page { margin: 15mm; }
  body { max-width: none; padding: 0; font-size: 10pt; print-color-adjust: exact; } nav { display: none; } .wide { display: block; } .narrow { display: none; } dl { grid-template-columns: max-content 1fr; }
  h2 { margin-top: 1.5rem; } h2, h3 { break-after: avoid; } .drawn, tr, thead { break-inside: avoid; } figure { margin: 1.2rem 0; break-inside: auto; } svg { font-size: 13px; } .scroll { overflow: visible; }
  details::details-content { content-visibility: visible; height: auto; } summary { display: none; } table { font-size: 7.5pt; } th, td { white-space: normal; }
}
"#;
