-- The exports of which something may be left: whose each is, for whoever has its signed address, and when there is something to do
-- for it. What is in an export says its stream; its bytes are objects.
create table open_exports (
    export_id uuid primary key,
    owner_id  uuid not null,
    due_at    timestamptz not null
);
create index open_exports_due on open_exports (due_at);
create index open_exports_by_owner on open_exports (owner_id);

create function row_watch_export(args json) returns text language sql as $$
    insert into open_exports (export_id, owner_id, due_at)
    values ((args ->> 'exportId')::uuid, (args ->> 'ownerId')::uuid, (args ->> 'from')::timestamptz)
    on conflict (export_id) do update set due_at = excluded.due_at;
    select null::text;
$$;

create function row_unwatch_export(args json) returns text language sql as $$
    delete from open_exports where export_id = (args ->> 'exportId')::uuid;
    select null::text;
$$;

create function row_forget_exports(args json) returns text language sql as $$
    delete from open_exports where owner_id = (args ->> 'subject')::uuid;
    select null::text;
$$;

alter table open_exports enable row level security;
create policy owners_rows on open_exports using (in_scope(owner_id));
grant select on open_exports to :role;
