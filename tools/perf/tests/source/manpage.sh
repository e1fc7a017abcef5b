#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: manuals: pages in troff are made of every manual, and of nothing that is not understood
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd awk
need_source

page() { awk -f "$SOURCE/tools/build/manpage.awk" -v source='perf 1' -v manual=Manual "$@"; }

for f in "$SOURCE"/Documentation/perf*.txt "$SOURCE"/tools/lib/perf/Documentation/*.txt; do
	page "$f" >out
	has out '^\.TH "' '^\.SH "NAME"' '^\.SH "SEE ALSO"'
	has_not out '^(----|\[|.*::$)' "['\`][a-z-]+['\`]"
done

cat >all.txt <<'END'
perf-all(1)
===========
:doctype: manpage

NAME
----
perf-all - Everything at once

SYNOPSIS
--------
[verse]
'perf all' [<options>] -- <command>
'perf all' -h

TEXT
----
One 'set of
words', the user's and *strong* `code -v 'x'` ones; a\b, 2*3*4, '*', don't, isn't
.hidden 'first' lines.
'quoted' first.

* one
  bullet
* another

// needs: root
[horizontal]
term:: its text
-a <x>::
--all=<x>::
	Several 'terms'
	with one text.
last::
	Text.

After the list.

[source,sh]
----
perf all | cat -s 'a' \
.dot
include::other[]
----
END
echo "int c = '\\n';" >other
cat >expected <<'END'
'\" t
.\" Made of all.txt by tools/build/manpage.awk.
.TH "PERF\-ALL" "1" "" "perf 1" "Manual"
.if \n(.g .ss \n[.ss] 0
.nh
.ad l
.SH "NAME"
perf\-all \- Everything at once
.SH "SYNOPSIS"
.nf
\fIperf all\fP [<options>] \-\- <command>
\fIperf all\fP \-h
.fi
.SH "TEXT"
One \fIset of
words\fP, the user's and \fBstrong\fP \fBcode \-v \(aqx\(aq\fP ones; a\eb, 2*3*4, \fI*\fP, don't, isn't
\&.hidden \fIfirst\fP lines.
\fIquoted\fP first.
.sp
.RS 4
.ie n \h'-2'\(bu\h'+1'\c
.el \h'-2n'\(bu\h'+1n'\c
one
bullet
.RE
.sp
.RS 4
.ie n \h'-2'\(bu\h'+1'\c
.el \h'-2n'\(bu\h'+1n'\c
another
.RE
.sp
term
.RS 4
its text
.RE
.sp
\-a <x>, \-\-all=<x>
.RS 4
Several \fIterms\fP
with one text.
.RE
.sp
last
.RS 4
Text.
.RE
.sp
After the list.
.sp
.RS 4
.nf
.ft CR
perf all | cat \-s \(aqa\(aq \e
\&.dot
int c = \(aq\en\(aq;
.ft
.fi
.RE
END
page all.txt >out
diff expected out
if command -v groff >/dev/null && groff -man -Tutf8 -z /dev/null 2>/dev/null; then
	groff -man -Tutf8 -ww -z out 2>err
	has_not err .
fi

# refuses LINE MESSAGE: what would come out wrong.
refuses() {
	printf 'perf-x(1)\n=========\n\nNAME\n----\nperf-x - X\n\nTEXT\n----\n%s\n' "$1" >x.txt
	fails 1 page x.txt >out 2>err
	has err "^x.txt:10: .*$2"
}
refuses '|===' 'not known'
refuses '+' 'not known'
refuses '.A title' 'not known'
refuses '[NOTE]' 'not known'
refuses "'a';; one 'b';; two" 'not known'
refuses 'see link:x[y]' 'not known'
refuses 'of {version}' 'not known'
refuses '	indented' 'not known'
refuses 'include::other[]' 'not known'

printf 'no title\n' >x.txt
fails 1 page x.txt >out 2>err
has err 'no title'
