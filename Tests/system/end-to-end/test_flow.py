"""From sign-up to report and history, and every way in which it must not go."""
import base64
import hashlib
import hmac
import json
import os
import subprocess
import time
import urllib.parse
import uuid
from pathlib import Path

import pytest

from support import places
from support.api import User, send, sha256, small_video
from support.notes import note
from support.report_fields import MEASURED, baseless_advice, parted_values, technical_advice, wrong_fields, wrong_measures
from support.stack import data_of
from support.users import ended, new_user, used
from support.waiting import wait


@pytest.fixture
def stack(measuring_stack):
    return measuring_stack


@pytest.fixture
def user(stack):
    return new_user(stack)


# MARK: the whole way

def test_the_calls_of_the_readme_work_as_they_stand_twice(stack, demo_video, tmp_path):
    text = (Path(__file__).parents[3] / "README.md").read_text()
    script = text.split("## The API in six calls")[1].split("```bash\n")[1].split("```")[0]
    (tmp_path / ".mirrormate").symlink_to(stack.state)
    for _ in range(2):
        done = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", script], cwd=tmp_path, capture_output=True, text=True,
                              env={"PATH": os.environ["PATH"], "VIDEO": os.path.abspath(places.DEMO)}, timeout=300)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr
        report = json.loads(done.stdout.splitlines()[-1])
        assert report["sessionId"] in done.stdout.split("event:")[1] and report["confidenceScore"] is not None, done.stdout[-2000:]


def test_signing_up_gives_tokens_and_one_session_a_day(stack):
    user = User(stack.url)
    answer = user.sign_up()
    assert answer.status == 201, answer
    assert answer.json["tokenType"].lower() == "bearer" and answer.json["expiresIn"] > 0 and answer.json["refreshToken"]
    assert user.sign_in().status == 200, "signing in again works"
    quota = user.quota()
    assert (quota["limit"], quota["used"], quota["reserved"]) == (1, 0, 0)


def test_a_created_session_says_where_to_upload(stack, user, demo_video):
    created = user.create(demo_video, sha256=sha256(demo_video))
    assert created.status == 201, created
    session = created.json
    assert session["status"] == "awaitingUpload" and session["upload"]["url"].startswith(stack.url), session
    assert created.headers.get("location") == f"/v1/sessions/{session['id']}"
    early = user.finalize(session["id"])
    assert (early.status, early.code) == (409, "upload-missing"), "finalizing before the upload is refused"
    uploaded = user.upload(session, demo_video)
    assert (uploaded.status, uploaded.json["sha256"]) == (200, sha256(demo_video)), uploaded
    assert user.finalize(session["id"]).status == 202


def test_events_tell_progress_in_steps_that_never_go_back(speaker):
    note(f"the demo video was analyzed in {speaker.seconds:.1f} s")
    states = [state["status"] for _, _, state in speaker.events]
    assert states and states[-1] == "complete", states
    progress = [state["progress"] for _, _, state in speaker.events]
    assert progress == sorted(progress) and progress[-1] == 1
    ids = [int(number) for number, _, _ in speaker.events]
    assert ids == sorted(ids), "event ids never fall"
    assert len([name for _, name, _ in speaker.events if name == "session"]) >= 4, f"progress comes in steps: {progress}"


STAGES = ["probe", "decode", "transcribe", "voice", "picture", "report"]


def test_events_tell_the_place_in_line_and_then_the_stage(speaker):
    states = [state for _, _, state in speaker.events]
    told = [(state.get("queuePosition"), state.get("stage")) for state in states]
    for state, (place, stage) in zip(states, told):
        assert (state["status"] == "processing") == ((place is None) != (stage is None)), state
    stages = [stage for _, stage in told if stage]
    assert stages and stages == sorted(stages, key=STAGES.index), "stages never go back"
    for (number, _, state), (following, _, other) in zip(speaker.events, speaker.events[1:]):
        assert number != following or state["queuePosition"] != other["queuePosition"], "an id comes again for another place alone"


def test_events_taken_up_at_their_end_repeat_nothing_old(speaker):
    last = list(speaker.user.follow(speaker.session, last=int(speaker.events[-1][0])))
    assert len(last) <= 1, last


def test_the_report_has_every_field_with_its_type(speaker):
    assert wrong_fields(speaker.report) == {}


def test_every_field_of_the_report_has_its_measure(speaker):
    report = speaker.report
    assert [name for name in MEASURED if name not in report["measures"]] == []
    assert wrong_measures(report) == {}
    assert parted_values(report) == [], "a plain field is null exactly when its measure is not valid"


def test_the_score_and_the_advice_rest_on_measures(speaker):
    report = speaker.report
    weights = [measure["weight"] for measure in report["measures"].values() if "weight" in measure]
    assert report["confidenceScore"] is None or abs(sum(weights) - 100) < 0.01, f"the weights make 100: {weights}"
    shares = [part["share"] for part in report["scoreParts"]]
    assert report["confidenceScore"] is None or abs(sum(shares) - 100) < 0.01, f"the shares make 100: {shares}"
    assert baseless_advice(report) == []
    assert technical_advice(report) == []


def test_the_report_is_not_sent_again_to_who_has_it(speaker):
    etag = speaker.report_answer.headers.get("etag", "")
    again = speaker.user.call("GET", f"/v1/reports/{speaker.session}", **{"If-None-Match": etag})
    assert again.status == 304, (etag, again)


def test_history_and_list_have_the_session(speaker):
    history = wait("the report in the history", lambda: speaker.user.call("GET", "/v1/reports").json["items"])
    assert [(item["sessionId"], item["confidenceScore"]) for item in history] == [
        (speaker.session, speaker.report["confidenceScore"])]
    sessions = wait("the session in the list", lambda: [
        item for item in speaker.user.call("GET", "/v1/sessions").json["items"] if item["status"] == "complete"])
    assert [item["id"] for item in sessions] == [speaker.session]


def test_a_second_session_of_the_day_is_refused_until_tomorrow(speaker, demo_video):
    quota = used(speaker.user, 1)
    assert (quota["limit"], quota["remaining"]) == (1, 0) and quota["resetsAt"], quota
    second = speaker.user.create(demo_video)
    assert (second.status, second.code) == (429, "quota-exceeded"), second
    assert second.json.get("resetsAt") and int(second.headers["retry-after"]) > 0, second


# MARK: failures cost nothing

def test_an_unreadable_upload_ends_in_an_error_and_costs_nothing(user):
    broken = small_video() + os.urandom(60_000)
    session = ended(user, user.send_video(broken))
    assert session["status"] == "error", session
    assert (session["error"]["code"], session["error"]["retryable"]) == ("unreadable", False)
    assert used(user, 0), "its unit is given back"
    assert user.create(broken).status == 201, "so that another session is admitted"


def test_one_session_is_open_at_a_time_unless_it_is_replaced(user):
    media = small_video()
    created = user.create(media)
    assert created.status == 201, created
    held = user.create(media)
    assert (held.status, held.code) == (409, "session-open"), held
    assert held.json["heldBy"]["sessionId"] == created.json["id"]
    replacing = user.create(media, replaces=created.json["id"])
    assert replacing.status == 201, replacing
    assert user.session(created.json["id"])["status"] == "cancelled", "the replaced one"


def test_a_cancelled_session_costs_nothing(user):
    session = user.create(small_video()).json["id"]
    cancelled = user.call("POST", f"/v1/sessions/{session}/cancel", {})
    assert cancelled.json["status"] == "cancelled", cancelled
    assert used(user, 0), "its unit is given back"
    again = user.call("POST", f"/v1/sessions/{session}/cancel", {})
    assert again.status in (200, 409), f"cancelling twice does no harm: {again}"


def test_a_deleted_session_is_unknown(user):
    session = user.create(small_video()).json["id"]
    user.call("POST", f"/v1/sessions/{session}/cancel", {})
    assert user.call("DELETE", f"/v1/sessions/{session}").status == 204
    assert user.call("GET", f"/v1/sessions/{session}").status == 404


# MARK: repeats

def test_a_repeated_creation_gives_the_same_session(stack, user):
    media, key = small_video(), str(uuid.uuid4())
    first, second = user.create(media, key=key), user.create(media, key=key)
    assert (first.status, second.status) == (201, 201), (first, second)
    assert first.json["id"] == second.json["id"]
    user.call("POST", f"/v1/sessions/{first.json['id']}/cancel", {})
    late = user.create(media, key=key)
    assert late.status in (200, 201) and late.json["id"] == first.json["id"], f"also after the end: {late}"
    created = stack.events("sessions", f"type = 'SessionCreated' and data->>'ownerId' = '{user.id}'")
    assert len(created) == 1


def test_a_key_with_another_body_is_refused(user):
    media, key = small_video(), str(uuid.uuid4())
    assert user.create(media, key=key).status == 201
    other = user.create(media + b"x", key=key)
    assert (other.status, other.code) == (422, "idempotency-key-reused"), other


# MARK: strangers

@pytest.mark.parametrize("method, path", [
    ("GET", ""), ("GET", "/events"), ("POST", "/finalize"), ("POST", "/cancel"), ("DELETE", "")],
    ids=["reading", "following", "finalizing", "cancelling", "deleting"])
def test_somebody_elses_session_is_like_an_unknown_one(speaker, user, method, path):
    body = {} if method == "POST" else None
    answer = user.call(method, f"/v1/sessions/{speaker.session}{path}", body)
    unknown = user.call(method, f"/v1/sessions/{uuid.uuid4()}{path}", body)
    assert (answer.status, answer.code) == (404, "not-found"), answer
    assert (unknown.status, unknown.code) == (404, "not-found"), unknown
    assert speaker.user.session(speaker.session)["status"] == "complete", "and nothing of it changed the session"


def test_a_stranger_sees_and_replaces_nothing_of_others(speaker, user):
    answer = user.call("GET", f"/v1/reports/{speaker.session}")
    assert (answer.status, answer.code) == (404, "not-found"), answer
    replacing = user.create(small_video(), replaces=speaker.session)
    assert replacing.status in (404, 409), replacing
    assert user.call("GET", "/v1/reports").json["items"] == []
    assert user.call("GET", "/v1/sessions").json["items"] == []
    assert speaker.user.session(speaker.session)["status"] == "complete"


@pytest.mark.parametrize("what", ["no token", "a broken token", "a forged token"])
def test_only_tokens_of_identity_are_good(speaker, user, what):
    forged = speaker.user.token[:-6] + "AAAAAA"
    user.token = {"no token": "", "a broken token": "x.y.z", "a forged token": forged}[what]
    for path in ("/v1/me", "/v1/quota", "/v1/sessions", "/v1/reports", f"/v1/sessions/{speaker.session}"):
        answer = user.call("GET", path)
        assert answer.status == 401 and answer.code, (path, answer)


# MARK: uploads

class Upload:
    """A session that awaits an upload, and its address."""

    def __init__(self, stack, user):
        self.stack = stack
        self.user = user
        self.media = small_video()
        self.session = user.create(self.media, sha256=sha256(self.media)).json
        self.address = self.session["upload"]["url"]
        self.parts = urllib.parse.urlsplit(self.address)
        self.query = dict(urllib.parse.parse_qsl(self.parts.query))

    def put(self, address, body):
        answer = send(address, "PUT", address, body, {"Content-Type": "video/mp4"})
        return answer.status, answer.code

    def with_query(self, expires, signature):
        query = urllib.parse.urlencode({"expires": expires, "signature": signature})
        return urllib.parse.urlunsplit(self.parts._replace(query=query))

    def sign(self, expires):
        """The address's signature, made with the server's own key: only its time is wrong."""
        with open(os.path.join(self.stack.state, "secrets", "upload-key"), "rb") as file:
            key = file.read().strip()
        mac = hmac.new(key, f"PUT /v1/uploads/{self.session['id']} {expires}".encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(mac).rstrip(b"=").decode()

    def nothing_was_kept(self):
        assert self.user.finalize(self.session["id"]).code == "upload-missing", "nothing of these was kept"
        assert self.user.upload(self.session, self.media).status == 200, "the right bytes are taken"


@pytest.fixture
def upload(stack, user):
    return Upload(stack, user)


def test_an_upload_is_exactly_what_was_announced(upload):
    media = upload.media
    for what, body, refusal in (
            ("a byte too many", media + b"x", (422, "upload-mismatch")),
            ("a byte too few", media[:-1], (422, "upload-mismatch")),
            ("another hash", b"x" + media[1:], (422, "upload-mismatch")),
            ("the bytes of no video", os.urandom(len(media)), (415, "media-type-mismatch"))):
        assert upload.put(upload.address, body) == refusal, what
    upload.nothing_was_kept()


def test_an_upload_address_is_good_for_its_session_and_time_alone(upload):
    past = int(time.time()) - 1
    for what, address, refusal in (
            ("a stretched time", upload.with_query(int(upload.query["expires"]) + 60, upload.query["signature"]),
             (403, "upload-address-invalid")),
            ("an expired address", upload.with_query(past, upload.sign(past)), (403, "upload-address-expired")),
            ("another session's id", upload.address.replace(upload.session["id"], str(uuid.uuid4())),
             (403, "upload-address-invalid"))):
        assert upload.put(address, upload.media) == refusal, what
    upload.nothing_was_kept()


def test_a_session_that_has_ended_takes_no_upload(upload, user):
    assert user.upload(upload.session, upload.media).status == 200
    user.call("POST", f"/v1/sessions/{upload.session['id']}/cancel", {})
    assert upload.put(upload.address, upload.media) in ((409, "ended"), (409, "session-ended"))


# MARK: mistakes

WRONG = {
    "an unknown type": (415, {"contentType": "image/png"}),
    "too large a file": (413, {"contentLength": 104_857_601}),
    "no length": (400, {"contentLength": None}),
    "an unknown kind": (422, {"kind": "teleport"}),
    "an unknown member": (422, {"colour": "red"}),
    "a broken hash": (400, {"sha256": "abc"}),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_creation_says_what_to_do(user, what):
    status, body = WRONG[what]
    wish = {"kind": "mirrormate", "contentType": "video/mp4", "contentLength": 10, **body}
    answer = user.call("POST", "/v1/sessions", wish, str(uuid.uuid4()))
    assert answer.status == status and answer.code and answer.json.get("detail"), answer


def test_a_creation_without_a_key_or_with_broken_json_is_refused(user):
    wish = {"kind": "mirrormate", "contentType": "video/mp4", "contentLength": 1}
    keyless = user.call("POST", "/v1/sessions", wish)
    assert (keyless.status, keyless.code) == (400, "idempotency-key-missing"), keyless
    bad = user.call("POST", "/v1/sessions", b"{", str(uuid.uuid4()), **{"Content-Type": "application/json"})
    assert bad.status == 400 and bad.code, bad


def test_an_unknown_path_is_a_problem_document(stack):
    lost = send(stack.url, "GET", "/v1/nothing")
    assert (lost.status, lost.code) == (404, "not-found"), lost


def test_an_address_belongs_to_one_account_and_one_password(stack, user):
    taken = {"email": user.email.upper(), "password": f"a long one {uuid.uuid4().hex}"}
    answer = send(stack.url, "POST", "/v1/auth/sign-up", taken)
    assert answer.status == 409 and answer.code, answer
    wrong = send(stack.url, "POST", "/v1/auth/sign-in", {"email": user.email, "password": "wrong" * 3})
    assert wrong.status == 401 and wrong.code, wrong


# MARK: operators and devices

def test_operators_grant_units_and_change_plans(stack, user):
    """What quota says then is what the next creation gets."""
    def operator(*words):
        code, out, notes = stack.command(*words, "--json")
        assert code == 0, notes
        return data_of(out)

    def admitted():
        created = user.create(small_video())
        if created.status == 201:
            user.call("POST", f"/v1/sessions/{created.json['id']}/cancel", {})
        return created.status == 201

    standing = operator("quota", "grant", user.email, "--units", "2")
    assert (standing.get("remaining"), user.quota()["remaining"]) == (3, 3), "two units more are there at once"
    first, second = user.create(small_video()), user.create(small_video())
    assert (first.status, second.status) == (201, 201), "and two sessions may be open"
    assert operator("plan", user.email, "premium").get("remaining") is None, "premium has no limit"
    assert all(admitted() for _ in range(3)), "and everything is admitted"
    assert operator("plan", user.email, "free").get("plan") == "free", "the plan can be taken back"


def test_operators_are_told_of_an_unknown_address(stack):
    code, _, notes = stack.command("quota", "grant", "nobody@example.org")
    assert code != 0 and "account-unknown" in notes


def test_what_a_device_used_is_still_used_after_its_owner_has_signed_up(stack):
    device = User(stack.url)
    answer = send(stack.url, "POST", "/v1/auth/device", {"deviceId": uuid.uuid4().hex})
    assert answer.status in (200, 201), answer
    device.token = answer.json["accessToken"]
    created = device.create(small_video())
    assert created.status == 201, f"it has one a day: {created}"
    signed = device.call("POST", "/v1/auth/sign-up", {"email": device.email, "password": device.password})
    assert (signed.status, signed.json["user"]["id"]) == (201, answer.json["user"]["id"]), "signing up keeps the user"
    device.token = signed.json["accessToken"]
    assert device.quota()["reserved"] == 1
    second = device.create(small_video())
    assert (second.status, second.code) == (409, "session-open"), second
    assert second.json["heldBy"]["sessionId"] == created.json["id"]
