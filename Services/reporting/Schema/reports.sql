-- The reports' texts, which are personal: they go with the report or with its owner. A row is written by the append that
-- says that the report is there.
create table reports (
    session_id uuid primary key,
    owner_id   uuid not null,
    report_id  uuid not null unique,
    -- json, not jsonb: the members stay in their order.
    content    json not null check (json_typeof(content) = 'object')
);
create index reports_by_owner on reports (owner_id);

create function row_write_report(args json) returns text language sql as $$
    insert into reports (session_id, owner_id, report_id, content)
    values ((args ->> 'sessionId')::uuid, (args ->> 'ownerId')::uuid, (args ->> 'reportId')::uuid, args -> 'content');
    select null::text;
$$;

create function row_delete_report(args json) returns text language sql as $$
    delete from reports where session_id = (args ->> 'sessionId')::uuid;
    select null::text;
$$;

create function row_forget_subject(args json) returns text language sql as $$
    delete from reports where owner_id = (args ->> 'subject')::uuid;
    select null::text;
$$;

alter table reports enable row level security;
create policy owners_rows on reports using (in_scope(owner_id));
grant select on reports to :role;
