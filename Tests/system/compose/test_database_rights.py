"""What a service that somebody has taken over can do in the database with what lies in its own container."""
import pytest

from support.deployment import SERVICES


@pytest.fixture
def says(deployment):
    """What PostgreSQL says to statements of a service's own login role: the code of the error, or `done`; nothing is kept."""
    def ask(service, statement):
        password = deployment.compose("exec", "-T", service, "cat", f"/run/secrets/db-{service}").strip()
        script = f"\\set VERBOSITY sqlstate\nbegin;\n{statement};\nrollback;\n\\echo done\n"
        said = deployment.compose(
            "exec", "-T", "-e", f"PGPASSWORD={password}", "postgres", "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1",
            "-h", "postgres", "-U", service, "-d", "mirrormate", "-f", "-", input=script.encode(), ok=None)
        return "done" if said.strip().endswith("done") else said
    return ask


# insufficient_privilege: it is there, and not for this role.
REFUSED = "42501"

FORBIDDEN = {
    "change its history": "update events set type = 'x'",
    "delete its history": "delete from events",
    "write its log past append_batch": "insert into events select * from events limit 1",
    "move its log's head": "update head set refused = 'x'",
    "make a table": "create table mine (id int)",
    "make a function": "create function mine() returns int language sql as 'select 1'",
    "make a schema": "create schema mine",
    "change a table": "alter table events add column mine int",
    "remove a table": "drop table events",
    "say which migrations there were": "delete from migrations",
    "make anything a read model": "select register_read_model('events')",
    "forget who is erased": "delete from erased_subjects",
    "become the administrator": "set role postgres",
    "read passwords of roles": "select rolpassword from pg_authid",
    "read the server's files": "select pg_read_file('/run/secrets/db-admin')",
    "run a program": "copy (select 1) to program 'true'",
    "make a role": "create role mine",
}


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_reads_its_own_log(says, service):
    assert says(service, "select count(*) from events") == "done", "what is refused below is not the sign-in"


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize("what", FORBIDDEN)
def test_a_service_can_not(says, service, what):
    said = says(service, FORBIDDEN[what])
    assert REFUSED in said, f"{service} may {what}: {said}"


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_comes_near_no_other_service(says, service):
    for other in set(SERVICES) - {service}:
        for statement in (f"select 1 from {other}.events", f"delete from {other}.events", f"set role {other}", f"set role {other}_owner",
                          f"select {other}.register_read_model('x')"):
            said = says(service, statement)
            assert REFUSED in said, f"{service} may: {statement}: {said}"


def test_nobody_signs_in_without_the_password_or_with_anothers(deployment):
    password = deployment.compose("exec", "-T", "quota", "cat", "/run/secrets/db-quota").strip()
    for user, shown in (("identity", password), ("postgres", password), ("quota", "")):
        said = deployment.compose(
            "exec", "-T", "-e", f"PGPASSWORD={shown}", "postgres", "psql", "-X", "-w", "-h", "postgres", "-U", user, "-d", "mirrormate",
            "-c", "select 1", ok=None)
        assert "1 row" not in said, f"{user} with the password of quota"
