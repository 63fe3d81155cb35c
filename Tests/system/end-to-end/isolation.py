"""Part 4: what a service's login role cannot see."""
import uuid

from programs import SERVICES

# Tables that name a subject and have no row security, with the reason.
UNPROTECTED = {"erased_subjects": "only ids of owners that are gone; the append's guard, never read for an owner"}


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
    checks.equal(allowed(stack, role, [f"select from {role}.events limit 1"]), [f"select from {role}.events limit 1"],
                 f"the search for rights finds those of {role}")
    checks.equal(allowed(stack, role, [f"select from {name} limit 1" for name in others]), [],
                 f"{role} can read none of {len(others)} tables of other services")
    checks.equal(allowed(stack, role, [f"delete from {name}" for name in others]), [], f"{role} can write none of them")
    rights = stack.sql(
        "select rolsuper or rolcreatedb or rolcreaterole or rolbypassrls or rolreplication as any, "
        "(select count(*) from pg_auth_members where member = r.oid) as memberships "
        f"from pg_roles r where rolname = '{role}'")
    checks.equal(rights, [{"any": False, "memberships": 0}], f"{role} has no other rights and is no member of a role")
    others = [other for other in (*SERVICES, "postgres", f"{role}_owner") if other != role]
    checks.equal(allowed(stack, role, [f"set role {other}" for other in others]), [],
                 f"{role} cannot become another role")


def history(checks, stack, role):
    statements = ("update events set type = 'x'", "delete from events", "truncate events", "drop table events",
                  "insert into events select * from events limit 1", "update head set refused = 'x'",
                  "delete from erased_subjects", "create table mine (id int)")
    checks.equal(allowed(stack, role, statements), [], f"{role} can change its history only by appending")


def security(checks, stack):
    """Every table that says whose its rows are hides them from everyone else."""
    owned = stack.sql(
        "select c.table_schema s, c.table_name t, min(c.column_name) c, bool_and(r.relrowsecurity) rls, "
        "has_table_privilege(c.table_schema::text, r.oid, 'select') readable "
        "from information_schema.columns c "
        "join pg_class r on r.oid = (c.table_schema || '.' || c.table_name)::regclass "
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
