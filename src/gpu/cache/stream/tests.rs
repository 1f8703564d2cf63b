//! Streams against words written by hand, against themselves, and against random words.

use proptest::prelude::*;

use super::*;

const HEADER: StreamHeader = StreamHeader {
    line: Bytes(64),
    raster_units: 2,
};
const GRID: TileGrid = TileGrid {
    width: 128,
    height: 64,
    tile_size: 32,
};

fn encode(header: StreamHeader, events: &[StreamEvent]) -> Vec<u32> {
    let mut encoder = StreamEncoder::new(header);
    let mut words = encoder.header().to_vec();
    for event in events {
        match event {
            StreamEvent::Frame { number, grid } => words.extend(encoder.frame(*number, *grid)),
            StreamEvent::Access(access) => encoder.access(access, |word| words.push(word)),
        }
    }
    words
}

fn decode(words: &[u32]) -> Result<Vec<StreamEvent>, StreamError> {
    let mut decoder = StreamDecoder::default();
    let mut events = Vec::new();
    for word in words {
        events.extend(decoder.push(*word)?);
    }
    decoder.finish().map(|()| events)
}

fn access(address: u64, kind: AccessKind, place: Option<(u32, u32)>) -> StreamEvent {
    let place = place.map(|(tile, raster_unit)| TilePlace {
        tile: TileId(tile),
        raster_unit,
    });
    StreamEvent::Access(StreamAccess {
        address,
        kind,
        place,
    })
}

/// A frame of which each kind of record is part, and its words.
fn example() -> (Vec<StreamEvent>, Vec<u32>) {
    let frame = StreamEvent::Frame {
        number: (7 << 32) + 5,
        grid: GRID,
    };
    let events = vec![
        frame,
        access(3 * 64, AccessKind::Read, None),
        access(3 * 64, AccessKind::Write, Some((6, 1))),
        access(4 * 64, AccessKind::Read, Some((6, 1))),
        access((1 << 36) + 64, AccessKind::Read, Some((6, 1))),
        access(64, AccessKind::Read, None),
    ];
    let words = vec![
        0x5332_4C8E,         // magic
        1,                   // version
        64,                  // bytes a line
        2,                   // Raster Units
        3,                   // a frame
        5,                   // of this number, low half
        7,                   // and high half
        128,                 // pixels wide
        64,                  // pixels high
        32,                  // pixels of a tile's edge
        3 << 2,              // line 3
        2 | 1 << 2 | 6 << 7, // tile 6 on unit 1
        3 << 2 | 1,          // line 3, written
        4 << 2,              // line 4
        3 | 2 << 2 | 1 << 5, // lines from 2^30 on
        1 << 2,              // line 2^30 + 1
        3 | 1 << 2,          // for no tile
        3 | 2 << 2,          // lines from 0 on
        1 << 2,              // line 1
    ];
    (events, words)
}

#[test]
fn stream_is_the_words_of_its_description() {
    let (events, words) = example();
    assert_eq!(encode(HEADER, &events), words, "written");
    assert_eq!(decode(&words), Ok(events), "read");
}

#[test]
fn stream_begins_with_a_word_that_is_no_bare_access() {
    assert_eq!(STREAM_MAGIC & 2, 2, "bit 1 is clear in all of them");
    let bytes = STREAM_MAGIC.to_le_bytes();
    assert!(!bytes.starts_with(&[0x1f, 0x8b]), "nor like gzip");
}

#[test]
fn stream_that_ends_within_a_record_is_cut() {
    let (_, words) = example();
    for n_words in 0..words.len() {
        let is_whole = n_words == 4 || n_words >= 10;
        let result = decode(&words[..n_words]);
        assert_eq!(result.is_ok(), is_whole, "{n_words} words: {result:?}");
    }
}

#[test]
fn stream_with_a_word_that_may_not_be_there_is_refused_by_its_place() {
    let (_, words) = example();
    for (at, word, expected) in [
        (0, 0, "with which streams begin"),
        (1, 2, "version 1"),
        (2, 48, "a power of two"),
        (2, 1 << 17, "a power of two"),
        (3, 0, "from 1 to 32"),
        (3, 33, "from 1 to 32"),
        (4, 0, "a frame before"),
        (4, 3 | 1 << 5, "the mark of"),
        (4, 3 | 3 << 2, "the mark of"),
        (9, 0, "the edge of a tile"),
        (11, 2 | 2 << 2 | 6 << 7, "a Raster Unit"),
        (11, 2 | 8 << 7, "a tile of the frame"),
        (14, 3 | 1 << 2 | 1 << 5, "the mark of"),
    ] {
        let mut broken = words.clone();
        broken[at] = word;
        let message = decode(&broken).expect_err("refused").to_string();
        let place = format!("word {at}: ");
        assert!(
            message.starts_with(&place) && message.contains(expected),
            "{message}"
        );
    }
    let mut wide = words;
    (wide[7], wide[8], wide[9]) = (u32::MAX, u32::MAX, 1);
    assert!(decode(&wide).is_err(), "more tiles than a word can name");
}

/// Any events that a machine could record.
fn events() -> impl Strategy<Value = Vec<StreamEvent>> {
    let place = prop::option::of((0..8_u32, 0..2_u32));
    let line = prop_oneof![0..64_u64, 0..1_u64 << 42];
    let access = (line, any::<bool>(), place).prop_map(|(line, is_write, place)| {
        let kind = match is_write {
            true => AccessKind::Write,
            false => AccessKind::Read,
        };
        access(64 * line, kind, place)
    });
    let frame = any::<u64>().prop_map(|number| StreamEvent::Frame { number, grid: GRID });
    let event = prop_oneof![1 => frame.clone(), 9 => access];
    (frame, prop::collection::vec(event, 0..60)).prop_map(|(frame, mut events)| {
        events.insert(0, frame);
        events
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn stream_gives_back_what_was_written(events in events()) {
        prop_assert_eq!(decode(&encode(HEADER, &events)), Ok(events));
    }

    #[test]
    fn stream_of_any_words_is_read_or_refused(words in prop::collection::vec(any::<u32>(), 0..40)) {
        let (_, example) = example();
        let whole: Vec<u32> = example[..10].iter().copied().chain(words).collect();
        if let Ok(events) = decode(&whole) {
            prop_assert_eq!(decode(&encode(HEADER, &events)), Ok(events), "and is then a stream");
        }
    }
}
