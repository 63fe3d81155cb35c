"""What people do with a deployment, and what its own commands say of it."""
import uuid

from support.api import Refused, User
from support.waiting import wait


def new_user(deployment):
    user = User(deployment.url)
    user.sign_up()
    return user


def report_of(user, session):
    return user.call("GET", f"/v1/reports/{session}")


def admitted(user, session):
    """Waits until a session may be uploaded, and gives it: after 202, quota's decision is on its way."""
    def with_address():
        state = user.session(session)
        return state if "upload" in state else None
    return wait("admitted", with_address, within=60)


def submit(user, media, content_type="video/mp4", **headers):
    """Creates, uploads and finalizes like a patient app; gives the session's id."""
    body = {"kind": "mirrormate", "contentType": content_type, "contentLength": len(media)}
    created = user.call("POST", "/v1/sessions", body, str(uuid.uuid4()), **headers)
    if created.status not in (201, 202):
        raise Refused("creation", created)
    session = created.json["id"]
    uploaded = user.upload(admitted(user, session), media)
    if uploaded.status != 200:
        raise Refused("upload", uploaded)
    final = user.call("POST", f"/v1/sessions/{session}/finalize", {}, **headers)
    if final.status not in (200, 202):
        raise Refused("finalize", final)
    return session


def whole_way(deployment):
    """Sign-up, upload, events and report through the one origin; gives the user and the session's id."""
    user = new_user(deployment)
    session = submit(user, deployment.demo)
    events = list(user.follow(session, within=180))
    assert events and events[-1][2]["status"] == "complete", events[-1:]
    answer = report_of(user, session)
    assert answer.status == 200 and "confidenceScore" in answer.body.decode(), answer
    return user, session


def ledger_agrees(deployment):
    """Logs, topics, watermarks and read models agree, in the words of `mirrormate ledger`."""
    wait("the ledger agrees", lambda: "nothing is lost, doubled or late" in deployment.tool(
        "ledger", "--late", "5", ok=()), within=90, every=2)


def doctor_finds_nothing(deployment):
    wait("the doctor finds nothing", lambda: "nothing is wrong" in deployment.doctor(), within=60, every=2)


def doctor_names(deployment, word):
    """The doctor finds it, and says what to do."""
    said = deployment.doctor("--no-deps", ok=(4,))
    assert word in said, said
