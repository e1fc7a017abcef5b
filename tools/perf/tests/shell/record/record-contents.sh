#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: registers, weights, page sizes, groups that are read: asked for, there
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

work=("$PERF" test -w noploop 0.1)
attr() { perf report --header-only -i "$1" >header; has header "$2"; }

# Registers: those that are named, as the machine calls them, at the address of the sample.
case $(uname -m) in
x86_64) one=BX ip=IP ;;
aarch64) one=x19 ip=pc ;;
s390x) one=R6 ip=PC ;;
*) skip "registers of $(uname -m) are not known" ;;
esac
perf record -q -e cpu-clock:u --user-regs=${one,,},$ip -I$ip -o r.data -- "${work[@]}"
perf script -i r.data -F ip,uregs >lines
awk -v ip="$ip" -v one="$one" '
	{ sub(/.* ABI:2 +/, "", $0) }
	index($0, one ":0x") && index($0, ip ":0x") { n++ }
	END { exit !(n == NR && n > 10) }' lines || fail "--user-regs: $(head -n 3 lines)"
perf script -i r.data -F ip,iregs | sed -E 's/ABI:2|0x|[A-Za-z]+://g' |
	awk '$1 != $2 { bad++ } END { exit bad || NR < 10 }' || fail "-I: not the sampled address"
perf record -q -e cpu-clock --user-regs --intr-regs -o r.data -- "${work[@]}"
perf script -i r.data -F uregs,iregs >lines
has lines "$one:0x.*$ip:0x.*$one:0x.*$ip:0x"
fails 129 perf record --user-regs=? 2>err
has err "^available registers:.* $one .*$ip"
fails 129 perf record -I? 2>err
has err '^available registers:'
fails 129 perf record -Iax,nosuch -- true 2>err
has err "unknown register '(nosuch|ax)'; --intr-regs=. lists"
fails 129 perf record --defer=copy --user-regs -- true 2>err
has err '--no-stitch'
perf record -q --defer=copy --no-stitch --user-regs -e cpu-clock -o r.data -- "${work[@]}"

# What the kernel adds to samples of software events.
perf record -q -W -d --data-page-size --code-page-size -e cpu-clock -o w.data -- "${work[@]}"
perf script -i w.data -F weight,ins_lat,retire_lat,data_page_size,code_page_size >lines
has lines '^ +0 +0 +0 N/A [0-9]+[KM]$'
attr w.data 'ADDR.*DATA_SRC'
perf record -q --sample-mem-info -R -e cpu-clock -o m.data -- "${work[@]}"
attr m.data 'CPU.*RAW.*DATA_SRC'

# A group that its leader reads, and one that is a group because all are.
perf record -q -e '{cpu-clock,page-faults}:S' --running-time -o g.data -- "${work[@]}"
attr g.data 'READ.*read_format.*TOTAL_TIME_RUNNING.*GROUP'
has_not header 'name = page-faults.*sample_freq'
# Each sample is one of every event that counted something, with what it counted.
perf script -i g.data -F event,period >lines
has lines '^ *[0-9]+ +cpu-clock:' '^ *[1-9][0-9]* +page-faults:'
perf report --stdio -i g.data >report 2>/dev/null
has report "^# Samples: .* of event.*page-faults"
perf record -q -c 500000 -e cpu-clock:S -o one.data -- "${work[@]}"
perf script -i one.data -F period >lines
awk '{ n += $1 } END { exit !(NR > 10 && n > 5e6) }' lines || fail "cpu-clock:S: $(head -n 3 lines)"
perf record -q --group -e cpu-clock,page-faults -o g.data -- "${work[@]}"
perf report --header-only -i g.data >header
has_not header 'missing features.* GROUP_DESC'
perf record -q -s -e cpu-clock -o s.data -- "$PERF" test -w thloop 0.1 2
perf report -D -i s.data >dump
has dump 'PERF_RECORD_READ'
attr s.data 'TOTAL_TIME_ENABLED'

# Nothing but side-band records; no BPF records; woken for each sample; switches for --latency.
perf record -q -n -e cpu-clock -o n.data -- "${work[@]}"
perf script -i n.data >lines
[ ! -s lines ] || fail "-n: samples"
perf report -D -i n.data >dump
has dump PERF_RECORD_MMAP2 'PERF_RECORD_COMM: perf'
has_not dump PERF_RECORD_SAMPLE
perf record -q --no-bpf-event --no-buffering --latency -e cpu-clock -o l.data -- "$PERF" test -w thloop 0.1 3
attr l.data 'context_switch = 1'
attr l.data 'wakeup'
has_not header bpf_event
perf report -D -i l.data >dump
has dump PERF_RECORD_SWITCH
fails 129 perf record --latency -a 2>err
has err 'not the whole system'
perf record -q --aio --aio=2 --proc-map-timeout 100 --num-thread-synthesize 2 -e cpu-clock -o a.data -- true
