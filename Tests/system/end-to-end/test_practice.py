"""Meditations, logged by somebody who has no network now and then: every day counts once, whatever dies meanwhile."""
import csv
import datetime
import io
import random
import uuid

import pytest

from support.api import User, send
from support.users import new_user
from support.waiting import wait


@pytest.fixture
def user(stack):
    return new_user(stack)


def utc(text):
    return datetime.datetime.fromisoformat(text)


def now():
    return datetime.datetime.now(datetime.timezone.utc)


def telling(days_ago=0, hour=12, minutes=20, zone="UTC", identity=None):
    """A session on the day so many days ago, at an hour that is over everywhere when it is not today."""
    if days_ago:
        start = (now() - datetime.timedelta(days=days_ago)).replace(hour=hour, minute=0, second=0, microsecond=0)
    else:
        start = now() - datetime.timedelta(minutes=minutes + 1)
    return {
        "id": identity or str(uuid.uuid4()), "kind": "meditation", "startedAt": start.isoformat(),
        "endedAt": (start + datetime.timedelta(minutes=minutes)).isoformat(), "activeSeconds": minutes * 60,
        "timeZone": zone,
    }


def streak(user):
    answer = user.call("GET", "/v1/practice/streak?timeZone=UTC")
    assert answer.status == 200, answer
    return answer.json


def test_a_month_that_was_kept_without_network_comes_in_one_batch_and_makes_a_streak(stack, user):
    sessions = [telling(day) for day in range(1, 31)]
    random.Random(7).shuffle(sessions)
    future = telling(0)
    future["endedAt"] = (now() + datetime.timedelta(hours=1)).isoformat()
    answer = user.call("POST", "/v1/practice/sessions/batch", {"sessions": [*sessions, future]})
    assert answer.status == 200, answer
    verdicts = answer.json["verdicts"]
    assert [verdict["status"] for verdict in verdicts] == [201] * 30 + [422]
    assert verdicts[-1]["problem"]["code"] == "practice-in-future"
    again = user.call("POST", "/v1/practice/sessions/batch", {"sessions": sessions})
    assert [v["session"] for v in again.json["verdicts"]] == [v["session"] for v in verdicts[:30]], "a repeat changes nothing"
    wait("the streak is there", lambda: streak(user)["currentStreak"] == 30)
    found = streak(user)
    assert (found["longestStreak"], found["practisedDays"], found["practisedToday"]) == (30, 30, False)
    assert utc(found["atRiskUntil"]) > now()
    reached = wait("the milestones are told", lambda: [m["streakDays"] for m in streak(user)["milestones"]][-1:] == [30])
    assert reached
    assert [m["streakDays"] for m in streak(user)["milestones"]] == [7, 14, 21, 28, 30]
    analytics = user.call("GET", "/v1/practice/analytics?range=1m&timeZone=UTC").json
    assert set(analytics["dailyTotals"].values()) == {1200}
    assert analytics["summary"]["longestStreak"] == 30


def test_nobody_sees_the_sessions_of_another(stack, user):
    mine = telling(1)
    assert user.call("POST", "/v1/practice/sessions", mine).status == 201
    stranger = new_user(stack)
    path = f"/v1/practice/sessions/{mine['id']}"
    assert [stranger.call(*words).status for words in (("GET", path), ("PUT", path, telling(1)), ("DELETE", path))] == [404] * 3
    assert stranger.call("GET", "/v1/practice/sessions").json["items"] == []
    assert stranger.call("GET", "/v1/practice/export").json == {"sessions": []}
    assert streak(stranger)["practisedDays"] == 0
    assert send(stack.url, "GET", "/v1/practice/streak").status == 401


def test_corrections_and_deletions_count_although_reporting_dies_by_kill_9(stack, user):
    sessions = {day: telling(day) for day in range(1, 11)}
    for day, session in sessions.items():
        assert user.call("POST", "/v1/practice/sessions", session).status == 201
        if day == 4:
            stack.kill("reporting")
    path = "/v1/practice/sessions/"
    # One goes, one moves to a day that has one already, one becomes shorter, while nobody counts.
    assert user.call("DELETE", path + sessions[5]["id"]).status == 204
    moved = dict(telling(9), id=sessions[7]["id"])
    assert user.call("PUT", path + moved["id"], moved).status == 200
    shorter = dict(sessions[1], activeSeconds=60)
    assert user.call("PUT", path + shorter["id"], shorter).status == 200
    stack.up()

    def settled():
        answer = user.call("GET", "/v1/practice/analytics?range=1m&timeZone=UTC")
        days = answer.json["dailyTotals"] if answer.status == 200 else {}
        return answer.json if len(days) == 8 and min(days.values()) == 60 else None
    analytics = wait("all is counted", settled)
    assert analytics["summary"]["sessions"] == 9
    wait("the streak is of four days", lambda: streak(user)["currentStreak"] == 4)
    # Days 10, 9 and 8; then 6 alone; then 4 to 1.
    assert streak(user)["longestStreak"] == 4
    code, out, notes = stack.command("check", "reporting/practice_days")
    assert code == 0, (out, notes)


def test_a_freeze_and_the_grace_are_ones_own(stack, user):
    for day in (1, 2, 4, 5):
        assert user.call("POST", "/v1/practice/sessions", telling(day)).status == 201
    wait("all is counted", lambda: streak(user)["practisedDays"] == 4)
    assert streak(user)["currentStreak"] == 2
    day = (now() - datetime.timedelta(days=3)).date().isoformat()
    assert user.call("PUT", f"/v1/practice/freezes/{day}?timeZone=UTC").status == 200
    assert (streak(user)["currentStreak"], streak(user)["practisedDays"]) == (4, 4)
    assert user.call("PATCH", "/v1/practice/settings", {"graceMinutes": 60}).json["graceMinutes"] == 60
    code, out, notes = stack.command("explain", "streak", user.id)
    assert code == 0, notes
    assert "frozen" in out and "streak 4 days" in out, out


def test_the_history_of_a_device_is_that_of_the_account_that_it_becomes(stack):
    device = send(stack.url, "POST", "/v1/auth/device", {"deviceId": str(uuid.uuid4()), "timeZone": "Europe/Berlin"})
    assert device.status == 201, device
    guest = User(stack.url)
    guest.token, guest.id = device.json["accessToken"], device.json["user"]["id"]
    sessions = [telling(day) for day in (1, 2, 3)]
    for session in sessions:
        assert guest.call("POST", "/v1/practice/sessions", session).status == 201
    account = guest.call("POST", "/v1/auth/sign-up", {"email": guest.email, "password": guest.password})
    assert account.status == 201, account
    guest.token = account.json["accessToken"]
    assert account.json["user"]["id"] == guest.id, "the device's user is the account's"
    wait("the streak is the device's", lambda: streak(guest)["currentStreak"] == 3)
    # Another service's list than the streak's.
    wait("all of it is listed", lambda: logged(guest) == sorted(session["id"] for session in sessions))
    exported = guest.call("GET", "/v1/practice/export?format=csv")
    assert exported.status == 200, exported
    rows = list(csv.DictReader(io.StringIO(exported.body.decode())))
    assert {row["id"] for row in rows} == {session["id"] for session in sessions}


def test_the_history_of_a_device_comes_to_the_account_that_its_bearer_signs_in_to(stack, user):
    """Some of it is on its way while sessions is dead; the device's secret alone shows whose it is."""
    shown = {"deviceId": str(uuid.uuid4())}
    device = send(stack.url, "POST", "/v1/auth/device", shown)
    assert device.status == 201, device
    shown["deviceSecret"] = device.json["deviceSecret"]
    guest = User(stack.url)
    guest.token, guest.id = device.json["accessToken"], device.json["user"]["id"]
    for day in (1, 2):
        assert user.call("POST", "/v1/practice/sessions", telling(day)).status == 201
    both = telling(2, hour=15)
    assert user.call("POST", "/v1/practice/sessions", both).status == 201
    sessions = [telling(day) for day in (3, 4, 5)]
    for session in [*sessions, dict(both, id=str(uuid.uuid4()))]:
        assert guest.call("POST", "/v1/practice/sessions", session).status == 201
    wait("the streaks are two", lambda: (streak(user)["currentStreak"], streak(guest)["longestStreak"]) == (2, 4))
    stack.kill("sessions")
    entered = send(stack.url, "POST", "/v1/auth/sign-in", {"email": user.email, "password": user.password, **shown})
    assert entered.status == 200, entered
    stack.up()
    wait("the streak is one", lambda: streak(user)["currentStreak"] == 5)
    wait("the device has nothing", lambda: guest.call("GET", "/v1/practice/sessions").json["items"] == [])

    def listed():
        items = user.call("GET", "/v1/practice/sessions?limit=100").json["items"]
        return items if len(items) == 6 else None
    items = wait("the account has all, and the same sitting once", listed)
    assert {session["id"] for session in sessions} < {item["id"] for item in items}
    assert user.call("POST", "/v1/practice/sessions", sessions[0]).status == 201, "it is the account's own now"
    assert user.call("DELETE", "/v1/practice/sessions/" + sessions[0]["id"]).status == 204
    wait("the deletion counts", lambda: streak(user)["currentStreak"] == 2)
    again = send(stack.url, "POST", "/v1/auth/sign-in", {"email": user.email, "password": user.password, **shown})
    assert again.status == 200, again
    erased = user.erase()
    assert erased.status in (200, 202), erased
    assert guest.call("GET", "/v1/practice/sessions").json["items"] == []


def new_device(stack):
    """An anonymous device, and what shows it in a sign-in."""
    shown = {"deviceId": str(uuid.uuid4())}
    answer = send(stack.url, "POST", "/v1/auth/device", shown)
    assert answer.status == 201, answer
    guest = User(stack.url)
    guest.token, guest.id = answer.json["accessToken"], answer.json["user"]["id"]
    return guest, dict(shown, deviceSecret=answer.json["deviceSecret"])


def log_all(user, sessions):
    """Logs many, and asserts that each was taken."""
    for start in range(0, len(sessions), 500):
        part = sessions[start:start + 500]
        answer = user.call("POST", "/v1/practice/sessions/batch", {"sessions": part})
        assert answer.status == 200, answer
        assert [verdict["status"] for verdict in answer.json["verdicts"]] == [201] * len(part)


def logged(user):
    """The ids of all sessions that somebody has."""
    answer = user.call("GET", "/v1/practice/export")
    assert answer.status == 200, answer
    return sorted(session["id"] for session in answer.json["sessions"])


def sign_in(stack, user, shown):
    answer = send(stack.url, "POST", "/v1/auth/sign-in", {"email": user.email, "password": user.password, **shown})
    assert answer.status == 200, answer


def finished(stack, guest):
    """What came of a device's hand-overs that are finished, in their order."""
    rows = stack.sql("select data from sessions.events where type = 'PracticeHandoverFinished' "
                     f"and data ->> 'deviceId' = '{guest.id}' order by position")
    return [{name: row["data"][name] for name in ("moved", "deleted", "kept")} for row in rows]


def test_each_session_of_a_device_has_the_fate_that_is_stated(stack, user):
    guest, shown = new_device(stack)

    def ending(session, minutes):
        """The same beginning, another end."""
        start = datetime.datetime.fromisoformat(session["startedAt"])
        return dict(session, id=str(uuid.uuid4()), endedAt=(start + datetime.timedelta(minutes=minutes)).isoformat(), activeSeconds=60 * minutes)
    plain, mine, changed, gone = telling(2), telling(3), telling(4), telling(5)
    same, overlapping = dict(mine, id=str(uuid.uuid4())), ending(mine, 25)
    twice = [telling(6), None]
    twice[1] = dict(twice[0], id=str(uuid.uuid4()))
    # The account's day is full: of three there the one that it has told, too, counts once, and two stay.
    full = [ending(telling(8), minute + 1) for minute in range(100)]
    known, extra, other = dict(full[7], id=str(uuid.uuid4())), ending(telling(8, hour=15), 7), ending(telling(8, hour=16), 7)
    log_all(user, [mine, *full])
    log_all(guest, [plain, changed, gone, same, overlapping, *twice, known, extra, other])
    # An id is one person's.
    for body in (plain, dict(plain, activeSeconds=60)):
        taken = user.call("POST", "/v1/practice/sessions", body)
        assert (taken.status, taken.code) == (409, "practice-exists"), taken
    shorter = dict(changed, activeSeconds=60)
    assert guest.call("PUT", f"/v1/practice/sessions/{changed['id']}", shorter).status == 200
    assert guest.call("DELETE", f"/v1/practice/sessions/{gone['id']}").status == 204
    sign_in(stack, user, shown)
    wait("the hand-over is finished", lambda: finished(stack, guest))
    assert finished(stack, guest) == [{"moved": 4, "deleted": 3, "kept": 2}]
    wait("what stays is the device's", lambda: logged(guest) == sorted([extra["id"], other["id"]]))
    one_of_two = wait("one of the two is there", lambda: {session["id"] for session in twice} & set(logged(user)))
    assert len(one_of_two) == 1
    certain = [session["id"] for session in (plain, mine, changed, overlapping, *full)]
    assert logged(user) == sorted([*certain, *one_of_two])
    assert user.call("GET", f"/v1/practice/sessions/{changed['id']}").json["activeSeconds"] == 60
    assert user.call("POST", "/v1/practice/sessions", plain).status == 201, "a repeat of what is the account's by now"
    late = guest.call("POST", "/v1/practice/sessions", plain)
    assert (late.status, late.code) == (409, "practice-exists"), late
    # What is logged on the device later stays there, until it is handed over again.
    later = telling(9)
    assert guest.call("POST", "/v1/practice/sessions", later).status == 201
    wait("it is listed", lambda: later["id"] in logged(guest))
    sign_in(stack, user, shown)
    wait("the second hand-over is finished", lambda: len(finished(stack, guest)) == 2)
    assert finished(stack, guest)[1] == {"moved": 1, "deleted": 0, "kept": 2}
    wait("the account has it", lambda: later["id"] in logged(user))


def test_a_long_history_comes_whole_and_once_though_sessions_dies_by_kill_9_all_the_while(stack, user):
    guest, shown = new_device(stack)
    sessions = [telling(day, hour) for day in range(1, 151) for hour in range(7, 19)]
    log_all(guest, sessions)
    wait("all are listed", lambda: len(logged(guest)) == len(sessions))
    sign_in(stack, user, shown)

    def place():
        """How far the hand-over has come: how many were looked at, None before it begins and after its end."""
        rows = stack.sql(f"select moved + deleted + kept as looked from sessions.handovers where device_id = '{guest.id}'")
        return rows[0]["looked"] if rows else None

    def goes_on(behind):
        """Whether it is finished, or has come further than that."""
        looked = place()
        return finished(stack, guest) if looked is None else looked > behind
    deaths, reached = 0, -1
    while not finished(stack, guest):
        wait("it goes on", lambda behind=reached: goes_on(behind))
        looked = place()
        if looked is None:
            continue
        reached = looked
        stack.kill("sessions")
        deaths += 1
        stack.up()
    assert deaths, "nobody died"
    assert finished(stack, guest) == [{"moved": len(sessions), "deleted": 0, "kept": 0}]
    wait("the account has all", lambda: logged(user) == sorted(session["id"] for session in sessions))
    assert logged(guest) == []
    moved = stack.sql("select stream from sessions.events where type = 'SessionWithdrawn' "
                      f"and data ->> 'ownerId' = '{guest.id}'")
    assert len(moved) == len({row["stream"] for row in moved}) == len(sessions), "each is moved once"
    wait("every day counts", lambda: streak(user)["longestStreak"] == 150)


def test_an_erasure_takes_days_sessions_and_choices(stack, user):
    for day in (1, 2):
        assert user.call("POST", "/v1/practice/sessions", telling(day)).status == 201
    user.call("PATCH", "/v1/practice/settings", {"graceMinutes": 30})
    wait("all is counted", lambda: streak(user)["practisedDays"] == 2)
    erased = user.erase()
    assert erased.status in (200, 202), erased

    def complete():
        answer = user.call("GET", "/v1/me/erasure")
        return answer.json["erasure"]["complete"] if answer.json and "erasure" in answer.json else None
    wait("every service has confirmed", complete)
    # The other services are told that the login session has ended, and hear of it a moment later.
    wait("the token has ended", lambda: user.call("GET", "/v1/practice/streak").status == 401)
    code, out, notes = stack.command("explain", "streak", user.id)
    assert code == 1 and "no session" in out, (code, out, notes)
