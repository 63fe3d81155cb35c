"""What the deployment tells of itself: metrics on every admin port, one trace from the request to the report, log levels."""
import contextlib
import secrets
import threading
import time

import pytest

from support.api import Unreachable
from support.deployed import submit
from support.deployment import SERVICES
from support.users import ended
from support.waiting import wait

# What each service's metrics hold besides its own.
METRICS = [
    "http_requests_total", "http_request_duration_seconds", "events_appended_total", "consumer_lag_records",
    "consumer_parked_messages", "relay_age_seconds", "relay_publishing", "sweeper_backlog_objects", "database_up 1",
    "consumer_broker_up 1", "store_refused 0",
]


def admin(deployment, service, method, path, body=""):
    """One request to an admin port, from inside the network."""
    head = f"{method} {path} HTTP/1.0\\r\\nHost: x\\r\\nContent-Type: application/json\\r\\nContent-Length: {len(body)}\\r\\n\\r\\n"
    body = body.replace('"', '\\"')
    script = f'exec 3<>/dev/tcp/{service}/9090; printf "{head}%s" "{body}" >&3; cat <&3'
    return deployment.compose("run", "--rm", "-T", "--no-deps", "--entrypoint", "bash", "tools", "-c", script)


@contextlib.contextmanager
def debug_level(deployment, *services):
    try:
        for service in services:
            deployment.tool("log-level", "debug", service)
        yield
    finally:
        for service in services:
            deployment.tool("log-level", "info", service)


def test_the_log_level_changes_while_a_service_runs(deployment, user):
    def lines():
        return deployment.compose("logs", "--no-color", "--no-log-prefix", "quota").count('"level":"debug"')
    # As it is after a start, with an empty log.
    deployment.compose("up", "-d", "--no-deps", "--force-recreate", "--wait", "quota")
    deployment.ready()
    wait("quota answers", user.quota, within=60)
    assert lines() == 0, "nothing is logged for finding faults at first"
    with debug_level(deployment, "quota"):
        user.quota()
        wait("a line for finding faults", lines, within=20)
        assert "loud" in deployment.tool("log-level", "loud", ok=(2,)), "an unknown level is refused"
        answer = admin(deployment, "quota", "PUT", "/operator/log-level", '{"level":"error"}')
        assert " 401" in answer, f"and whoever does not know the operators' secret: {answer}"
    before = lines()
    user.quota()
    # The line of a request is written with its answer; a second is far more than the log takes.
    time.sleep(1)
    assert lines() == before, "and ends when the level is set back"


def test_one_trace_goes_from_the_request_to_the_report(deployment, user):
    trace = secrets.token_hex(16)
    with debug_level(deployment, *SERVICES):
        session = submit(user, deployment.demo, traceparent=f"00-{trace}-{secrets.token_hex(8)}-01")
        assert ended(user, session, within=180)["status"] == "complete"
        for service in SERVICES[1:]:
            found = deployment.sql(
                f"select count(*) from {service}.events where metadata->>'traceparent' like '00-{trace}-%'")
            assert int(found) > 0, f"the trace is not in the events of {service}"
            logs = deployment.compose("logs", "--no-color", "--no-log-prefix", service)
            assert f'"traceId":"{trace}"' in logs, f"the trace is not in the log lines of {service}"


@pytest.fixture
def busy(deployment, user):
    """Every service has done something since it was started."""
    session = submit(user, deployment.demo)
    assert ended(user, session, within=180)["status"] == "complete"
    for path in Visitors.PATHS:
        assert user.call("GET", path).status == 200, path


def test_the_metrics_of_every_service_are_there(deployment, busy):
    def missing(service):
        text = admin(deployment, service, "GET", "/metrics")
        names = [name for name in METRICS if service != "analysis" or not name.startswith("http_")]
        return [name for name in names if name not in text]
    wait("the first look at the broker", lambda: "consumer_lag_records" not in missing("sessions"), every=2)
    assert {service: missing(service) for service in SERVICES} == {service: [] for service in SERVICES}


def test_the_metrics_count_what_was_done(deployment, busy):
    measured = admin(deployment, "analysis", "GET", "/metrics")
    assert 'provider_calls_total{provider="mirrormate-media",outcome="measured"}' in measured
    assert 'provider_cost_total{provider="mirrormate-media"} 0' in measured, "the helper costs nothing"
    assert 'provider_cost_micros_total{provider="mirrormate-media",currency="none"} 0' in measured, "the dashboard and the alert have something to ask"
    assert 'projection_lag_events{model="session_list"}' in admin(deployment, "sessions", "GET", "/metrics")
    assert 'events_appended_total{type="QuotaReserved"}' in admin(deployment, "quota", "GET", "/metrics")


class Visitors:
    """Requests to every service, one after another, for as long as the block lasts."""

    PATHS = ["/v1/me", "/v1/sessions", "/v1/quota", "/v1/reports"]

    def __init__(self, user):
        self.user = user
        self.answers = []
        self.ended = threading.Event()
        self.threads = [threading.Thread(target=self.ask, args=(path,), daemon=True) for path in self.PATHS]

    def ask(self, path):
        while not self.ended.is_set():
            try:
                self.answers.append((path, self.user.call("GET", path).status))
            except Unreachable as error:
                self.answers.append((path, str(error)))
            time.sleep(0.02)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        for thread in self.threads:
            thread.join()


def test_no_request_fails_while_all_passwords_and_the_signing_key_change(deployment, user):
    before = int(deployment.sql("select count(*) from identity.signing_private_keys"))
    known = {name: int(deployment.sql(f"select count(*) from {name}.signing_keys")) for name in SERVICES[1:]}
    with Visitors(user) as visitors:
        for service in SERVICES:
            deployment.run("infra/rotate-password", service)
        deployment.compose("exec", "-T", "identity", "service", "rotate-keys")
        for service in SERVICES[1:]:
            wait(f"{service} knows the new key", lambda s=service: int(deployment.sql(
                f"select count(*) from {s}.signing_keys")) > known[s])
    failed = [answer for answer in visitors.answers if answer[1] != 200]
    assert failed[:5] == [], f"of {len(visitors.answers)} requests"
    assert len(visitors.answers) > 100
    # Now all have to come in by the new ones.
    deployment.sql(f"select pg_terminate_backend(pid) from pg_stat_activity where usename = any(array{SERVICES})")
    for path in Visitors.PATHS:
        wait(f"{path} answers", lambda p=path: user.call("GET", p).status == 200)
    for service in SERVICES:
        count = deployment.sql(f"select count(*) from pg_stat_activity where usename = '{service}'")
        assert int(count) > 0, f"{service} is not connected by its new password, without a restart"
    assert deployment.sql("select count(*) from identity.signing_private_keys") == str(before + 1), "a new key is there"
