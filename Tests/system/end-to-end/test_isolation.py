"""What a service's login role cannot see or do in the database."""
import uuid

import pytest

from support.programs import SERVICES

# Tables that name a subject and have no row security, with the reason.
UNPROTECTED = {"erased_subjects": "only ids of owners that are gone; the append's guard, never read for an owner"}


@pytest.fixture(autouse=True)
def with_rows(varied_history, visitor):
    """There are rows to look at."""


@pytest.fixture
def tables(stack):
    """(schema, table) of all services."""
    found = [(row["s"], row["t"]) for row in stack.sql(
        f"select schemaname s, tablename t from pg_tables where schemaname in {SERVICES} order by 1, 2")]
    assert {schema for schema, _ in found} == set(SERVICES), "every service has tables"
    return found


@pytest.fixture
def others(tables, role):
    return [f"{schema}.{name}" for schema, name in tables if schema != role]


def allowed(stack, role, statements):
    """Those of the statements that PostgreSQL lets a role do; each is undone."""
    tries = "".join(
        f"""begin
            execute $q${statement}$q$;
            done := done || $q${statement};$q$;
            raise exception using errcode = 'UNDO1';
        exception when insufficient_privilege then null; when sqlstate 'UNDO1' then null; end;
        """ for statement in statements)
    # A variable keeps its value when the block's changes are undone.
    found = stack.psql(
        f"do $do$ declare done text := ''; begin {tries} perform set_config('test.done', done, false); end $do$; "
        "select current_setting('test.done')", role)
    return [statement for statement in found.strip().split(";") if statement]


@pytest.mark.parametrize("role", SERVICES)
def test_a_role_reads_its_own_log(stack, role):
    assert int(stack.psql(f"select count(*) from {role}.events", role)) > 0
    own = f"select from {role}.events limit 1"
    assert allowed(stack, role, [own]) == [own], "the search for rights finds this one"


@pytest.mark.parametrize("role", SERVICES)
def test_a_role_can_neither_read_nor_write_tables_of_other_services(stack, role, others):
    assert others
    assert allowed(stack, role, [f"select from {name} limit 1" for name in others]) == []
    assert allowed(stack, role, [f"delete from {name}" for name in others]) == []


@pytest.mark.parametrize("role", SERVICES)
def test_a_role_has_no_other_rights_and_cannot_become_another(stack, role):
    rights = stack.sql(
        "select rolsuper or rolcreatedb or rolcreaterole or rolbypassrls or rolreplication as any, "
        "(select count(*) from pg_auth_members where member = r.oid) as memberships "
        f"from pg_roles r where rolname = '{role}'")
    assert rights == [{"any": False, "memberships": 0}]
    roles = [other for other in (*SERVICES, "postgres", f"{role}_owner") if other != role]
    assert allowed(stack, role, [f"set role {other}" for other in roles]) == []


@pytest.mark.parametrize("role", SERVICES)
def test_a_role_leaves_the_others_connections(stack, role):
    found = stack.sql(f"select rolconnlimit as own, current_setting('max_connections')::int as every from pg_roles where rolname = '{role}'")
    assert 0 < found[0]["own"] <= found[0]["every"] // 2, found


@pytest.mark.parametrize("role", SERVICES)
def test_a_role_can_change_its_history_only_by_appending(stack, role):
    statements = ("update events set type = 'x'", "delete from events", "truncate events", "drop table events",
                  "insert into events select * from events limit 1", "update head set refused = 'x'",
                  "delete from erased_subjects", "create table mine (id int)")
    assert allowed(stack, role, statements) == []


@pytest.fixture
def owned(stack):
    """The tables that say whose their rows are, with the column that does."""
    found = stack.sql(
        "select c.table_schema s, c.table_name t, min(c.column_name) c, bool_and(r.relrowsecurity) rls, "
        "has_table_privilege(c.table_schema::text, r.oid, 'select') readable "
        "from information_schema.columns c "
        "join pg_class r on r.oid = (c.table_schema || '.' || c.table_name)::regclass "
        f"where c.table_schema in {SERVICES} and c.column_name in ('owner_id', 'subject', 'user_id', 'subject_id') "
        "and r.relkind = 'r' group by 1, 2, r.oid order by 1, 2")
    assert len(found) >= 6, found
    return [row for row in found if row["t"] not in UNPROTECTED]


def test_every_table_that_says_whose_its_rows_are_has_row_security(owned):
    assert [f"{row['s']}.{row['t']}" for row in owned if not row["rls"]] == []


def test_rows_are_hidden_without_their_owners_scope(stack, owned):
    looked_at = []
    for row in owned:
        role, column, name = row["s"], row["c"], f"{row['s']}.{row['t']}"
        owners = stack.sql(f"select {column}::text o, count(*) n from {name} group by 1 order by 2 desc, 1 limit 2")
        if not row["readable"] or not owners:
            continue
        looked_at.append(name)
        count = f"select count(*) from {name}"
        assert int(stack.psql(count, role)) == 0, f"{name} shows nothing without a scope"
        assert int(stack.psql(count, role, str(uuid.uuid4()))) == 0, f"{name} shows nothing in another's scope"
        assert int(stack.psql(count, role, owners[0]["o"])) == owners[0]["n"], f"{name} shows an owner their rows"
        assert int(stack.psql(count, role, "system")) == int(stack.psql(count)), f"{name} shows the service itself all"
    assert len(looked_at) >= 3, f"there were rows to look at: {looked_at}"
