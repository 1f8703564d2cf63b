//! An X server without a screen, and a client that presses keys, clicks and looks at pixels, as a user of the window would.

use std::io::{BufRead, BufReader, IoSlice};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::xproto::{ConnectionExt, ImageFormat, InputFocus, MapState, Window};
use x11rb::rust_connection::RustConnection;

/// Longest wait for anything, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(240);

/// Events of XTEST's `FakeInput` (X Test Extension Protocol, 2.2: the codes of core events).
const KEY_PRESS: u8 = 2;
const KEY_RELEASE: u8 = 3;
const BUTTON_PRESS: u8 = 4;
const BUTTON_RELEASE: u8 = 5;
const MOTION: u8 = 6;

/// Xvfb, ended with the value.
#[derive(Debug)]
pub(crate) struct Server {
    process: Child,
    /// Value of the `DISPLAY` variable.
    pub(crate) display: String,
}

impl Server {
    /// Starts one on a free display, with further options; nothing where Xvfb is not installed.
    pub(crate) fn start(width: u32, height: u32, options: &[&str]) -> Option<Self> {
        let mut process = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0"])
            .arg(format!("{width}x{height}x24"))
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut number = String::new();
        let out = process.stdout.take()?;
        BufReader::new(out).read_line(&mut number).ok()?;
        let number = number.trim();
        assert!(!number.is_empty(), "Xvfb says which display it is");
        Some(Self {
            process,
            display: format!(":{number}"),
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A connection that looks at one window.
pub(crate) struct Client {
    connection: RustConnection,
    root: Window,
    window: Window,
    xtest: u8,
}

impl Client {
    /// Waits for a window of this width and gives it the keyboard.
    pub(crate) fn of_window(display: &str, width: u16) -> Self {
        let (connection, screen) = RustConnection::connect(Some(display)).expect("a connection");
        let root = connection.setup().roots[screen].root;
        let xtest = connection.query_extension(b"XTEST").expect("sent");
        let xtest = xtest.reply().expect("a reply");
        assert!(xtest.present, "Xvfb has XTEST");
        let mut client = Self {
            connection,
            root,
            window: root,
            xtest: xtest.major_opcode,
        };
        client.window = wait_for("the window", || client.find(width));
        let focus = (client.connection).set_input_focus(InputFocus::PARENT, client.window, 0_u32);
        focus
            .expect("sent")
            .check()
            .expect("the window takes the keyboard");
        client
    }

    fn find(&self, width: u16) -> Option<Window> {
        let tree = self.connection.query_tree(self.root).ok()?.reply().ok()?;
        tree.children.into_iter().find(|&window| {
            let place = self.connection.get_geometry(window).ok();
            let place = place.and_then(|place| place.reply().ok());
            let state = self.connection.get_window_attributes(window).ok();
            let state = state.and_then(|state| state.reply().ok());
            place.is_some_and(|place| place.width == width)
                && state.is_some_and(|state| state.map_state == MapState::VIEWABLE)
        })
    }

    /// Presses and releases the key of a letter.
    pub(crate) fn press(&self, letter: char) {
        self.press_key(u32::from(letter));
    }

    /// Presses and releases any key, by its symbol (X11's `keysymdef.h`).
    pub(crate) fn press_key(&self, symbol: u32) {
        let code = self.key_code(symbol);
        self.fake(KEY_PRESS, code, [0, 0]);
        self.fake(KEY_RELEASE, code, [0, 0]);
        self.connection.flush().expect("sent");
    }

    fn key_code(&self, symbol: u32) -> u8 {
        let setup = self.connection.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let mapping = self
            .connection
            .get_keyboard_mapping(first, last - first + 1);
        let mapping = mapping.expect("sent").reply().expect("a reply");
        let per_code = usize::from(mapping.keysyms_per_keycode);
        let at = mapping.keysyms.iter().position(|known| *known == symbol);
        let at = at.expect("the keyboard has the letter") / per_code;
        first + u8::try_from(at).expect("codes are bytes")
    }

    /// Moves the pointer to a point of the screen.
    pub(crate) fn point_at(&self, [x, y]: [f32; 2]) {
        self.fake(MOTION, 0, [x as i16, y as i16]);
        self.connection.flush().expect("sent");
    }

    /// Clicks with the left button.
    pub(crate) fn click(&self, at: [f32; 2]) {
        self.point_at(at);
        // A user's hand rests before it clicks; the interface learns of the place first.
        thread::sleep(Duration::from_millis(100));
        self.fake(BUTTON_PRESS, 1, [0, 0]);
        self.fake(BUTTON_RELEASE, 1, [0, 0]);
        self.connection.flush().expect("sent");
    }

    /// `FakeInput` of the X Test Extension Protocol, byte for byte.
    fn fake(&self, event: u8, detail: u8, [x, y]: [i16; 2]) {
        let mut request = [0_u8; 36];
        (request[0], request[1]) = (self.xtest, 2);
        request[2..4].copy_from_slice(&9_u16.to_ne_bytes());
        (request[4], request[5]) = (event, detail);
        request[12..16].copy_from_slice(&self.root.to_ne_bytes());
        request[24..26].copy_from_slice(&x.to_ne_bytes());
        request[26..28].copy_from_slice(&y.to_ne_bytes());
        let parts = [IoSlice::new(&request)];
        let sent = self
            .connection
            .send_request_without_reply(&parts, Vec::new());
        // Its sequence number is of no use: there is no reply.
        let _ = sent.expect("sent");
    }

    /// Pixels of the window on the screen: red, green, blue, row by row.
    pub(crate) fn pixels(&self, width: u16, height: u16) -> Vec<[u8; 3]> {
        let image = (self.connection).get_image(
            ImageFormat::Z_PIXMAP,
            self.window,
            0,
            0,
            width,
            height,
            u32::MAX,
        );
        let image = image.expect("sent").reply().expect("an image");
        let pixels = image.data.chunks_exact(4);
        pixels.map(|pixel| [pixel[2], pixel[1], pixel[0]]).collect()
    }
}

/// Asks until there is an answer.
#[track_caller]
pub(crate) fn wait_for<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(start.elapsed() < PATIENCE, "waited too long for {what}");
        thread::sleep(Duration::from_millis(2));
    }
}
