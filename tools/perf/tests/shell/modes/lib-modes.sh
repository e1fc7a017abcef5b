# SPDX-License-Identifier: GPL-2.0-only
# For tests that run each option of commands: what may happen, and how many are tried, says modes.py.
need_cmd zstd tar
need_python

modes() { # COMMAND...: each option of these, a share of the values and recordings
	python "$PERF_TEST_DIR/shell/modes/modes.py" ${PERF_TEST_THOROUGH:+--thorough} "$@" >log 2>&1 ||
		{ tail -n 200 log; fail "$*: $(tail -n 1 log)"; }
	has log '^[1-9][0-9]* options, [1-9][0-9]* recordings, [1-9][0-9]* runs'
	tail -n 1 log
}
