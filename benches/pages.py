#!/usr/bin/env python3
"""How soon pages of a site answer on a slow phone, in Chromium.

usage: pages.py ADDRESS PAGE…     where `zhushu serve` answers at ADDRESS

The processor is slowed four times; the network has 1.6 Mbit/s and 150 ms a round trip, as Lighthouse
has them for a phone. A page is interactive when its document is read, its scripts have run, and no
task longer than 50 ms comes after. Prints, for each page, bytes that came over the network, and
milliseconds until the first paint and until it is interactive: the middle of five loads.
"""
import json, os, statistics, subprocess, sys, tempfile, time

LOADS = 5
WATCH = """
window.longest = 0;
new PerformanceObserver(l => { for (const e of l.getEntries()) window.longest = Math.max(window.longest, e.startTime + e.duration); })
  .observe({ type: 'longtask', buffered: true });
"""
STATE = """(() => { const n = performance.getEntriesByType('navigation')[0], p = performance.getEntriesByName('first-contentful-paint')[0];
return JSON.stringify({ read: n.domContentLoadedEventEnd, done: n.loadEventEnd, long: window.longest, paint: p ? p.startTime : 0 }); })()"""


class Browser:
    def __init__(self):
        program = next(p for p in ("chromium", "google-chrome", "chrome") if subprocess.run(["which", p], capture_output=True).returncode == 0)
        self.folder = tempfile.TemporaryDirectory()
        to, self.to = os.pipe()
        self.from_, back = os.pipe()
        def pipes():
            os.dup2(to, 3); os.dup2(back, 4)
        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--accept-lang=zh-TW", "--remote-debugging-pipe", "--no-first-run",
             f"--user-data-dir={self.folder.name}"],
            preexec_fn=pipes, pass_fds=(3, 4), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.rest, self.number, self.session, self.bytes = b"", 0, None, 0
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self.call(domain + ".enable")

    def message(self):
        while b"\0" not in self.rest:
            self.rest += os.read(self.from_, 1 << 16)
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **params):
        self.number += 1
        asked = {"id": self.number, "method": method, "params": params}
        if self.session:
            asked["sessionId"] = self.session
        os.write(self.to, json.dumps(asked).encode() + b"\0")
        while True:
            said = self.message()
            if said.get("method") == "Network.loadingFinished":
                self.bytes += said["params"]["encodedDataLength"]
            if said.get("id") == self.number:
                return said.get("result", {})

    def value(self, code):
        return self.call("Runtime.evaluate", expression=code, returnByValue=True)["result"].get("value")

    def load(self, address):
        self.call("Network.clearBrowserCache")
        self.bytes = 0
        self.call("Page.navigate", url=address)
        last = None
        for _ in range(120):
            time.sleep(0.25)
            state = self.value(STATE)
            state = state and json.loads(state)
            # Done, and nothing long for a second.
            if state and state["done"] and state["long"] == (last or {}).get("long") and self.quiet > 3:
                break
            self.quiet = self.quiet + 1 if state == last else 0
            last = state
        return self.bytes, state["paint"], max(state["read"], state["long"])
    quiet = 0


def main(base, pages):
    browser = Browser()
    browser.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=2, mobile=True)
    browser.call("Emulation.setCPUThrottlingRate", rate=4)
    browser.call("Network.emulateNetworkConditions", offline=False, latency=150, downloadThroughput=1.6e6 / 8, uploadThroughput=750e3 / 8)
    browser.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
    print("page\tKB over the network\tfirst paint, ms\tinteractive, ms")
    for page in pages:
        loads = []
        for _ in range(LOADS):
            browser.quiet = 0
            loads.append(browser.load(base.rstrip("/") + "/" + page))
        middle = [statistics.median(l[n] for l in loads) for n in range(3)]
        print(f"{page or 'first page'}\t{middle[0] / 1000:.0f}\t{middle[1]:.0f}\t{middle[2]:.0f}", flush=True)
    browser.process.kill()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
