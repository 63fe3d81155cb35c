"""The way out: who has it, where it leads, and where it does not, whatever a name server says."""
import json
import os

import pytest

from support.deployment import SERVICES
from support.provider import ANSWER

# Whoever asks something outside.
USERS = {"identity", "analysis", "reporting"}

# A host of a range for documentation, which is nobody's and no private one; of its names one is in the settings, one is not, and one has its
# address in a private network too. `169.254.169.254` is where clouds tell a machine its secrets.
OVERRIDE = """
services:
  stand-in:
    image: nginx:1.28-bookworm
    volumes: ["./stand-in.conf:/etc/nginx/nginx.conf:ro", "./stand-in.pem:/stand-in.pem:ro", "./stand-in.key:/stand-in.key:ro"]
    networks:
      lab: {ipv4_address: 203.0.113.10, aliases: [api.listed.test, other.listed.test]}
      internet: {aliases: [inward.listed.test]}
  way-out:
    networks: [lab]
    environment: {PROVIDERS_FILE: /providers.json, WAY_OUT_HOSTS: "inward.listed.test, 169.254.169.254, nowhere.listed.test"}
    volumes: ["./providers.json:/providers.json:ro"]
  webhooks-way-out:
    networks: [lab]
  analysis:
    environment: {PROVIDERS_FILE: /providers.json, SSL_CERT_FILE: /stand-in.pem}
    volumes: ["./providers.json:/providers.json:ro", "./stand-in.pem:/stand-in.pem:ro"]
networks:
  lab: {internal: true, ipam: {config: [{subnet: 203.0.113.0/24}]}}
"""

NGINX = """
error_log /dev/stderr;
events {}
http {
    log_format line '$ssl_server_name $request';
    access_log /dev/stdout line;
    server {
        listen 443 ssl;
        listen 8443 ssl;
        ssl_certificate /stand-in.pem;
        ssl_certificate_key /stand-in.key;
        location = /v1/audio/transcriptions { default_type application/json; return 200 'ANSWER'; }
        location = /moved/audio/transcriptions { return 307 https://other.listed.test/v1/audio/transcriptions; }
    }
    server { listen 80; }
}
"""


def written(deployment, name, text):
    path = os.path.join(deployment.folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o644)
    return path


@pytest.fixture
def lab(deployment):
    """The deployment with a host outside, and providers there."""
    deployment.is_used_up = True
    providers = [{"name": name, "protocol": "openai", "url": f"https://{host}", "transcription": {"model": "whisper-1"}}
                 for name, host in [("listed", "api.listed.test/v1"), ("moved", "api.listed.test/moved"), ("inward", "inward.listed.test/v1")]]
    other = {**providers[0], "url": "https://other.listed.test/v1"}
    providers += [{**other, "name": "off", "off": True}, {**other, "name": "direct", "direct": True}]
    written(deployment, "providers.json", json.dumps({"version": 1, "providers": providers}))
    written(deployment, "stand-in.conf", NGINX.replace("ANSWER", json.dumps(ANSWER)))
    names = ",".join(f"DNS:{name}.listed.test" for name in ("api", "other", "inward"))
    deployment.run(
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=stand-in",
        "-addext", f"subjectAltName={names}", "-keyout", "stand-in.key", "-out", "stand-in.pem")
    for name in ("stand-in.key", "stand-in.pem"):
        os.chmod(os.path.join(deployment.folder, name), 0o644)
    override = written(deployment, "docker-compose.override.yml", OVERRIDE)
    deployment.up()
    yield deployment
    deployment.compose("down", "-v")
    os.remove(override)


def inside(deployment, service, script):
    """What bash in a container says, with its exit code behind it."""
    return deployment.compose("exec", "-T", service, "bash", "-c", f"{script}; echo exit $?").strip()


def reaches(deployment, service, host, port):
    return inside(deployment, service, f"timeout 5 bash -c 'exec 3<>/dev/tcp/{host}/{port}' 2>/dev/null") == "exit 0"


def proxy_says(deployment, line, proxy="way-out", asking="analysis"):
    """The status that the proxy answers to a request line."""
    script = (f"exec 3<>/dev/tcp/{proxy}/3128; printf '%s HTTP/1.1\\r\\nHost: somewhere\\r\\n\\r\\n' '{line}' >&3; "
              "timeout 20 head -n 1 <&3")
    return int(inside(deployment, asking, script).split()[1])


def requests(deployment):
    """What came to the host outside: the name that was meant, and the request."""
    return [line.split("| ", 1)[-1] for line in deployment.compose("logs", "--no-color", "stand-in").splitlines() if "HTTP/" in line]


def test_only_who_asks_something_outside_can_reach_it(deployment):
    found = {service: reaches(deployment, service, "way-out", 3128) for service in [*SERVICES, "gateway"]}
    assert {service for service, yes in found.items() if yes} == USERS
    proxies = {service: "https_proxy=http://way-out:3128" in deployment.inspect(service)["Config"]["Env"] for service in SERVICES}
    # Where something can be bought, quota gets a way there, and then no other.
    assert {service for service, yes in proxies.items() if yes} == USERS | {"quota"}


def test_it_has_no_secret_and_reaches_nothing_of_the_stack(deployment):
    assert inside(deployment, "way-out", "ls -A /run/secrets 2>/dev/null").splitlines()[:-1] == []
    for host, port in [("postgres", 5432), ("kafka", 9092), ("s3", 7070), ("sessions", 8080)]:
        assert not reaches(deployment, "way-out", host, port), f"{host} can be reached"


def test_without_a_setting_it_lets_nobody_through(deployment):
    assert "lets through 0 hosts" in deployment.compose("logs", "--no-color", "way-out")
    for line in ("CONNECT example.org:443", "CONNECT www.googleapis.com:443", "CONNECT identity:443", "GET http://identity:9090/"):
        assert proxy_says(deployment, line) == 403, line


def test_it_leads_to_the_hosts_of_the_settings_and_nowhere_else(lab):
    # Nobody comes there by themselves, from the same network as before.
    for service in SERVICES:
        assert not reaches(lab, service, "203.0.113.10", 443), f"{service} goes around"
    assert proxy_says(lab, "CONNECT api.listed.test:443") == 200
    refused = [
        # Another port, another name of the same host, of providers that are off or direct, its address.
        "CONNECT api.listed.test:8443", "CONNECT api.listed.test:80", "CONNECT other.listed.test:443", "CONNECT 203.0.113.10:443",
        "CONNECT sub.api.listed.test:443",
        # In the settings, and the name server says an address of a private network, or none.
        "CONNECT inward.listed.test:443", "CONNECT 169.254.169.254:443", "CONNECT nowhere.listed.test:443",
        # No tunnel.
        "GET http://api.listed.test/", "GET https://api.listed.test/", "POST https://api.listed.test/v1/audio/transcriptions",
        # What is of this network.
        "CONNECT way-out:3128", "CONNECT identity:9090", "CONNECT 127.0.0.1:443", "CONNECT localhost:443"]
    assert {line: proxy_says(lab, line) for line in refused} == dict.fromkeys(refused, 403)
    assert requests(lab) == []


def test_what_owners_are_told_leaves_by_a_way_of_its_own_to_public_addresses_alone(lab):
    def says(line):
        return proxy_says(lab, line, "webhooks-way-out", "notifications")

    found = {service: reaches(lab, service, "webhooks-way-out", 3128) for service in [*SERVICES, "gateway"]}
    assert {service for service, yes in found.items() if yes} == {"notifications"}
    assert {line: says(line) for line in ("CONNECT api.listed.test:443", "CONNECT other.listed.test:443")} == {
        "CONNECT api.listed.test:443": 200, "CONNECT other.listed.test:443": 200}, "no setting names them"
    refused = [
        "CONNECT inward.listed.test:443", "CONNECT 169.254.169.254:443", "CONNECT 127.0.0.1:443", "CONNECT localhost:443",
        "CONNECT identity:443", "CONNECT webhooks-way-out:443", "CONNECT api.listed.test:8443", "CONNECT api.listed.test:80",
        "GET http://api.listed.test/", "POST https://api.listed.test/in"]
    assert {line: says(line) for line in refused} == dict.fromkeys(refused, 403)
    assert "listed.test" not in lab.compose("logs", "--no-color", "webhooks-way-out"), "who is told where is written down nowhere"


def test_a_provider_is_asked_through_it_and_a_redirect_is_not_followed(lab):
    assert "answered" in lab.tool("providers", "try", "listed")
    assert requests(lab) == ["api.listed.test POST /v1/audio/transcriptions HTTP/1.1"]
    assert "CONNECT api.listed.test:443 200" in lab.compose("logs", "--no-color", "way-out")
    assert "refused" in lab.tool("providers", "try", "moved", ok=(1,))
    assert requests(lab)[1:] == ["api.listed.test POST /moved/audio/transcriptions HTTP/1.1"], "it sent nobody on"
    assert "unreachable" in lab.tool("providers", "try", "inward", ok=(1,))
    assert len(requests(lab)) == 2
    assert "unreachable" in lab.tool("providers", "try", "direct", ok=(1,)), "it is not of this network"
    assert "other.listed.test" not in lab.compose("logs", "--no-color", "way-out")
    lab.compose("stop", "way-out")
    # A container that is gone refuses nobody: who asks may wait until its time is over.
    said = lab.tool("providers", "try", "listed", ok=(1,))
    assert "unreachable" in said or "overdue" in said
    assert len(requests(lab)) == 2, "without it nobody goes around it"
