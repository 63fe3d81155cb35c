"""The profile `metrics`: Prometheus finds every instance, takes the alert rules, and can answer what the dashboards ask."""
import json
import pathlib
import re
import urllib.parse

import pytest

from support.api import send
from support.deployed import whole_way
from support.deployment import SERVICES
from support.notes import note
from support.waiting import wait

pytestmark = pytest.mark.by_name

IMAGE = "prom/prometheus:v3.5.0"
# Words of the query language, and labels; what else has an underscore in a query is a metric.
NO_METRICS = {"histogram_quantile", "increase", "group_left"}


class Prometheus:
    """Prometheus beside a deployment."""

    def __init__(self, deployment):
        self.deployment = deployment
        self.url = f"http://127.0.0.1:{deployment.environment['METRICS_PORT']}"

    def compose(self, *words, **more):
        return self.deployment.compose("--profile", "metrics", *words, **more)


@pytest.fixture
def prometheus(deployment):
    """Prometheus, that has seen a session from its beginning to its end in every service."""
    provide_image(deployment)
    deployment.up("--profile", "metrics")
    prometheus = Prometheus(deployment)
    whole_way(deployment)
    wait("every service is scraped", lambda: scraped(prometheus) == SERVICES, within=90, every=2)
    yield prometheus
    prometheus.compose("rm", "-sf", "prometheus")


def provide_image(deployment):
    """The official image; where no registry can be reached, a stand-in under its name."""
    if "Error" not in deployment.docker("image", "inspect", "--format", "there", IMAGE, ok=()):
        return
    if deployment.docker("pull", "-q", IMAGE, ok=()).strip().endswith(IMAGE):
        return
    deployment.docker("build", "-q", "-t", IMAGE, "Tests/system/compose/prometheus", within=600)
    note(f"{IMAGE} cannot be pulled here; Debian's Prometheus stands in for it")


def ask(prometheus, what, **parameters):
    answer = send(prometheus.url, "GET", f"/api/v1/{what}?{urllib.parse.urlencode(parameters)}")
    return answer.json["data"] if answer.status == 200 and answer.json["status"] == "success" else None


def scraped(prometheus):
    targets = ask(prometheus, "targets")["activeTargets"]
    return sorted({one["labels"]["service"] for one in targets if one["health"] == "up"}, key=SERVICES.index)


def evaluated(prometheus):
    rules = [rule for group in ask(prometheus, "rules")["groups"] for rule in group["rules"]]
    return rules if rules and all(rule["health"] != "unknown" for rule in rules) else None


def raised(prometheus, name, service):
    return any(
        alert["labels"]["alertname"] == name and alert["labels"].get("service") == service
        for alert in ask(prometheus, "alerts")["alerts"])


def test_promtool_finds_no_fault_in_settings_and_rules(prometheus):
    said = prometheus.compose("exec", "-T", "prometheus", "promtool", "check", "config", "/etc/prometheus/prometheus.yml", ok=())
    assert "SUCCESS" in said and "FAILED" not in said, said


def test_all_rules_can_be_evaluated_and_no_alert_fires_on_a_sound_deployment(prometheus):
    rules = wait("the rules were evaluated", lambda: evaluated(prometheus), within=90, every=2)
    assert [rule["name"] for rule in rules if rule["health"] != "ok"] == []
    assert [alert["labels"]["alertname"] for alert in ask(prometheus, "alerts")["alerts"]
            if alert["state"] == "firing"] == []


def test_what_the_dashboards_ask_can_be_answered(prometheus):
    def unknown(query):
        return names(query) - set(ask(prometheus, "label/__name__/values")) - NO_METRICS

    queries = 0
    for path in sorted(pathlib.Path(prometheus.deployment.folder, "infra/metrics/dashboards").glob("*.json")):
        for panel in json.loads(path.read_text())["panels"]:
            for target in panel.get("targets", []):
                queries += 1
                query, place = target["expr"], f"{path.stem}: {panel['title']}"
                assert ask(prometheus, "query", query=query) is not None, f"{place}: {query}"
                wait(f"{place}: {query}", lambda query=query: not unknown(query), within=60, every=2)
    assert queries > 10


def test_a_service_that_is_gone_raises_an_alert_until_it_is_back(prometheus):
    prometheus.deployment.compose("stop", "quota")
    wait("an alert is raised", lambda: raised(prometheus, "ServiceDown", "quota"), within=120, every=2)
    prometheus.deployment.compose("start", "quota")
    wait("the alert ends", lambda: not raised(prometheus, "ServiceDown", "quota"), within=120, every=2)


def names(query):
    """The metrics that a query names."""
    without_labels = re.sub(r"\{[^}]*\}|\b(?:by|without|on)\s*\([^)]*\)", " ", query)
    return {word for word in re.findall(r"[a-z][a-z0-9_:]*", without_labels) if "_" in word}
