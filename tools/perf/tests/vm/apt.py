# SPDX-License-Identifier: GPL-2.0-only
"""Packages of any Debian suite, by name, without touching the system's own apt.

Sources list, package lists and downloads live in a cache directory; the archive is the one that
the system's own sources name. Used by run.py.
"""
import glob
import os
import re
import subprocess
import time

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
LISTS_MAX_AGE = 24 * 3600


class Unavailable(Exception):
    """What is missing here, in words for a skip."""


def archive():
    """Base address of the Debian archive that this machine uses."""
    for path in sorted(glob.glob("/etc/apt/sources.list.d/*.sources")):
        with open(path) as f:
            for uris in re.findall(r"^URIs:\s*(\S+)", f.read(), re.M):
                if re.search(r"/debian/?$", uris):
                    return uris
    for path in ["/etc/apt/sources.list"] + sorted(glob.glob("/etc/apt/sources.list.d/*.list")):
        if not os.path.exists(path):
            continue
        with open(path) as f:
            for uri in re.findall(r"^deb\s+(?:\[[^]]*\]\s+)?(\S+)", f.read(), re.M):
                if re.search(r"/debian/?$", uri):
                    return uri
    raise Unavailable("no Debian archive in this machine's apt sources")


class Suite:
    """A suite, for the machines of an architecture, by Debian's name of it."""

    def __init__(self, cache, name, architecture="amd64"):
        self.name = name
        self.architecture = architecture
        self.dir = os.path.join(cache, name if architecture == "amd64" else "%s-%s" % (
            name, architecture))
        self.debs = os.path.join(self.dir, "debs")
        for sub in ("lists/partial", "debs/partial"):
            os.makedirs(os.path.join(self.dir, sub), exist_ok=True)
        with open(os.path.join(self.dir, "sources.list"), "w") as f:
            f.write("deb [signed-by=%s] %s %s main\n" % (KEYRING, archive(), name))
        open(os.path.join(self.dir, "status"), "w").close()
        self.options = ["-o%s=%s" % (k, v) for k, v in {
            "Dir::Etc::sourcelist": self.path("sources.list"),
            "Dir::Etc::sourceparts": "/dev/null",
            "Dir::Etc::preferencesparts": "/dev/null",
            "Dir::State::Lists": self.path("lists"),
            "Dir::State::status": self.path("status"),
            "Dir::Cache::archives": self.debs,
            "Dir::Cache::pkgcache": self.path("pkgcache.bin"),
            "Dir::Cache::srcpkgcache": self.path("srcpkgcache.bin"),
            "APT::Architecture": architecture,
            "APT::Architectures": architecture,
            "APT::Install-Recommends": "false",
            "APT::Sandbox::User": "root",
        }.items()]
        self.update()

    def path(self, *parts):
        return os.path.join(self.dir, *parts)

    def run(self, *command, cwd=None):
        run = subprocess.run([command[0], "-q", *self.options, *command[1:]], cwd=cwd,
                             stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if run.returncode:
            raise Unavailable("%s %s of %s failed: %s" % (
                command[0], " ".join(command[1:]), self.name,
                (run.stderr.strip().splitlines() or ["no message"])[-1]))
        return run.stdout

    def update(self):
        stamp = self.path("updated")
        if os.path.exists(stamp) and time.time() - os.path.getmtime(stamp) < LISTS_MAX_AGE:
            return
        self.run("apt-get", "update")
        open(stamp, "w").close()

    def depends(self, package):
        return re.findall(r"^ *Depends: (\S+)", self.run("apt-cache", "depends", package), re.M)

    def exists(self, package):
        return "Package: " in self.run("apt-cache", "show", "--no-all-versions", package) \
            if package in self.names(package) else False

    def names(self, pattern):
        return self.run("apt-cache", "pkgnames", pattern).split()

    def unpack(self, debs, dest):
        """Unpacks .deb files into @dest, once for each set of them."""
        stamp = os.path.join(dest, ".debs")
        wanted = "\n".join(sorted(os.path.basename(d) for d in debs))
        if os.path.exists(stamp):
            with open(stamp) as f:
                if f.read() == wanted:
                    return dest
            subprocess.run(["rm", "-rf", dest], check=True)
        os.makedirs(dest, exist_ok=True)
        for deb in debs:
            subprocess.run(["dpkg", "-x", deb, dest], check=True)
        with open(stamp, "w") as f:
            f.write(wanted)
        return dest

    def download(self, packages):
        """The packages alone; returns the paths of their .deb files."""
        uris = self.run("apt-get", "download", "--print-uris", *packages)
        files = [os.path.join(self.debs, name) for name in re.findall(r"^'[^']*' (\S+)", uris, re.M)]
        if not all(os.path.exists(f) for f in files):
            self.run("apt-get", "download", *packages, cwd=self.debs)
        return files

    def closure(self, *packages):
        """The packages and all that they depend on."""
        out = self.run("apt-get", "install", "-s", *packages)
        return self.download(sorted(set(re.findall(r"^Inst (\S+)", out, re.M))))

    def kernel(self):
        """(version, directory with boot/ and lib/modules/) of the suite's current kernel."""
        version = None
        for dep in self.depends("linux-image-" + self.architecture):
            if re.match(r"linux-image-\d", dep):
                version = dep[len("linux-image-"):]
        if not version:
            raise Unavailable("linux-image-%s of %s names no kernel" % (self.architecture, self.name))
        # One package on older suites, image and modules apart on newer ones.
        names = [n for n in ("linux-image-" + version, "linux-binary-" + version,
                             "linux-modules-" + version) if n in self.names(n)]
        return version, self.unpack(self.download(names), self.path("kernel"))

    def perf(self):
        """Directory with the suite's own perf and every library that it needs."""
        return self.unpack(self.closure("linux-perf"), self.path("perf"))
