"""Part 3: planted strings are searched for wherever something is kept, and found only in rows that can be deleted; after
their owner's erasure nowhere."""
import os
import re

from checks import wait
from programs import SERVICES

# Where personal content may lie: rows that go with their owner. Everything else must be free of it.
ALLOWED = {
    "identity.profiles": {"name", "email"},
    "identity.credentials": {"email"},
    "reporting.reports": {"speech"},
}

# Words of the demo video that no programmer would use.
SPOKEN = ("dashwood", "leisure", "prudently", "selfish", "disposed", "amiable", "respectable", "married")


def planted(flow):
    """The strings by what they are; each is one that nothing else can contain."""
    words = {word["w"].lower() for word in flow.report["transcript"]["words"]}
    spoken = [word for word in SPOKEN if word in words]
    # A rough recogniser hears other words; then three in a row, as no program writes them.
    runs = re.findall(r"(?=\b([a-z]+ [a-z]+ [a-z]+)\b)", flow.report["transcript"]["text"].lower())
    local, _, domain = flow.speaker.email.partition("@")
    return {"name": flow.speaker.name.split(), "email": [local, domain], "speech": spoken + runs[:5]}


def found_in(text, strings):
    lowered = text.lower()
    return sorted({string for string in strings if string.lower() in lowered
                   or string.encode().hex() in lowered})


def run(checks, stack, flow):
    strings = planted(flow)
    everything = [string for kind in strings.values() for string in kind]
    checks.expect(len(strings["speech"]) >= 3, "the transcript has words to search for", strings["speech"])
    checks.say(f"        {', '.join(everything[:12])} …")
    tables(checks, stack, strings)
    topics_and_logs(checks, stack, flow, everything)
    objects = []
    for folder, _, names in os.walk(os.path.join(stack.state, "objects")):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), stack.state)
            with open(os.path.join(folder, name), "rb") as file:
                if found_in(file.read().decode("utf-8", "replace") + path, everything):
                    objects.append(path)
    checks.equal([path for path in objects if flow.speaker.id not in path], [],
                 "documents lie under their subject only")
    named = [path for path in objects if found_in(path, everything)]
    checks.equal(named, [], "no object's name has personal content")


def erased(checks, stack, flow):
    """The same search after the speaker has erased themselves: no hit anywhere, in whatever is kept."""
    strings = planted(flow)
    who = strings["name"] + strings["email"]
    flow.speaker.sign_in()
    flow.speaker.call("DELETE", "/v1/me")
    wait("the receipt is complete", lambda: flow.speaker.call("GET", "/v1/me/erasure").status == 200)
    receipt = flow.speaker.call("GET", "/v1/me/erasure").json["erasure"]["services"]
    removed = {line["service"]: line["removed"] for line in receipt}
    checks.equal(sorted(removed), sorted(SERVICES), "the receipt says what each service has removed")
    checks.expect(removed["identity"]["rows"] and removed["reporting"]["rows"], "rows here and there", removed)
    # Mails go when their outbox has come to it.
    wait("no file names the speaker", lambda: not files_of(stack, who + [flow.speaker.id]))
    tables(checks, stack, {"name": strings["name"], "email": strings["email"]}, allowed={})
    left = stack.sql(f"select (select count(*) from reporting.reports where owner_id = '{flow.speaker.id}') r, "
                     f"(select count(*) from sessions.session_list where owner_id = '{flow.speaker.id}') s")
    checks.equal(left, [{"r": 0, "s": 0}], "what was said is gone with the reports, and so are the sessions")
    topics_and_logs(checks, stack, flow, who + strings["speech"])


def files_of(stack, strings):
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


def topics_and_logs(checks, stack, flow, everything):
    records = stack.topics()
    checks.expect({record[0] for record in records} == {f"mirrormate.{service}.v1" for service in SERVICES},
                  f"all five topics are read, {len(records)} records", lambda: {record[0] for record in records})
    checks.expect(any(flow.speaker.id in "".join(record) for record in records), "and tell of the speaker's id")
    bad = [(record[0], found_in("\n".join(record), everything)) for record in records]
    checks.equal([entry for entry in bad if entry[1]], [], "no record of a topic has personal content")
    logs = stack.logs()
    wanted = [f"logs/{name}.log" for name in (*SERVICES, "gateway", "postgres")]
    checks.equal([name for name in wanted if not logs.get(name)], [], f"all log files are read, {len(logs)}")
    checks.equal([(name, found_in(text, everything)) for name, text in logs.items() if found_in(text, everything)], [],
                 "no log file has personal content")


def as_text(name, type):
    """SQL for a column's content; bytes as the text that they may be."""
    return f"encode(\"{name}\", 'escape')" if type == "bytea" else f"\"{name}\"::text"


def tables(checks, stack, strings, allowed=ALLOWED):
    """Every column of every table of every service, bytes included."""
    columns = stack.sql(
        "select table_schema s, table_name t, json_agg(json_build_object('name', column_name, 'type', data_type)) c "
        f"from information_schema.columns where table_schema in {SERVICES} group by 1, 2")
    names = sorted(f"{row['s']}.{row['t']}" for row in columns)
    for service in SERVICES:
        checks.expect(f"{service}.events" in names, f"the log of {service} is searched")
    checks.equal([name for name in allowed if name not in names], [], "the allowed tables are there")
    bad, seen = [], set()
    searches = []
    for row in columns:
        texts = [as_text(**column) for column in row["c"]]
        searches.append(f"select '{row['s']}.{row['t']}' n, string_agg(concat_ws(' ', {', '.join(texts)}), ' ') c "
                        f"from {row['s']}.{row['t']}")
    for row in stack.sql(" union all ".join(searches)):
        name, content = row["n"], row["c"] or ""
        for kind, words in strings.items():
            hits = found_in(content, words)
            if not hits:
                continue
            if kind in allowed.get(name, ()):
                seen.add((name, kind))
            else:
                bad.append((name, kind, hits))
    checks.equal(bad, [], f"none of {len(names)} tables has personal content, but the allowed ones")
    wanted = {(name, kind) for name, kinds in allowed.items() for kind in kinds}
    checks.equal(wanted - seen, set(), "the search finds what lies in the allowed ones")
