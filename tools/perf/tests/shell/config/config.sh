#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf config: settings are printed and changed, and the rest of the file stays
. "$PERF_TEST_DIR/shell/lib.sh"
export HOME=$PWD PERF_CONFIG_NOSYSTEM=1
unset PERF_CONFIG

perf config report.children=false x.y=1
[ "$(perf config)" = "$(printf 'report.children=false\nx.y=1')" ] || fail "$(perf config)"
[ "$(perf config report.children)" = report.children=false ] || fail "$(perf config report.children)"
[ -z "$(perf config report.none)" ] || fail "a setting that is not there"

cat >.perfconfig <<'END'
# mine
[Report]
	children = false ; old
	long = a \
 b
[annotate "My x"] a = 1
[core] pager = less
END
perf config report.children=true Report.New=2 'annotate.My x.a=3' core.x=1 'report.long=z'
cat >want <<'END'
# mine
[Report]
	children = true
	long = z
	new = 2
[annotate "My x"] a = 1
[core] pager = less
[annotate "My x"]
	a = 3
[core]
	x = 1
END
diff want .perfconfig || fail "the file is another one"
perf config -l >out
[ "$(wc -l <out)" = 6 ] || fail "$(cat out)"
has out '^annotate.My x.a=3$'
has out '^core.pager=less$'

# Values come back as they were, whatever is in them.
for value in 'a "b" #c' ' blanks ' 'back\slash' "$(printf 'tab\there')" ';' '[x]' $'\xc3\xa9'; do
	perf config "odd.value=$value"
	[ "$(perf config odd.value)" = "odd.value=$value" ] || fail "'$value': $(perf config odd.value)"
done
perf config "odd.value=a=b"
[ "$(perf config odd.value)" = odd.value=a=b ] || fail "$(perf config odd.value)"
cp .perfconfig before
for bad in foo foo=1 a.b= .x=1 a.b.=1 a..b=1 $'a.b=x\ny' $'a.b=\x1b[31m' $'a\n.b=1' 'a b.c=1' 'a.b".c=1'; do
	fails 1 perf config "$bad" 2>err
	[ -s err ] || fail "'$bad': not a word"
done
cmp before .perfconfig || fail "something was written"
fails 129 perf config -l a.b 2>err
has err '--list takes no names'
fails 129 perf config --user --system 2>err

# A file that is not understood is left alone.
printf '[broken\n' >.perfconfig
fails 1 perf config a.b=1 2>err
has err "line 1 is neither"
[ "$(cat .perfconfig)" = '[broken' ] || fail "$(cat .perfconfig)"
mkdir there
fails 1 env PERF_CONFIG="$PWD/there" "$PERF" config a.b=1 2>err
fails 1 env PERF_CONFIG="$PWD/no/such/file" "$PERF" config a.b=1 2>err
# A link stays a link.
rm .perfconfig
echo >real
ln -s real .perfconfig
perf config a.b=1
[ -L .perfconfig ] && grep -q 'b = 1' real || fail "$(ls -l .perfconfig)"
# What is written is used.
perf config diff.compute=ratio pager.diff=false
