"""Part 2: many ask for the last unit at once: one hundred requests, and three devices at two instances."""
import collections
import threading
import uuid

from api import User, small_video
from flow import new_user
from checks import wait

# 202: quota's answer took longer than the creation waits; the session says later what became of it.
ALLOWED = {(201, None), (202, None), (409, "session-open"), (429, "quota-exceeded")}


def run(checks, stack, count=100):
    user = new_user(stack)
    media = small_video()
    answers = at_once(count, lambda _: user.create(media))
    one_admitted(checks, stack, user, answers, f"of {count} parallel creations")


def devices(checks, stack, rounds=5):
    """Three devices of one owner, each with a login session of its own, at two instances of sessions."""
    addresses = [service["url"] for service in stack.document["services"] if service["name"].startswith("sessions")]
    checks.equal(len(set(addresses)), 2, "two instances of sessions have addresses of their own")
    media = small_video()
    for number in range(rounds):
        owner = new_user(stack)
        owners = [owner] + [User(stack.url, email=owner.email) for _ in range(2)]
        for device in owners[1:]:
            device.password = owner.password
            device.sign_in()
        checks.equal(len({device.token for device in owners}), 3, "each device has signed in")

        def ask(index):
            # To an instance itself, so that both take part in every round.
            place = User(addresses[index % 2])
            place.token = owners[index].token
            return place.create(media, key=f"{number}-{index}-{uuid.uuid4()}")

        answers = at_once(3, ask)
        one_admitted(checks, stack, owner, answers, f"of three devices' creations, round {number + 1},")
        row, = stack.sql(f"select key s from sessions.session_list where owner_id = '{owner.id}' "
                         "and status = 'awaitingUpload'")
        checks.equal([device.quota()["reserved"] for device in owners], [1, 1, 1], "all devices see the same quota")
        checks.equal(owners[2].call("POST", f"/v1/sessions/{row['s']}/cancel", {}).json["status"], "cancelled",
                     "another device of the owner may cancel it")


def at_once(count, ask):
    """The answers of so many requests that begin together; what failed is an exception."""
    answers = [None] * count
    begin = threading.Barrier(count)

    def one(index):
        begin.wait()
        try:
            answers[index] = ask(index)
        except Exception as error:  # noqa: BLE001 - counted as no answer
            answers[index] = error

    threads = [threading.Thread(daemon=True, target=one, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def one_admitted(checks, stack, user, answers, what):
    count = len(answers)
    kinds = collections.Counter(
        (answer.status, answer.code) if hasattr(answer, "status") else repr(answer) for answer in answers)
    checks.say(f"        {dict(kinds)}")
    admitted = [answer for answer in answers if getattr(answer, "status", None) == 201]
    waiting = [answer for answer in answers if getattr(answer, "status", None) == 202]
    checks.expect(len(admitted) == 1 or not admitted and waiting, f"{what} exactly one is admitted", dict(kinds))
    checks.equal(set(kinds) - ALLOWED, set(), "the others answer 409 session-open or 429, and nothing 5xx")

    def decided():
        rows = stack.sql(f"select status, count(*) from sessions.session_list where owner_id = '{user.id}' group by 1")
        rows = {row["status"]: row["count"] for row in rows}
        return rows if sum(rows.values()) == count and "queued" not in rows else None

    rows = wait("every creation is decided", decided)
    checks.equal(rows, {"awaitingUpload": 1, "refused": count - 1}, "in the end one is open and all others are refused")
    quota = user.quota()
    checks.equal((quota["used"], quota["reserved"]), (0, 1), "quota holds exactly one unit")
    reserved = stack.events("quota", f"type = 'QuotaReserved' and stream = 'allowance-{user.id}'")
    checks.equal(len(reserved), 1, "and was asked for exactly one")
