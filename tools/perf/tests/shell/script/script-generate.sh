#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: script -g python: names of values, and fields whose names are words of Python or no names
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_scripts
need_python
need_root
need_event timer:hrtimer_start

# generated FILE: the script that is made of it runs, and prints each sample.
generated() {
	perf script -i "$1" -g made.py >out
	python -m py_compile made.py || fail "$1: $(cat made.py)"
	perf script -i "$1" -s made.py >out 2>err || fail "$1: $(cat err)"
	has_not err .
	rm made.py
}

perf record -q -o good.data -e timer:hrtimer_start,irq:softirq_entry,sched:sched_process_exec -a -- \
	sh -c 'sleep 0.1; /bin/true'
perf script -g ./made.py -i good.data >out
has made.py "symbol_str\\('irq__softirq_entry', 'vec', vec\\)"
rm made.py
generated good.data
has out ' irq__softirq_entry: vec=[A-Z_]+$' ' sched__sched_process_exec: filename=/bin/true pid=[0-9]+ '
[ "$(grep -c 'irq__softirq_entry: ' out)" = "$(perf script -i good.data -F event | grep -c softirq_entry)" ]

# Names come from whoever has made the recording: they are no code, whatever they are.
cat >rename.py <<'END'
import sys
data = open("good.data", "rb").read()
at = data.index(b"name: sched_process_exec\n")
end = data.index(b"\n", data.index(b"print fmt:", at))
old, new = (a.encode() for a in sys.argv[1:3])
assert len(old) == len(new)
part = data[at:end].replace(old, new)
assert part != data[at:end], old
open("bad.data", "wb").write(data[:at] + part + data[end:])
END
for new in finally context_ field_1; do
	python rename.py "old_pid" "${new:0:7}"
	generated bad.data
	has out ' sched__sched_process_exec: filename=/bin/true pid=[0-9]+ (field_2|context|field_1)=[0-9]+$'
done
python rename.py ' filename' ' nonlocal'
generated bad.data
has out ' sched__sched_process_exec: field_0=/bin/true '
python rename.py ' old_pid' ' common_'
generated bad.data
for new in "1'+x();" 'a=b():#' "a',os,'" '7number' "a\\\\nb;c"; do
	python rename.py 'old_pid' "${new:0:7}" 2>/dev/null || python rename.py 'old_pid' "$(printf '%-7s' "${new:0:7}")"
	got=0
	perf script -i bad.data -g made.py >out 2>err || got=$?
	[ $got = 0 ] || { has err .; continue; } # the format is refused
	python -m py_compile made.py || fail "$new: $(cat made.py)"
	has_not made.py "x\\(\\)|b\\(\\)|,os,"
	rm made.py
done
