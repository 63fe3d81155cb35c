"""The commands that look into what happened, in the tools container."""
from checks import wait
from deployment import Failed
from faults import ledger


def tools(checks, stack):
    def looks(*words, finds):
        said = stack.tool(*words, ok=())
        missing = [text for text in finds if text not in said]
        checks.expect(not missing, f"mirrormate {words[0]} tells what happened", f"without {missing}:\n{said[-1500:]}")

    session, user = stack.session, stack.user.id
    ledger(checks, stack)
    looks("timeline", session, finds=["SessionCreated", "QuotaReserved", "JobCompleted", "ReportWritten"])
    looks("events", "sessions", "--stream", f"session-{session}", finds=["SessionCreated", "SessionCompleted"])
    looks("state", "sessions/session_list", session, finds=["complete"])
    looks("explain", "quota", user, finds=[session])
    looks("replay", session, finds=["all the same"])
    for model in ("sessions/session_list", "quota/allowances", "analysis/job_queue", "reporting/report_history"):
        whole(checks, stack, "check", model)
        whole(checks, stack, "rebuild", model, "--compare")
    said = stack.run("./mirrormate", "ledger", ok=())
    checks.expect("nothing is lost" in said, "without a build, ./mirrormate is the tools container", said)
    whole(checks, stack, "rebuild", "sessions/session_list", "--switch")
    wait("the list is still there", lambda: stack.user.session(session)["status"] == "complete", within=30)
    whole(checks, stack, "rebuild", "sessions/session_list", "--drop-old")
    stack.sql(f"update sessions.session_list set progress = 1 where key = '{session}'")
    said = stack.tool("check", "sessions/session_list", ok=())
    checks.expect(session in said, "a row changed by hand is found", said)
    whole(checks, stack, "check", "sessions/session_list", "--repair", session)
    whole(checks, stack, "check", "sessions/session_list")


def whole(checks, stack, *words):
    """A command whose exit code says that nothing is wrong."""
    what = f"mirrormate {' '.join(words[:3])}"
    try:
        stack.tool(*words)
        checks.expect(True, what)
    except Failed as error:
        checks.expect(False, what, error)
