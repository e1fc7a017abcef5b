#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf archive packs what the cache has of a recording, as that of the kernel's perf does
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd tar bzip2
need_event cpu-clock:u

export PERF_BUILDID_DIR=$PWD/cache
fails 1 perf archive none.data 2>err
perf record -q -e cpu-clock:u -F 4000 -o e.data -- sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done'
mkdir -p cache
fails 1 perf archive e.data 2>err
has err 'cache has no binary of e.data' 'perf data bundle'
[ ! -e e.data.tar.bz2 ] || fail "an archive without a need"
while read -r _ path; do
	case $path in /*) perf buildid-cache -a "$path" ;; esac
done < <(perf buildid-list -H -i e.data)
perf archive e.data >out
has out '^e.data.tar.bz2: [0-9]+ binaries' 'tar xf e.data.tar.bz2 -C'

# Unpacked elsewhere, it has the binaries by their build-ids, and nothing else.
mkdir elsewhere
tar xf e.data.tar.bz2 -C elsewhere
(cd cache && find . -path ./.unwind -prune -o -path ./.kernel -prune -o ! -type d -print | sort) >here
(cd elsewhere && find . ! -type d | sort) >there
comm -13 here there >more
[ ! -s more ] || fail "$(cat more)"
while read -r id path; do
	case $path in /*) ;; *) continue ;; esac
	cmp "elsewhere/.build-id/${id:0:2}/${id:2}/elf" "$path" || fail "$path is not in the archive"
done < <(perf buildid-list -H -i e.data)

# A link out of the cache is not followed.
id=$(perf buildid-list -H -i e.data | sed -n 's|^\([0-9a-f]*\) /.*|\1|p' | head -n 1)
rm "cache/.build-id/${id:0:2}/${id:2}"
ln -s ../../../../etc "cache/.build-id/${id:0:2}/${id:2}"
perf archive -v e.data >out 2>err
has out '; not in the cache: [1-9]'
if tar tf e.data.tar.bz2 | grep -q 'etc$'; then fail "the archive has what is not of the cache"; fi

# Where bzip2 is not installed, that is said, and the archive of before stays.
mkdir bin
ln -s "$(command -v tar)" bin
fails 1 env PATH="$PWD/bin" "$PERF" archive e.data 2>err
has err 'tar, which needs bzip2, has failed'
tar tf e.data.tar.bz2 >out

fails 129 perf archive a b 2>err
fails 129 perf archive --unpack x 2>err
has err 'tar xf'
