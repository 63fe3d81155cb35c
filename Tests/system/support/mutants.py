"""Copies of the sources in which changes that tests must notice lie ready, each behind a switch.

MUTATED in the new text of a change of Swift is true only while it is the turn of that change, which MUTATION in the environment
names. A change of a migration's SQL is made when the migration is read. So all of them are built once: a build for each would
take hours.
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


def sources():
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True,
                            check=True)
    return {line: (ROOT / line).read_bytes() for line in listed.stdout.splitlines() if (ROOT / line).is_file()}


def ready(files, changes):
    """Writes changes, each a name with a file, its old and its new text, into the sources."""
    sql_files = {file for _, file, _, _ in changes if file.endswith(".sql")}
    sql = {name: (old, new) for name, file, old, new in changes if file in sql_files}
    # The longer text first: a shorter one may be a part of it.
    for name, file, old, new in sorted(changes, key=lambda change: -len(change[2])):
        text = files[file].decode()
        if old not in text:
            raise SystemExit(f"{file} does not hold {old!r} any more; bring the change {name!r} up to date.")
        if file not in sql_files:
            changed = text.replace(old, new.replace("MUTATED", f'isMutated("{name}")'))
            files[file] = with_import(changed) if file.endswith(".swift") else changed.encode()
    if sql:
        text = files[MIGRATION].decode()
        if READ not in text:
            raise SystemExit(f"{MIGRATION} reads its files in another way; say in support/mutants.py how.")
        files[MIGRATION] = with_import(text.replace(READ, f"mutatedSQL({READ})"))
    files[SWITCH] = switch(sql).encode()


def with_import(text):
    if not re.search(r"^(package )?import Primitives$", text, re.MULTILINE):
        text = "import Primitives\n" + text
    return text.encode()


def switch(sql):
    lines = "".join(f'    {swift(name)}: ({swift(old)}, {swift(new)}),\n' for name, (old, new) in sql.items())
    return f"""import Glibc

private let mutation = getenv("MUTATION").map {{ String(cString: $0) }}

private let sqlChanges: [String: (old: String, new: String)] = [
{lines or "    :"}]

/// Whether it is the turn of a change.
package func isMutated(_ name: String) -> Bool {{ mutation == name }}

/// The text of a migration, with the change whose turn it is.
package func mutatedSQL(_ text: String) -> String {{
    guard let mutation, let change = sqlChanges[mutation] else {{ return text }}
    return text.replacing(change.old, with: change.new)
}}
"""


def swift(text):
    """A text as a literal of one line: a change of SQL may go over several."""
    return '#"' + text.replace("\n", "\\#n") + '"#'


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
