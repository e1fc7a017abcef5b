# SPDX-License-Identifier: GPL-2.0-only
"""Samples as objects; those of Intel's PEBS with the registers that its record holds."""
import struct

EVTYPE_GENERIC = 0
EVTYPE_PEBS = 1    # a PEBS record with registers
EVTYPE_PEBS_LL = 2 # the same with a memory access and its latency
EVTYPE_IBS = 3


def create_event(name, comm, dso, symbol, raw_buf):
    """An object of the class that the size of @raw_buf stands for."""
    of_size = {PebsEvent.SIZE: PebsEvent, PebsNHM.SIZE: PebsNHM}
    return of_size.get(len(raw_buf), PerfEvent)(name, comm, dso, symbol, raw_buf)


class PerfEvent:
    event_num = 0 # of all that were made

    def __init__(self, name, comm, dso, symbol, raw_buf, ev_type=EVTYPE_GENERIC):
        self.name = name
        self.comm = comm
        self.dso = dso
        self.symbol = symbol
        self.raw_buf = raw_buf
        self.ev_type = ev_type
        PerfEvent.event_num += 1

    def show(self):
        print("PMU event: name=%12s, symbol=%24s, comm=%8s, dso=%12s" %
              (self.name, self.symbol, self.comm, self.dso))


class PebsEvent(PerfEvent):
    pebs_num = 0
    SIZE = 144
    REGISTERS = ("flags", "ip", "ax", "bx", "cx", "dx", "si", "di", "bp", "sp")

    def __init__(self, name, comm, dso, symbol, raw_buf, ev_type=EVTYPE_PEBS):
        PerfEvent.__init__(self, name, comm, dso, symbol, raw_buf, ev_type)
        for register, value in zip(self.REGISTERS, struct.unpack_from("10Q", raw_buf)):
            setattr(self, register, value)
        PebsEvent.pebs_num += 1


class PebsNHM(PebsEvent):
    pebs_nhm_num = 0
    SIZE = 176

    def __init__(self, name, comm, dso, symbol, raw_buf, ev_type=EVTYPE_PEBS_LL):
        PebsEvent.__init__(self, name, comm, dso, symbol, raw_buf, ev_type)
        self.status, self.dla, self.dse, self.lat = struct.unpack_from("4Q", raw_buf,
                                                                       PebsEvent.SIZE)
        PebsNHM.pebs_nhm_num += 1
