"""The S3 server of a run with END_TO_END_S3=1: the program that S3_TEST_SERVER names, in a folder of its own."""
import os
import secrets
import shutil
import socket
import subprocess
import tempfile

import deaths
from checks import wait


def start(checks):
    """Starts it and lets every stack use it; gives what stop() wants, or None when it is not wanted."""
    if not os.environ.get("END_TO_END_S3"):
        return None
    program = os.environ.get("S3_TEST_SERVER")
    if not program:
        checks.say("Object storage: a folder. SKIPPED on S3: set S3_TEST_SERVER to the program versitygw.")
        return None
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tempfile.mkdtemp(prefix="mirrormate-s3-")
    secret = secrets.token_hex(20)
    environment = {"PATH": os.environ["PATH"], "ROOT_ACCESS_KEY": "end-to-end", "ROOT_SECRET_KEY": secret}
    running = subprocess.Popen([program, "--quiet", "--port", f"127.0.0.1:{port}", "posix", folder], env=environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True)
    deaths.waited_for.add(running.pid)
    wait("the S3 server answers", lambda: socket.create_connection(("127.0.0.1", port), 1).close() or True)
    os.environ.update(OBJECT_STORE="s3://end-to-end", S3_ENDPOINT=f"http://127.0.0.1:{port}", S3_ACCESS_KEY="end-to-end",
                      S3_SECRET_KEY=secret)
    checks.say(f"Object storage: an S3 server on port {port}")
    return running, folder


def stop(server):
    if server:
        running, folder = server
        running.kill()
        running.wait()
        shutil.rmtree(folder, ignore_errors=True)
