# SPDX-License-Identifier: GPL-2.0-only
# need_module: `import perf` in python() is ours, of the build or installed.
need_module() {
	need_python
	! is_sanitized || skip "Python is not built with the sanitizer that the module needs"
	local built
	built=$(dirname "$PERF")/python
	if [ -e "$built/perf/_perf.abi3.so" ]; then
		export PYTHONPATH=$built
		python -c 'import perf; perf.recording'
	else
		python -c 'import perf; perf.recording' 2>import.err ||
			skip "the module for Python was not built: $(tail -n 1 import.err)"
	fi
}
