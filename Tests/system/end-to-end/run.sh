#!/bin/sh
# Drives the real debug binaries over HTTP, as a client would, with a real PostgreSQL and the Kafka of KAFKA_HOME (else the
# development broker), in a state folder of its own. See README.md for the parts and the variables.
#
#   Tests/system/end-to-end/run.sh [PART]...        all without a name; the parts stand in README.md
set -eu
cd "$(dirname -- "$0")/../../.."
for program in python3 psql kcat; do
    command -v "$program" >/dev/null || { echo "run.sh: $program is missing; run infra/setup." >&2; exit 3; }
done
if [ -z "${END_TO_END_SKIP_BUILD:-}" ]; then
    swift=$(infra/find-swift) || { echo "run.sh: no Swift toolchain found; run infra/setup." >&2; exit 3; }
    "$swift" build --quiet
fi
exec python3 -B Tests/system/end-to-end/main.py "$@"
