"""Copies of the sources in which changes that tests must notice lie ready, each behind a switch.

MUTATED in the new text of a change of Swift is true only while it is the turn of that change, which MUTATION in the environment
names. A change of a migration's SQL is made when the migration is read, and stands in the environment itself, so that no other one is
compiled for it. So all of them are built once: a build for each would take hours.
"""
import os
import pathlib
import re
import shutil
import subprocess

from support import places

ROOT = pathlib.Path(places.ROOT)
SWITCH = "Shared/Values/Primitives/Mutated.swift"
MIGRATION = "Shared/Events/EventStore/Migration.swift"
READ = "String(decoding: bytes, as: UTF8.self)"
# The one room that needs nothing, until it is changed: then it asks for the switch.
PROGRESS = ("Services/reporting/Progress/", b'room("Progress", in: "reporting", [])',
            b'room("Progress", in: "reporting", ["Primitives"])')

SWITCHED = """import Glibc

private func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

private let mutation = variable("MUTATION")
private let sqlChange = variable("MUTATION_OLD").flatMap { old in variable("MUTATION_NEW").map { (old: old, new: $0) } }

/// Whether it is the turn of a change.
package func isMutated(_ name: String) -> Bool { mutation == name }

/// The text of a migration, with the change whose turn it is.
package func mutatedSQL(_ text: String) -> String {
    guard let sqlChange else { return text }
    return text.replacing(sqlChange.old, with: sqlChange.new)
}
"""


def sources():
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True,
                            check=True)
    return {line: (ROOT / line).read_bytes() for line in listed.stdout.splitlines() if (ROOT / line).is_file()}


def ready(files, changes):
    """Writes changes, each a name with a file, its old and its new text, into the sources."""
    sql_files = {file for _, file, _, _ in changes if file.endswith(".sql")}
    # The longer text first: a shorter one may be a part of it.
    for name, file, old, new in sorted(changes, key=lambda change: -len(change[2])):
        text = files[file].decode()
        if old not in text:
            raise SystemExit(f"{file} does not hold {old!r} any more; bring the change {name!r} up to date.")
        if file not in sql_files:
            changed = text.replace(old, new.replace("MUTATED", f'isMutated("{name}")'))
            files[file] = with_import(changed) if file.endswith(".swift") else changed.encode()
    if any(file.startswith(PROGRESS[0]) for _, file, _, _ in changes):
        files["Package.swift"] = files["Package.swift"].replace(*PROGRESS[1:])
    if sql_files:
        text = files[MIGRATION].decode()
        if READ not in text:
            raise SystemExit(f"{MIGRATION} reads its files in another way; say in support/mutants.py how.")
        files[MIGRATION] = with_import(text.replace(READ, f"mutatedSQL({READ})"))
    files[SWITCH] = SWITCHED.encode()


def environment(change):
    """What says whose turn it is."""
    name, file, old, new = change[:4]
    return {"MUTATION": name} | ({"MUTATION_OLD": old, "MUTATION_NEW": new} if file.endswith(".sql") else {})


def with_import(text):
    if not re.search(r"^(package )?import Primitives$", text, re.MULTILINE):
        text = "import Primitives\n" + text
    return text.encode()


def keep(copy, files):
    """Makes a copy the same as the files; those that are the same keep their times, so that little is built again."""
    copy.mkdir(parents=True, exist_ok=True)
    for folder, folders, there in os.walk(copy):
        folders[:] = [name for name in folders if name != ".build"]
        for name in there:
            path = pathlib.Path(folder, name)
            if str(path.relative_to(copy)) not in files:
                path.unlink()
    for name, content in files.items():
        target = copy / name
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            if name != SWITCH:
                shutil.copymode(ROOT / name, target)


def toolchain():
    """The path of `swift`."""
    return os.environ.get("SWIFT") or subprocess.run([ROOT / "infra/find-swift"], capture_output=True, text=True,
                                                     check=False).stdout.strip()
