"""The search for personal content wherever something is kept."""
import os
import re

from support.programs import SERVICES

# Where personal content may lie: rows that go with their owner. Everything else must be free of it.
ALLOWED = {
    "identity.profiles": {"name", "email"},
    "identity.credentials": {"email"},
    "reporting.reports": {"speech"},
    "reporting.report_shares": {"name"},
}

# Words of the demo video that no programmer would use.
SPOKEN = ("dashwood", "leisure", "prudently", "selfish", "disposed", "amiable", "respectable", "married")


def planted(speaker):
    """A speaker's strings by what they are; each is one that nothing else can contain."""
    words = {word["w"].lower() for word in speaker.report["transcript"]["words"]}
    spoken = [word for word in SPOKEN if word in words]
    # A rough recogniser hears other words; then three in a row, as no program writes them.
    runs = re.findall(r"(?=\b([a-z]+ [a-z]+ [a-z]+)\b)", speaker.report["transcript"]["text"].lower())
    local, _, domain = speaker.user.email.partition("@")
    return {"name": speaker.user.name.split(), "email": [local, domain], "speech": spoken + runs[:5]}


def found_in(text, strings):
    lowered = text.lower()
    return sorted({string for string in strings if string.lower() in lowered
                   or string.encode().hex() in lowered})


# MARK: tables

def table_names(stack):
    return [f"{row['s']}.{row['t']}" for row in columns(stack)]


def columns(stack):
    return stack.sql(
        "select table_schema s, table_name t, json_agg(json_build_object('name', column_name, 'type', data_type)) c "
        f"from information_schema.columns where table_schema in {SERVICES} group by 1, 2 order by 1, 2")


def as_text(name, type):
    """SQL for a column's content; bytes as the text that they may be."""
    return f"encode(\"{name}\", 'escape')" if type == "bytea" else f"\"{name}\"::text"


def tables_with(stack, strings):
    """Every column of every table of every service, bytes included: (table, kind) → the strings that it has."""
    searches = []
    for row in columns(stack):
        texts = [as_text(**column) for column in row["c"]]
        searches.append(f"select '{row['s']}.{row['t']}' n, string_agg(concat_ws(' ', {', '.join(texts)}), ' ') c "
                        f"from {row['s']}.{row['t']}")
    found = {}
    for row in stack.sql(" union all ".join(searches)):
        for kind, words in strings.items():
            hits = found_in(row["c"] or "", words)
            if hits:
                found[row["n"], kind] = hits
    return found


def owned_tables(stack):
    """The tables of owners' rows, each of which is under row-level security."""
    return [row["t"] for row in stack.sql(
        "select relnamespace::regnamespace || '.' || relname t from pg_class "
        f"where relnamespace::regnamespace::text in {SERVICES} and relkind in ('r', 'p') and relrowsecurity order by 1")]


def tables_naming(stack, identity):
    """Those of them that have rows in which an id stands, with how many."""
    counts = [f"select '{table}' t, count(*) n from {table} r where r::text like '%{identity}%'" for table in owned_tables(stack)]
    return {row["t"]: row["n"] for row in stack.sql(" union all ".join(counts)) if row["n"]}


# MARK: topics, logs and files

def records_with(records, strings):
    """Those of the topics' records that have one of the strings, as (topic, strings)."""
    found = [(record[0], found_in("\n".join(record), strings)) for record in records]
    return [entry for entry in found if entry[1]]


def logs_with(logs, strings):
    return {name: found_in(text, strings) for name, text in logs.items() if found_in(text, strings)}


def files_with(stack, strings):
    """Files of the state folder that name or hold one of the strings; the database's and the broker's own were searched
    by asking them."""
    found = []
    for folder, names, files in os.walk(stack.state):
        names[:] = [name for name in names if name not in ("postgres", "kafka", "models", "logs")]
        for name in files:
            path = os.path.join(folder, name)
            try:
                with open(path, "rb") as file:
                    content = file.read().decode("utf-8", "replace")
            except OSError:
                # It went meanwhile, or is no file to read.
                continue
            if found_in(os.path.relpath(path, stack.state) + content, strings):
                found.append(path)
    return found


def objects_with(stack, strings):
    """Stored objects that name or hold one of the strings, by their path within the state folder."""
    found = []
    for folder, _, names in os.walk(os.path.join(stack.state, "objects")):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), stack.state)
            with open(os.path.join(folder, name), "rb") as file:
                if found_in(file.read().decode("utf-8", "replace") + path, strings):
                    found.append(path)
    return found
