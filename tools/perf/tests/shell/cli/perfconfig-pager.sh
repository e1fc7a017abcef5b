#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: ~/.perfconfig: pagers, of all or of some commands
. "$PERF_TEST_DIR/shell/cli/lib-perfconfig.sh"

need_cmd script
printf '[core]\n\tpager = "sed s/^/paged:/"\n[buildid]\n\tdir = /no/such\n' >"$conf"
terminal report --stdio -i c.data
has out '^paged:# Children'
terminal --no-pager report --stdio -i c.data
has_not out '^paged:'
PERF_PAGER='sed s/^/env:/' terminal report --stdio -i c.data
has out '^env:# Children'
terminal version
has_not out '^paged:'
terminal --paginate version
has out '^paged:perf version'
printf '[pager]\n\treport = no\n\tversion = true\n' >>"$conf"
terminal report --stdio -i c.data
has_not out '^paged:'
terminal version
has out '^paged:perf version'
