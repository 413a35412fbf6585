//! A browser that is driven as a person would: with real key presses, a real mouse and a real finger,
//! through the debugging pipe of Chromium. What it is sent ends with a zero byte.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine;
use serde_json::{Value, json};

/// How long something on a page may take.
const PATIENCE: Duration = Duration::from_secs(40);

/// What the browser answers if its page is replaced while it is asked.
const LEFT: [&str; 3] = [
    "Inspected target navigated or closed",
    "Execution context was destroyed",
    "Cannot find context",
];

/// A browser with one page.
pub struct DrivenBrowser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: Option<String>,
    number: u64,
    /// What pages wrote on the console, and their errors.
    pub console: Vec<String>,
}

impl DrivenBrowser {
    pub fn start(browser: &str, profile: &Path) -> Self {
        // The shell gives the browser its two pipes as files 3 and 4.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 >/dev/null", browser])
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"])
            .args(["--no-first-run", "--disable-background-networking", "--disable-sync"])
            .args(["--accept-lang=zh-TW", "--hide-scrollbars"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the browser starts");
        let to = child.stdin.take().expect("a pipe");
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut new = DrivenBrowser { child, to, from, session: None, number: 0, console: vec![] };
        let target = new.call("Target.createTarget", json!({ "url": "about:blank" }));
        let about = json!({ "targetId": target["targetId"], "flatten": true });
        let session = new.call("Target.attachToTarget", about);
        new.session = session["sessionId"].as_str().map(String::from);
        for domain in ["Page", "Runtime", "Log"] {
            new.call(&format!("{domain}.enable"), json!({}));
        }
        new
    }

    /// Calls a method of the protocol.
    #[track_caller]
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.try_call(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Calls a method of the protocol: what it gives, or the browser's reason why not.
    fn try_call(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.number += 1;
        let mut message = json!({ "id": self.number, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).expect("the browser listens");
        self.to.flush().expect("the browser listens");
        loop {
            let mut reply = vec![];
            self.from.read_until(0, &mut reply).expect("the browser answers");
            assert!(reply.pop().is_some(), "the browser ended at {method}");
            let reply: Value = serde_json::from_slice(&reply).expect("JSON");
            if reply["id"] == json!(self.number) {
                return match reply.get("error") {
                    None => Ok(reply["result"].clone()),
                    Some(error) => Err(error.to_string()),
                };
            }
            let noise = ["Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"];
            if noise.iter().any(|n| reply["method"] == *n) {
                self.console.push(reply["params"].to_string());
            }
        }
    }

    /// A screen of so many points; a small one is touched.
    pub fn screen(&mut self, width: u32, height: u32, touched: bool) {
        let about =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": touched });
        self.call("Emulation.setDeviceMetricsOverride", about);
        self.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": touched }));
    }

    /// The value of an expression on the page.
    #[track_caller]
    pub fn value(&mut self, expression: &str) -> Value {
        let about =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let done = self.call("Runtime.evaluate", about);
        assert!(done.get("exceptionDetails").is_none(), "{expression}: {done}");
        done["result"]["value"].clone()
    }

    /// Whether an expression is true now. A page that another replaces at this moment says nothing.
    #[track_caller]
    fn holds(&mut self, expression: &str) -> bool {
        let about =
            json!({ "expression": format!("Boolean({expression})"), "returnByValue": true });
        match self.try_call("Runtime.evaluate", about) {
            Ok(done) => done["result"]["value"] == json!(true),
            Err(error) if LEFT.iter().any(|left| error.contains(left)) => false,
            Err(error) => panic!("{expression}: {error}"),
        }
    }

    /// Waits until an expression is true; the page may be loaded again meanwhile.
    #[track_caller]
    pub fn wait(&mut self, expression: &str) {
        let end = Instant::now() + PATIENCE;
        while !self.holds(expression) {
            assert!(Instant::now() < end, "never: {expression}; {:?}", self.console);
            std::thread::sleep(Duration::from_millis(25));
        }
    }

    /// Does something again, each time waiting for a moment, until something is true: a busy machine may lay out the page only
    /// after it was done.
    #[track_caller]
    pub fn repeat_until(&mut self, action: &str, expression: &str) {
        let end = Instant::now() + PATIENCE;
        loop {
            self.value(action);
            for _ in 0..20 {
                if self.holds(expression) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(25));
            }
            assert!(Instant::now() < end, "never: {expression}; {:?}", self.console);
        }
    }

    pub fn open(&mut self, address: &str) {
        self.call("Page.navigate", json!({ "url": address }));
    }

    /// The middle of what a selector finds, where it is shown.
    #[track_caller]
    fn middle(&mut self, selector: &str) -> (f64, f64) {
        let place = self.value(&format!(
            "(() => {{ const r = document.querySelector({selector:?}).getClientRects()[0]; \
             return [r.left + r.width / 2, r.top + r.height / 2]; }})()"
        ));
        (place[0].as_f64().expect("a place"), place[1].as_f64().expect("a place"))
    }

    /// Clicks with the mouse.
    #[track_caller]
    pub fn click(&mut self, selector: &str) {
        let (x, y) = self.middle(selector);
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let about = json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", about);
        }
    }

    /// Draws with the mouse from one thing to another.
    #[track_caller]
    pub fn draw(&mut self, from: &str, to: &str) {
        let places = [self.middle(from), self.middle(to)];
        let steps = [("mouseMoved", 0, 0), ("mousePressed", 0, 1), ("mouseMoved", 1, 1)];
        for (kind, place, buttons) in steps.into_iter().chain([("mouseReleased", 1, 0)]) {
            let (x, y) = places[place];
            let about = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", about);
        }
    }

    /// Touches with a finger.
    #[track_caller]
    pub fn tap(&mut self, selector: &str) {
        let (x, y) = self.middle(selector);
        let points = json!([{ "x": x, "y": y }]);
        for (kind, points) in [("touchStart", points), ("touchEnd", json!([]))] {
            let about = json!({ "type": kind, "touchPoints": points });
            self.call("Input.dispatchTouchEvent", about);
        }
    }

    /// Presses a key: one that writes a character, or a named one.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            "Escape" => 27,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            "PageUp" => 33,
            "PageDown" => 34,
            "End" => 35,
            "Home" => 36,
            _ => key.to_ascii_uppercase().bytes().next().map_or(0, u32::from),
        };
        let written = match key {
            "Enter" => "\r",
            key if key.len() == 1 => key,
            _ => "",
        };
        for kind in ["keyDown", "keyUp"] {
            let about = json!({ "type": kind, "key": key, "windowsVirtualKeyCode": code, "text": if kind == "keyDown" { written } else { "" } });
            self.call("Input.dispatchKeyEvent", about);
        }
    }

    /// Presses a key until an expression is true, at most so many times.
    #[track_caller]
    pub fn press_until(&mut self, key: &str, expression: &str, most: usize) {
        for _ in 0..most {
            self.press(key);
            if self.holds(expression) {
                return;
            }
        }
        panic!("{key} {most} times: never {expression}; {:?}", self.console);
    }

    /// Prints the page to a file, for a person who looks at it.
    pub fn print(&mut self, path: &Path) {
        let about = json!({ "preferCSSPageSize": true, "paperWidth": 8.27, "paperHeight": 11.69 });
        let printed = self.call("Page.printToPDF", about);
        let data = printed["data"].as_str().expect("a file");
        let bytes = base64::engine::general_purpose::STANDARD.decode(data).expect("base 64");
        std::fs::write(path, bytes).expect("the folder takes it");
    }

    /// Writes a picture of the screen, for a person who looks at it.
    pub fn picture(&mut self, path: &Path) {
        let shot = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let data = shot["data"].as_str().expect("a picture");
        let bytes = base64::engine::general_purpose::STANDARD.decode(data).expect("base 64");
        std::fs::write(path, bytes).expect("the folder takes it");
    }
}

impl Drop for DrivenBrowser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
