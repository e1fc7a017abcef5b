# SPDX-License-Identifier: GPL-2.0-only
# For tests of the page of perf report --html in a browser.
need_browser() {
	need_python
	need_cmd chromium chromedriver
	! is_sanitized || skip "the browser is tested without sanitizers"
}

in_browser() { python "$PERF_TEST_DIR/lib/page-test.py" "$@"; } # {WHAT PAGE}...: in one browser
