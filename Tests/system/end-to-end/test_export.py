"""Everything that the platform has of somebody, in one archive: asked for, checked with other programs, removed."""
import csv
import hashlib
import io
import json
import os
import uuid
import zipfile

import pytest

from support import object_server
from support.api import send, small_video
from support.mails import code, mail_with
from support.personal import objects_with
from support.users import ended, new_user
from support.waiting import wait

PARTS = ("identity", "sessions", "quota", "reporting")


@pytest.fixture
def user(stack):
    """Somebody of whom every service has something."""
    user = new_user(stack, name=f"=Quixwell {uuid.uuid4().hex[:8]}")
    assert user.call("PUT", "/v1/retention", {"keepMediaDays": 7}).status == 200
    user.video = small_video()
    user.sent = user.send_video(user.video)
    assert ended(user, user.sent)["status"] == "complete"
    assert user.call("POST", "/v1/goals", {"measure": "eyeContactPct", "atLeast": 0.5, "recordings": 50}).status == 201
    assert user.call("PATCH", "/v1/practice/settings", {"graceMinutes": 60}).status == 200
    assert user.call("POST", f"/v1/reports/{user.sent}/shares", {"firstName": "Ada"}).status == 201
    return user


def ask(user, key=None):
    answer = user.call("POST", "/v1/exports", {}, key=key)
    assert answer.status == 202, answer
    return answer.json["id"]


def ready(user, export, within=60):
    def state():
        answer = user.call("GET", f"/v1/exports/{export}")
        assert answer.status in (200, 503), answer
        found = answer.json
        assert found.get("state") != "failed", found
        return found if found.get("state") == "ready" else None
    return wait(f"export {export} is ready", state, within=within)


def fetch(user, found):
    answer = send(user.url, "GET", found["archive"]["url"])
    assert answer.status == 200 and answer.headers["content-type"] == "application/zip", answer
    return zipfile.ZipFile(io.BytesIO(answer.body))


def table(archive, name):
    return json.loads(archive.read(f"{name}.json"))["rows"]


def objects_of(stack, export):
    """The objects of an export in all services, as their rows announce them."""
    return [row["k"] for row in stack.sql(" union all ".join(
        f"select object_key k from {service}.object_intents where purpose = 'export {export}'" for service in PARTS))]


def test_an_archive_has_everything_and_says_how_to_check_and_read_it(stack, user):
    archive = fetch(user, ready(user, ask(user)))
    assert archive.testzip() is None, "every checksum of the archive itself holds"
    manifest = json.loads(archive.read("manifest.json"))
    listed = {file["name"]: file for file in manifest["files"]}
    assert set(archive.namelist()) == set(listed) | {"manifest.json"}, "nothing is unlisted, nothing is missing"
    for name, file in listed.items():
        content = archive.read(name)
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file["sizeBytes"], file["sha256"]), name
    assert manifest["services"] == list(PARTS) and manifest["userId"] == user.id
    assert {name.split("/")[0] for name in listed} == {"README.txt", *PARTS}

    profile, = table(archive, "identity/profile")
    assert (profile["email"], profile["displayName"]) == (user.email, user.name)
    assert [row["id"] for row in table(archive, "sessions/sessions")] == [user.sent]
    report, = table(archive, "reporting/reports")
    assert report["sessionId"] == user.sent and report["content"] and report["madeBy"] == "software"
    assert report["recordingKeptUntil"], "the recording is kept, and said to be"
    shown = user.call("GET", f"/v1/reports/{user.sent}").json
    assert {name: shown[name] for name in report["content"]} == report["content"], "the whole report"
    figures, = table(archive, "reporting/progress")
    assert (figures["rulesVersion"], figures["confidenceScore"]) == (shown["rulesVersion"], shown["confidenceScore"])
    assert figures["engines"] and figures["measures"]["confidenceScore"]["valid"], figures
    assert [(row["measure"], row["standing"]) for row in table(archive, "reporting/goals")] == [("eyeContactPct", "open")]
    assert [row["graceMinutes"] for row in table(archive, "reporting/streak-settings")] == [60]
    card, = table(archive, "reporting/shares")
    assert (card["sessionId"], card["card"]["firstName"]) == (user.sent, "Ada")
    assert table(archive, "sessions/retention") == [{"keepMediaDays": 7}]
    sent, = table(archive, "sessions/sessions")
    assert archive.read(f"sessions/{sent['recording']}") == user.video, "and the recording itself"
    assert [row["what"] for row in table(archive, "quota/allowance-history")] == ["QuotaReserved", "QuotaCommitted"]
    usage = json.loads(archive.read("reporting/usage-total.json"))
    assert usage["sessionsAnalyzed"] == 1 and usage["bytesUploaded"] > 0
    shown = user.call("GET", "/v1/usage").json
    assert {name: shown[name] for name in usage} == usage
    everything = b"".join(archive.read(name) for name in archive.namelist())
    assert b"argon2" not in everything and user.password.encode() not in everything and user.token.encode() not in everything


def test_tables_are_read_by_what_reads_json_schemas_and_csv(user):
    archive = fetch(user, ready(user, ask(user)))
    forms = os.path.join(os.path.dirname(__file__), "..", "..", "..", "docs", "schemas")
    schemas = [name for name in archive.namelist() if name.endswith(".schema.json")]
    assert len(schemas) >= 10, schemas
    try:
        import jsonschema
    except ImportError:
        jsonschema = None
    if jsonschema:
        with open(os.path.join(forms, "export-manifest.v1.json"), encoding="utf-8") as file:
            jsonschema.validate(json.loads(archive.read("manifest.json")), json.load(file))
    for name in schemas:
        schema, stem = json.loads(archive.read(name)), name.removesuffix(".schema.json")
        document = json.loads(archive.read(f"{stem}.json"))
        columns = schema["properties"]["rows"]["items"]["required"]
        if jsonschema:
            jsonschema.validate(document, schema)
            with open(os.path.join(forms, "export-table.v1.json"), encoding="utf-8") as file:
                jsonschema.validate(document, json.load(file))
        assert all(list(row) == columns for row in document["rows"]), stem
        if f"{stem}.csv" in archive.namelist():
            lines = list(csv.reader(io.StringIO(archive.read(f"{stem}.csv").decode(), newline="")))
            assert lines[0] == columns and len(lines) == len(document["rows"]) + 1, stem
    lines = list(csv.DictReader(io.StringIO(archive.read("identity/profile.csv").decode(), newline="")))
    assert lines[0]["displayName"] == "'" + user.name, "no spreadsheet runs a name"


def test_a_stranger_and_a_guess_are_told_nothing(stack, user):
    export = ask(user)
    url = ready(user, export)["archive"]["url"]
    stranger = new_user(stack)
    unknown = stranger.call("GET", f"/v1/exports/{uuid.uuid4()}")
    others = [stranger.call("GET", f"/v1/exports/{export}"), stranger.call("DELETE", f"/v1/exports/{export}"),
              send(stack.url, "GET", url[:-1] + ("A" if url[-1] != "A" else "B")),
              send(stack.url, "GET", url.replace(export, str(uuid.uuid4()))),
              send(stack.url, "GET", f"/v1/exports/{export}/archive")]
    assert [(answer.status, answer.code) for answer in others] == [(unknown.status, unknown.code)] * 5 == [(404, "not-found")] * 5
    assert stranger.call("GET", "/v1/exports").json["items"] == []
    assert send(stack.url, "GET", url).status == 200, "the address itself is good"
    signature = url.rpartition("signature=")[2]
    assert [name for name, text in stack.logs().items() if signature in text] == [], "and stands in no log"


def test_the_owner_hears_of_it_by_mail_and_a_part_ends_by_itself(stack, user):
    token = code(mail_with(stack, user, "Confirm your address"))
    assert send(stack.url, "POST", "/v1/auth/verify-email", {"token": token}).status == 204
    export = ask(user)
    mail = mail_with(stack, user, "Somebody asked for everything in your account")
    assert f"To: {user.email}" in mail
    ready(user, export)
    for service in PARTS:
        rows = stack.sql(f"""select count(*) n, count(*) filter (where kept_until < now() + interval '4 days') bounded
            from {service}.object_intents where purpose = 'export {export}'""")
        assert rows[0]["n"] > 0 and rows[0]["bounded"] == rows[0]["n"], (service, rows)


def test_one_is_open_at_a_time_and_a_repeat_is_the_same(user):
    key = uuid.uuid4().hex
    export = ask(user, key)
    assert ask(user, key) == export
    ready(user, export)
    assert user.call("DELETE", f"/v1/exports/{export}").status == 204
    assert user.call("GET", f"/v1/exports/{export}").json["state"] == "deleted"


@pytest.mark.parametrize("service", PARTS)
def test_an_export_is_finished_although_a_service_dies_by_kill_9(stack, user, service):
    others = "reporting" if service != "reporting" else "identity"
    # Whoever dies before is asked when it is back; reporting itself has written down what it waits for.
    if service == "reporting":
        stack.kill(others)
        export = ask(user)
        stack.kill(service)
    else:
        stack.kill(service)
        export = ask(user)
        wait("the others have answered", lambda: len([
            part for part in user.call("GET", f"/v1/exports/{export}").json["services"] if part["state"] == "done"]) == 3)
        assert user.call("GET", f"/v1/exports/{export}").json["state"] == "open", "one part is missing"
    stack.up()
    archive = fetch(user, ready(user, export))
    assert archive.testzip() is None
    assert {name.split("/")[0] for name in archive.namelist()} == {"README.txt", "manifest.json", *PARTS}


def test_nothing_of_an_export_is_left_when_it_is_deleted_or_its_owner_erased(stack, user):
    export = ask(user)
    url = ready(user, export)["archive"]["url"]
    assert {key.split("/")[0] for key in objects_of(stack, export)} == {f"export-{part}" for part in PARTS}
    assert user.call("DELETE", f"/v1/exports/{export}").status == 204
    assert send(stack.url, "GET", url).status == 404
    wait("its objects are removed", lambda: not objects_of(stack, export))

    export = ask(user)
    url = ready(user, export)["archive"]["url"]
    if not (object_server.wanted() or os.environ.get("OBJECT_STORE")):
        assert objects_with(stack, [user.email]), "the search finds the address in what was written"
    assert user.erase().status in (200, 202)
    wait("the receipt is complete", lambda: user.call("GET", "/v1/me/erasure").status == 200)
    wait("its objects are removed", lambda: not objects_of(stack, export))
    assert objects_with(stack, [user.email]) == [] and send(stack.url, "GET", url).status == 404
    assert stack.sql(f"select count(*) n from reporting.open_exports where owner_id = '{user.id}'") == [{"n": 0}]
