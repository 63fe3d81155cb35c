"""The containers that open videos and pictures: what they cannot reach, seen from inside, and that their death costs no report."""
import pytest

from support import pictures
from support.deployed import admitted, new_user, report_of
from support.waiting import wait

# Each has a service that asks it.
OPENERS = {"media": "analysis", "pictures": "identity"}
opener = pytest.mark.parametrize("opener", OPENERS)


def inside(deployment, script, service="media"):
    """What bash in a container says, with its exit code behind it."""
    return deployment.compose("exec", "-T", service, "bash", "-c", f"{script}; echo exit $?").strip()


def users_of_runs(deployment):
    """Of each process that measures and has given up what it was, the users that it runs as; none before one has."""
    # The helper is its first process's child; its decoders are what it starts.
    lines = inside(deployment, "grep -H ^Uid: /proc/[0-9]*/status; for one in /proc/[0-9]*; do "
                   "echo \"$one $(tr '\\0' ' ' < $one/cmdline)\"; done 2>/dev/null").splitlines()
    names = dict(line.split(" ", 1) for line in lines if line.startswith("/proc/") and " " in line and "Uid:" not in line)
    measuring = {process for process, words in names.items() if "mirrormate-media analyze" in words or words.startswith(("ffmpeg", "ffprobe"))}
    found = [{int(one) for one in line.split()[1:]} for line in lines
             if ":Uid:" in line and line.split("/status", 1)[0] in measuring]
    # Between its start and its change of user it copies the file.
    return [] if any(0 in users for users in found) else found


@opener
def test_it_has_no_network(deployment, opener):
    assert inside(deployment, "ls /sys/class/net", opener) == "lo\nexit 0"
    assert inside(deployment, "grep -c : /proc/net/route", opener).startswith("0"), "no way out"
    for name, port in [("kafka", 9092), ("postgres", 5432), ("s3", 7070), ("identity", 8080)]:
        assert inside(deployment, f"(exec 3<>/dev/tcp/{name}/{port}) 2>/dev/null", opener) != "exit 0", f"{name} can be reached"


@opener
def test_it_has_no_secret(deployment, opener):
    assert inside(deployment, "ls -A /run/secrets 2>/dev/null", opener).splitlines()[:-1] == []
    words = inside(deployment, "tr '\\0' '\\n' < /proc/self/environ", opener)
    assert not any(word in words for word in ("PASSWORD", "SECRET", "KEY", "DATABASE", "S3_")), words


@opener
def test_its_runs_have_users_of_their_own_and_it_writes_nowhere_but_into_its_own_folders(deployment, opener):
    assert inside(deployment, "id -u", OPENERS[opener]) == "10001\nexit 0"
    rights = inside(deployment, "grep CapEff /proc/1/status", opener).split()[1]
    assert int(rights, 16) == sum(1 << right for right in (0, 1, 5, 6, 7)), "CHOWN, DAC_OVERRIDE, KILL, SETGID, SETUID"
    for folder in ["/", "/usr/local/bin", "/usr/local/share/mirrormate/models", "/var/lib/mirrormate", "/etc"]:
        assert inside(deployment, f"(: > {folder}/probe) 2>/dev/null", opener) != "exit 0", f"{folder} can be written"
    mounts = {mount["Destination"] for mount in deployment.inspect(opener)["Mounts"]}
    assert mounts == {"/run/mirrormate-media"}, mounts
    scratch = inside(deployment, "df -B1 --output=fstype,size /var/lib/mirrormate-media", opener).split()
    assert scratch[2] == "tmpfs" and int(scratch[3]) <= 1 << 30, f"working files have a limit: {scratch}"


def test_the_two_share_neither_a_socket_nor_memory(deployment):
    volumes = {}
    for name in [*OPENERS, *OPENERS.values()]:
        found = [mount["Name"] for mount in deployment.inspect(name)["Mounts"] if mount["Destination"] == "/run/mirrormate-media"]
        assert len(found) == 1, f"{name}: {found}"
        volumes[name] = found[0]
    assert volumes["media"] == volumes["analysis"] != volumes["pictures"] == volumes["identity"], volumes
    # As many decoders as there are places, each of which may map 768 MiB, and 64 MiB of working files.
    words = deployment.inspect("pictures")["Config"]["Cmd"]
    places = int(words[words.index("--at-once") + 1])
    assert deployment.inspect("pictures")["HostConfig"]["Memory"] >= (places * 768 + 64) << 20


def test_nobody_else_has_a_decoder(deployment):
    for service in ["identity", "analysis", "sessions", "reporting"]:
        assert inside(deployment, "command -v ffmpeg ffprobe mirrormate-media", service) == "exit 1", service


@pytest.mark.parametrize("service", ["analysis", "identity"])
def test_who_asks_cannot_write_where_files_are_opened(deployment, service):
    assert inside(deployment, "(: > /run/mirrormate-media/probe) 2>/dev/null", service) != "exit 0"


def test_a_photo_is_made_there(deployment):
    user = new_user(deployment)
    picture = pictures.with_metadata(pictures.convert(pictures.png(pictures.lying(pictures.quarters(400, 300), 6))), 6)
    assert user.call("PUT", "/v1/me/photo", picture, **{"Content-Type": "image/jpeg"}).status == 200
    photo = user.call("GET", "/v1/me/photo").body
    assert pictures.shown_quarters(photo) == {name: name for name in pictures.COLOURS} and b"PLANTED" not in photo
    assert inside(deployment, "find /tmp/photos -type f", "identity") == "exit 0", "no working file is left"


def test_a_photo_is_made_while_those_who_open_videos_are_gone(deployment):
    user = new_user(deployment)
    deployment.compose("pause", "media")
    try:
        assert user.call("PUT", "/v1/me/photo", pictures.png(pictures.quarters(64, 64)), **{"Content-Type": "image/png"}).status == 200
    finally:
        deployment.compose("unpause", "media")


def test_a_video_is_measured_though_the_container_dies_meanwhile(deployment):
    user = new_user(deployment)
    session = user.create(deployment.demo).json["id"]
    assert user.upload(admitted(user, session), deployment.demo).status == 200
    assert user.call("POST", f"/v1/sessions/{session}/finalize", {}).status in (200, 202)
    wait("it is opened", lambda: "run-" in inside(deployment, "ls /var/lib/mirrormate-media"), within=60, every=0.2)
    users = wait("it runs, as a user of its own", lambda: users_of_runs(deployment), within=60, every=0.2)
    assert all(len(one) == 1 and min(one) > 1_500_000_000 for one in users), f"the helper and its decoders are nobody else: {users}"
    before = deployment.inspect("media")["State"]["StartedAt"]
    # Everything but the first process, which then ends too.
    deployment.compose("exec", "-T", "media", "bash", "-c", "kill -9 -1", ok=None)
    wait("the container is back", lambda: deployment.inspect("media")["State"]["StartedAt"] != before, within=60)
    wait("the report is there", lambda: report_of(user, session).status == 200, within=180, every=1)
    assert inside(deployment, "ls /var/lib/mirrormate-media") == "exit 0", "nothing is left of the first run"
