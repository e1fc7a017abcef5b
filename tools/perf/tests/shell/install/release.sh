#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: make release: refuses what is not ready, then makes tag, archive, checksum, notes
. "$PERF_TEST_DIR/shell/lib.sh"
need_source
need_cmd git xz tar awk sha256sum

export LEVEL=-0 GIT_CONFIG_GLOBAL=$PWD/gitconfig HOME=$PWD
git config --global user.name Somebody
git config --global user.email somebody@localhost
mkdir -p tree/tools/build tree/Documentation tree/packaging
cp "$SOURCE"/packaging/{dist,release} tree/packaging
cp "$SOURCE"/tools/build/{version,manpage.awk} tree/tools/build
cp "$SOURCE/Documentation/perf-version.txt" tree/Documentation
printf '# Changes\n\n## 1.2 (not released yet)\n\nNew.\n\n## 1.1\n\nOld.\n' >tree/CHANGELOG.md
echo 1.2 >tree/VERSION
cd tree
fails 1 packaging/release ../out 2>../err
git init -q .
git add -A
fails 1 packaging/release ../out 2>../err
has ../err 'not committed'
git commit -qm one
fails 1 packaging/release ../out 2>../err
has ../err 'not released yet'
sed -i 's/not released yet/1 May 2030/' CHANGELOG.md
git commit -qam two
packaging/release ../out >../said
has ../said 'git push origin v1.2'
has ../out/NOTES.md '^New\.$'
has_not ../out/NOTES.md Old
(cd ../out && sha256sum -c SHA256SUMS >../said)
tar -tf ../out/perf-whole-1.2.tar.xz >../list
has ../list '^perf-whole-1.2/Documentation/man/perf-version.1$'
[ "$(git describe)" = v1.2 ] || fail "there is no tag"
fails 1 packaging/release ../out 2>../err
has ../err 'there is v1.2 already'
