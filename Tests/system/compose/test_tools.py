"""The commands that look into what happened, in the tools container."""
import pytest

from support.deployed import ledger_agrees, submit
from support.users import ended
from support.waiting import wait

LIST = "sessions/session_list"
MODELS = (LIST, "quota/allowances", "analysis/job_queue", "reporting/report_history")


def test_the_ledger_agrees_in_the_tools_container(deployment, owner):
    ledger_agrees(deployment)


@pytest.mark.parametrize("command", ["timeline", "events", "state", "explain", "replay"])
def test_a_command_tells_what_happened(deployment, owner, command):
    user, session = owner
    words, finds = {
        "timeline": ([session], ["SessionCreated", "QuotaReserved", "JobCompleted", "ReportWritten"]),
        "events": (["sessions", "--stream", f"session-{session}"], ["SessionCreated", "SessionCompleted"]),
        "state": ([LIST, session], ["complete"]),
        "explain": (["quota", user.id], [session]),
        "replay": ([session], ["all the same"]),
    }[command]
    said = deployment.tool(command, *words, ok=())
    assert [text for text in finds if text not in said] == [], said


@pytest.mark.parametrize("model", MODELS)
def test_read_models_are_what_their_logs_say(deployment, owner, model):
    ledger_agrees(deployment)
    deployment.tool("check", model)
    deployment.tool("rebuild", model, "--compare")


def test_without_a_build_the_script_is_the_tools_container(deployment, owner):
    def said():
        return "nothing is lost" in deployment.run("./mirrormate", "ledger", ok=())
    wait("the ledger agrees", said, within=90, every=2)


@pytest.mark.parametrize("line, instead", [
    ("up", "docker compose up -d --wait"), ("down", "docker compose down"), ("status", "docker compose ps -a"),
    ("restart", "docker compose restart SERVICE"), ("open", "PUBLIC_URL"), ("demo", "PUBLIC_URL"), ("submit talk.mp4", "PUBLIC_URL"),
    ("sessions cancel 019a9c60-0000-7000-8000-000000000001", "PUBLIC_URL"), ("logs", "docker compose logs"),
    ("keys rotate", "docker compose exec identity service rotate-keys")])
def test_what_is_for_a_stack_without_containers_says_what_to_do_here(deployment, line, instead):
    said = deployment.tool(*line.split(), ok=(3,))
    assert "\u2717" in said and instead in said, said


def test_a_rebuilt_table_takes_the_live_ones_place(deployment, owner):
    user, session = owner
    deployment.tool("rebuild", LIST, "--switch")
    wait("the list is still there", lambda: user.session(session)["status"] == "complete")
    deployment.tool("rebuild", LIST, "--drop-old")


def test_a_row_changed_by_hand_is_found_and_mended(deployment, user):
    session = submit(user, deployment.demo)
    assert ended(user, session, within=180)["status"] == "complete"
    ledger_agrees(deployment)
    deployment.sql(f"update sessions.session_list set progress = 7 where key = '{session}'")
    said = deployment.tool("check", LIST, ok=())
    assert session in said, said
    deployment.tool("check", LIST, "--repair", session)
    deployment.tool("check", LIST)
