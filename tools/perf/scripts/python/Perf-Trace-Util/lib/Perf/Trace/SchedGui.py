# SPDX-License-Identifier: GPL-2.0-only
"""Not there: the window that sched-migration of Linux perf draws with wxPython. That script does not
run on Python 3 under any perf (it takes numbers with fractions for places in a list), and no other one
of Linux perf asks for it."""
raise ImportError(
    "SchedGui draws a window with wxPython, which this perf does not. In text: who moves between CPUs, "
    "'perf record -a -e sched:sched_migrate_task' and 'perf script'; who wakes whom, "
    "'perf script record wakers' and 'perf script report wakers'", name="SchedGui")
