#!/bin/sh
# Contracts from files alone, and a sample of the changes that they must catch; `make contracts-mutations` runs them all.
set -eu
cd "$(dirname -- "$0")/../.."
tool=.build/debug/mirrormate
[ -x "$tool" ] || tool=.build/release/mirrormate
[ -x "$tool" ] || { echo "mirrormate is not built" >&2; exit 1; }
"$tool" contracts check
python3 -B Tests/contracts/mutate.py --sample
