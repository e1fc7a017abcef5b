# SPDX-License-Identifier: GPL-2.0-only
"""What the kernel says of the hardware and software that counts."""
import os

DEVICES = "/sys/bus/event_source/devices"


class pmu:
    """One source of events."""
    def __init__(self, name):
        self._name = name

    def name(self):
        return self._name

    def events(self):
        """A list of dictionaries, of the events that the kernel has names for: "name" is for
        parse_events()."""
        found, folder = [], os.path.join(DEVICES, self._name, "events")
        for event in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            if event.endswith((".scale", ".unit", ".per-pkg", ".snapshot")):
                continue
            with open(os.path.join(folder, event), encoding="ascii") as f:
                text = f.read().strip()
            found.append({"name": "%s/%s/" % (self._name, event), "str": text,
                          "encoding_desc": "%s/%s/" % (self._name, text),
                          "event_type_desc": "Kernel PMU event"})
        return found

    def __repr__(self):
        return "pmu(%s)" % self._name


def pmus():
    """A list of all sources of events."""
    return [pmu(name) for name in sorted(os.listdir(DEVICES))]
