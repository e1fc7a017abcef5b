# SPDX-License-Identifier: GPL-2.0-only
"""A page in headless Chromium, by chromedriver (www.w3.org/TR/webdriver2): for tests of pages."""
import json
import os
import subprocess
import time
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Left": "\ue012", "Up": "\ue013", "Right": "\ue014",
        "Down": "\ue015", "Home": "\ue011", "Delete": "\ue017", "Shift": "\ue008",
        "Backspace": "\ue003", "Plus": "+"}


class Browser:
    """Use as a context: the driver and the browser end with it. @folder: for what they write."""

    def __init__(self, folder):
        env = dict(os.environ, HOME=folder, TMPDIR=folder)
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, env=env, text=True)
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                self.base = "http://127.0.0.1:%s" % line.split()[-1].rstrip(".")
                break
        else:
            raise OSError("chromedriver does not start")
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu",
                            "--disable-dev-shm-usage", "--window-size=1280,800",
                            "--user-data-dir=" + os.path.join(folder, "profile")]}
        capabilities = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        self.session = ""
        try:
            made = self.call("POST", "", {"capabilities": {"alwaysMatch": capabilities}})
        except OSError:
            self.driver.kill()
            raise
        self.session = "/" + made["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.kill()
            self.driver.wait()

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + "/session" + self.session + path, data,
                                         {"Content-Type": "application/json"}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as e:
            raise OSError(json.load(e)["value"]["message"]) from None

    def open(self, path, address=""):
        self.call("POST", "/url", {"url": "about:blank"})
        self.call("POST", "/url", {"url": "file://" + os.path.abspath(path) + address})

    def run(self, script, *args):
        """What a script returns that is run in the page."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(args)})

    def wait(self, script, *args):
        """Until it returns something true, which is returned."""
        for _ in range(600):
            value = self.run(script, *args)
            if value:
                return value
            time.sleep(0.05)
        raise AssertionError("a long time later this is not true: " + script)

    def size(self, width, height):
        """Of what the page is shown in."""
        self.call("POST", "/goog/cdp/execute", {
            "cmd": "Emulation.setDeviceMetricsOverride",
            "params": {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}})

    def theme(self, name):
        """What the system prefers: light or dark."""
        self.call("POST", "/goog/cdp/execute", {
            "cmd": "Emulation.setEmulatedMedia",
            "params": {"features": [{"name": "prefers-color-scheme", "value": name}]}})

    def find(self, css):
        return self.call("POST", "/element", {"using": "css selector", "value": css})[ELEMENT]

    def click(self, css):
        self.call("POST", "/element/%s/click" % self.find(css), {})

    def type(self, css, text):
        self.call("POST", "/element/%s/value" % self.find(css), {"text": text})

    def keys(self, *names):
        """To what has the focus, one after another; "Shift+Right": both."""
        actions = []
        for name in names:
            codes = [KEYS.get(k, k) for k in name.split("+")]
            actions += [{"type": "keyDown", "value": c} for c in codes]
            actions += [{"type": "keyUp", "value": c} for c in reversed(codes)]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "k", "actions": actions}]})

    def mouse(self, *steps):
        """Steps: (x, y) to move there; "down", "up"."""
        actions = []
        for step in steps:
            if isinstance(step, tuple):
                actions.append({"type": "pointerMove", "x": int(step[0]), "y": int(step[1]),
                                "duration": 0})
            else:
                actions.append({"type": "pointer" + step.capitalize(), "button": 0})
        self.call("POST", "/actions", {"actions": [
            {"type": "pointer", "id": "m", "parameters": {"pointerType": "mouse"},
             "actions": actions}]})

    def errors(self):
        """What the page has logged."""
        return [e["message"] for e in self.call("POST", "/se/log", {"type": "browser"})
                if e["level"] == "SEVERE"]
