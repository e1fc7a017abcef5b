#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --user-regs, -I: registers by their names, at the address of the sample
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

work=("$PERF" test -w noploop 0.1)
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
