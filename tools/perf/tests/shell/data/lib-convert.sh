# SPDX-License-Identifier: GPL-2.0-only
# For the tests of perf data convert.
FORMATS='folded pprof gecko speedscope otlp json sqlite perfetto'

# convert RECORDING [OPTIONS]: to FORMAT.out, for each format.
convert() {
	local format
	for format in $FORMATS; do
		perf data convert -q --to "$format" -o "$format.out" -i "$@" 2>err
	done
}

# all_same RECORDING: in each of them are the samples of the recording.
all_same() {
	local format args=()
	for format in $FORMATS; do args+=("$format=$format.out"); done
	python "$PERF_TEST_DIR/lib/read-export.py" same "$PERF" "$1" "${args[@]}"
}

words_of() { python "$PERF_TEST_DIR/lib/read-export.py" words "$1" "$1.out"; } # FORMAT
