# SPDX-License-Identifier: GPL-2.0-only
# Usage: awk -f manpage.awk [-v source=TEXT] [-v manual=TEXT] FILE.txt >PAGE
#
# Makes a manual page (troff, man macros) of what our manuals use of AsciiDoc, so that building
# them needs nothing but awk:
#
#   name(N), underlined with =      the title; lines ":name: value" below it are left out
#   SECTION, underlined with -      also the end of every list
#   term:: text                     a list; several terms may stand above one text, which is indented
#   * text                          a list with bullets
#   ----                            before and after what is printed as it is; include::FILE[] in it
#   [verse]                         the next paragraph keeps its lines
#   [source,...] [horizontal] //    understood by others; left out
#   'emphasis' *strong* `code`      begin behind, and end before, what is no letter or digit
#
# Anything else that AsciiDoc would take for markup is an error: nothing is shown wrongly in silence.

function die(what) {
	printf "%s:%d: %s\n", FILENAME, at, what | "cat >&2"
	failed = 1
	exit 1
}

# Characters that troff would take for its own.
function plain(s) {
	gsub(/\\/, "\\e", s)
	gsub(/-/, "\\-", s)
	return s
}

function code(s) {
	s = plain(s)
	gsub(/'/, "\\(aq", s)
	gsub(/`/, "\\(ga", s)
	gsub(/\^/, "\\(ha", s)
	gsub(/~/, "\\(ti", s)
	return s
}

# A line must not begin like a request.
function guard(s) {
	gsub(/\n\./, "\n\\\\\\&.", s)
	gsub(/\n'/, "\n\\\\\\&'", s)
	if (s ~ /^[.']/)
		s = "\\&" s
	return s
}

# How long the markup is that begins at @s with @quote; 0: it is a character like any other.
function span(s, quote,   i, next_one) {
	if (substr(s, 2, 1) ~ /^[ \t\n]?$/)
		return 0
	for (i = 3; i <= length(s); i++) {
		if (substr(s, i, 1) != quote || substr(s, i - 1, 1) ~ /[ \t\n]/)
			continue
		next_one = substr(s, i + 1, 1)
		if (next_one !~ /[A-Za-z0-9_]/)
			return i
	}
	return 0
}

# Between blocks; the first of a section has none, where whatis(1) looks for the name.
function gap() {
	if (!begun)
		print ".sp"
	begun = 0
}

function inline(s,   out, before, c, len) {
	out = ""
	before = " "
	while (s != "") {
		c = substr(s, 1, 1)
		len = 0
		if (index("'*`", c) && before !~ /[A-Za-z0-9_]/)
			len = span(s, c)
		if (len) {
			out = out (c == "'" ? "\\fI" : "\\fB")
			before = substr(s, 2, len - 2)
			out = out (c == "'" ? plain(before) : code(before)) "\\fP"
			before = c
			s = substr(s, len + 1)
		} else {
			if (c == "\\" && index("'*`", substr(s, 2, 1))) {
				s = substr(s, 2)
				c = substr(s, 1, 1)
			}
			out = out plain(c)
			before = c
			s = substr(s, 2)
		}
	}
	return guard(out)
}

function is_rule(s, char, title) {
	gsub(char, "", s)
	return s == "" && length(line[at + 1]) >= length(title) - 1 && \
		length(line[at + 1]) <= length(title) + 1
}

function is_section() {
	return line[at] ~ /^[A-Z][A-Z ]*$/ && line[at + 1] ~ /^--/ && is_rule(line[at + 1], "-", line[at])
}

function is_term(s) {
	return s ~ /^[^ \t].*::([ \t]|$)/
}

function is_block(s) {
	return s == "" || s == "----" || s ~ /^\[.*\]$/ || s ~ /^\/\//
}

# Markup of AsciiDoc that nothing here makes anything of.
function is_foreign(s) {
	return s ~ /^(\+|\|=|==|image::|include::)/ || s ~ /;;([ \t]|$)|link:|https?:\/\/[^ ]*\[|<<|\{[a-z-]+\}/
}

# The lines from @at to the end of their paragraph, each without its blanks in front.
function paragraph(   s, text) {
	text = ""
	for (; at <= nr && !is_block(line[at]); at++) {
		s = line[at]
		if (text != "" && (s ~ /^\* / || (in_list && is_term(s))))
			break
		sub(/^[ \t]+/, "", s)
		if (is_foreign(s) || (text == "" && s ~ /^\.[A-Za-z]/))
			die("this markup is not known here: " s)
		text = text (text == "" ? "" : "\n") s
	}
	return text
}

function listing(   end, file, s) {
	gap()
	print ".RS 4\n.nf\n.ft CR"
	for (at++; at <= nr && line[at] != "----"; at++) {
		if (line[at] !~ /^include::.*\[\]$/) {
			print guard(code(line[at]))
			continue
		}
		file = line[at]
		sub(/^include::/, "", file)
		sub(/\[\]$/, "", file)
		file = dir file
		while ((end = (getline s <file)) > 0) {
			gsub(/\t/, "        ", s)
			print guard(code(s))
		}
		if (end < 0)
			die("there is no " file)
		close(file)
	}
	if (at > nr)
		die("---- without an end")
	at++
	print ".ft\n.fi\n.RE"
}

# One or several terms and their text.
function item(   terms, s, i) {
	terms = s = ""
	while (at <= nr && is_term(line[at])) {
		i = match(line[at], /::([ \t]|$)/)
		terms = terms (terms == "" ? "" : ", ") inline(substr(line[at], 1, i - 1))
		s = substr(line[at], i + 2)
		sub(/^[ \t]+/, "", s)
		if (s != "") {
			line[at] = s
			break
		}
		at++
	}
	gap()
	print terms "\n.RS 4"
	in_list = 1
	print inline(paragraph())
	in_list = 0
	print ".RE"
}

function bullet() {
	line[at] = substr(line[at], 3)
	gap()
	print ".RS 4\n.ie n \\h'-2'\\(bu\\h'+1'\\c\n.el \\h'-2n'\\(bu\\h'+1n'\\c"
	print inline(paragraph())
	print ".RE"
}

function verse(   s) {
	gap()
	print ".nf"
	print inline(paragraph())
	print ".fi"
}

function title(   name, volume) {
	if (line[1] !~ /^[a-z-]+\([0-9]\)$/ || !is_rule(line[2], "=", line[1]))
		die("the first lines are no title like perf-record(1)")
	name = substr(line[1], 1, length(line[1]) - 3)
	volume = substr(line[1], length(line[1]) - 1, 1)
	printf "'\\\" t\n.\\\" Made of %s by tools/build/manpage.awk.\n", FILENAME
	printf ".TH \"%s\" \"%s\" \"\" \"%s\" \"%s\"\n", plain(toupper(name)), volume, plain(source), plain(manual)
	print ".if \\n(.g .ss \\n[.ss] 0\n.nh\n.ad l" # one blank between sentences
	for (at = 3; line[at] ~ /^:[a-z]+:/; at++)
		;
}

function block() {
	if (line[at] == "" || line[at] ~ /^\/\// || line[at] ~ /^\[(source,.*|horizontal)\]$/) {
		at++
	} else if (is_section()) {
		printf ".SH \"%s\"\n", line[at]
		begun = 1
		at += 2
	} else if (line[at] == "[verse]") {
		at++
		verse()
	} else if (line[at] == "----") {
		listing()
	} else if (line[at] ~ /^\* /) {
		bullet()
	} else if (is_term(line[at])) {
		item()
	} else if (line[at] ~ /^[ \t\[]/) {
		die("this is not known here: " line[at])
	} else {
		gap()
		print inline(paragraph())
	}
}

{ line[NR] = $0 }

END {
	nr = NR
	at = 1
	dir = FILENAME
	if (!sub(/[^\/]*$/, "", dir))
		dir = ""
	title()
	while (at <= nr)
		block()
}
