"""Part 4: what a service's login role cannot see."""
import uuid

from programs import SERVICES
from stack import StackError

# Tables that name a subject and have no row security, with the reason.
UNPROTECTED = {"erased_subjects": "nothing but ids of owners that are gone; the append's guard, never read for an owner"}


def refused(stack, statement, role, scope=None):
    """The SQLSTATE and words of a refusal; None when it was allowed."""
    try:
        stack.psql(statement, role, scope)
        return None
    except StackError as error:
        return str(error)


def run(checks, stack):
    tables = stack.sql("select schemaname s, tablename t from pg_tables "
                       f"where schemaname in {SERVICES} order by 1, 2")
    checks.expect({row["s"] for row in tables} == set(SERVICES), "every service has tables")
    for role in SERVICES:
        schemas(checks, stack, role, tables)
        history(checks, stack, role)
    security(checks, stack)


def schemas(checks, stack, role, tables):
    own = f"select count(*) from {role}.events"
    checks.expect(int(stack.psql(own, role)) > 0, f"{role} reads its own log")
    others = [f"{row['s']}.{row['t']}" for row in tables if row["s"] != role]
    open_tables = [name for name in others if "42501" not in (refused(stack, f"select from {name} limit 1", role) or "")]
    checks.equal(open_tables, [], f"{role} can read none of {len(others)} tables of other services")
    writable = [name for name in others if "42501" not in (refused(stack, f"delete from {name}", role) or "")]
    checks.equal(writable, [], f"{role} can write none of them")
    rights = stack.sql(
        "select rolsuper or rolcreatedb or rolcreaterole or rolbypassrls or rolreplication as any, "
        "(select count(*) from pg_auth_members where member = r.oid) as memberships "
        f"from pg_roles r where rolname = '{role}'")
    checks.equal(rights, [{"any": False, "memberships": 0}], f"{role} has no other rights and is no member of a role")
    becoming = [other for other in (*SERVICES, "postgres", f"{role}_owner") if other != role
                and not refused(stack, f"set role {other}", role)]
    checks.equal(becoming, [], f"{role} cannot become another role")


def history(checks, stack, role):
    statements = ("update events set type = 'x'", "delete from events", "truncate events", "drop table events",
                  "insert into events select * from events limit 1", "update head set refused = 'x'",
                  "delete from erased_subjects", "create table mine (id int)")
    allowed = [statement for statement in statements if not refused(stack, statement, role)]
    checks.equal(allowed, [], f"{role} can change its history only by appending")


def security(checks, stack):
    """Every table that says whose its rows are hides them from everyone else."""
    owned = stack.sql(
        "select c.table_schema s, c.table_name t, min(c.column_name) c, bool_and(r.relrowsecurity) rls, "
        "has_table_privilege(c.table_schema::text, r.oid, 'select') readable "
        "from information_schema.columns c join pg_class r on r.oid = (c.table_schema || '.' || c.table_name)::regclass "
        f"where c.table_schema in {SERVICES} and c.column_name in ('owner_id', 'subject', 'user_id', 'subject_id') "
        "and r.relkind = 'r' group by 1, 2, r.oid order by 1, 2")
    checks.expect(len(owned) >= 6, f"{len(owned)} tables say whose their rows are", owned)
    for row in owned:
        role, column = row["s"], row["c"]
        name = f"{role}.{row['t']}"
        if row["t"] in UNPROTECTED:
            continue
        checks.expect(row["rls"], f"{name} has row-level security")
        if not row["readable"]:
            continue
        owners = stack.sql(f"select {column}::text o, count(*) n from {name} group by 1 order by 2 desc, 1 limit 2")
        count = f"select count(*) from {name}"
        hidden = int(stack.psql(count, role)) + int(stack.psql(count, role, str(uuid.uuid4())))
        total = int(stack.psql(count, role, "system"))
        if not owners:
            checks.say(f"        {name} has no rows to look at")
            continue
        mine = int(stack.psql(count, role, owners[0]["o"]))
        everyone = int(stack.psql(count))
        checks.equal((hidden, mine, total), (0, owners[0]["n"], everyone),
                     f"{name} shows nothing without a scope or in another's, an owner's rows in theirs")
