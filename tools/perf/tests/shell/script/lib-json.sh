# SPDX-License-Identifier: GPL-2.0-only
# What tests of --json share.

# Where the pages and schemas are: beside the tests when they are installed, else in the sources.
docs=$(cd "$PERF_TEST_DIR/../Documentation" 2>/dev/null && pwd) || docs=$(cd -P "$PERF_TEST_DIR/../../../Documentation" && pwd)

# fits script|report FILE...: holds each line against the schema; prints how many there are of each type
fits() { python "$PERF_TEST_DIR/lib/json-schema.py" "$docs/perf-$1-json.schema.json" "${@:2}"; }
