#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report --tui, --svg: where there is no room, namespaces go and the function's own name stays
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/report/lib-tui.sh"
need_cmd g++
need_event cpu-clock

cat >w.cc <<'EOF'
volatile unsigned long n;
#define SPIN __attribute__((noinline)) void
namespace first_of_them { namespace second_of_them {
SPIN work_here(long k) { for (long i = 0; i < k; i++) n++; }
SPIN work_there(long k) { for (long i = 0; i < k; i++) n++; }
SPIN work_afar(long k) { for (long i = 0; i < k; i++) n++; }
} }
int main()
{
	using namespace first_of_them::second_of_them;
	work_here(60000000);
	work_there(30000000);
	work_afar(60000000);
	return 0;
}
EOF
g++ -O1 -o w w.cc
perf record -q -F 2000 -g -e cpu-clock:u -o w.data -- ./w
browse -s sym --no-children
shows 'first_of_them::second_of_them::work_here'
terminal resize-window -t perf -x 40 -y 20
shows '\.\.work_here$'
has screen.text '\.\.work_there$' '\.\.work_afar$'
# What is left out is to be seen further to the right.
keys Right
shows 'first_of_them::s'
keys Left
shows '\.\.work_here$'
keys q
ended 0
perf report --svg w.svg -q -i w.data 2>err
has w.svg '>(first_of_them::second_of_them::|second_of_them::)?work_there</text>' \
	'<title>first_of_them::second_of_them::work_there\('
