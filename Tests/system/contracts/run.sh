#!/bin/sh
# Contracts from files alone, a sample of the changes that they must catch, and the generated documents before public
# validators; `make contracts-mutations` runs all changes.
set -eu
cd "$(dirname -- "$0")/../../.."
tool=.build/debug/mirrormate
[ -x "$tool" ] || tool=.build/release/mirrormate
[ -x "$tool" ] || { echo "mirrormate is not built" >&2; exit 1; }
"$tool" contracts check
python3 -B Tests/system/contracts/mutate.py --sample
python3 -B Tests/system/contracts/against.py "$tool"
if python=$(infra/python-tools Tests/system/contracts/validators.txt); then
    "$python" -B -W ignore Tests/system/contracts/validate.py
else
    echo "SKIPPED: the documents were not validated; that needs Python's package registry once."
fi
