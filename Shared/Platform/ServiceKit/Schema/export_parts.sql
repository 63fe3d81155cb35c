-- Parts of exports that this service has been asked for and has not written yet: one row from the append that begins one to the append
-- that ends it. Written beside the messages, as the largest take minutes and nobody else's message waits for them.
create table export_parts (
    export_id uuid primary key,
    owner_id  uuid not null,
    -- The order in which they were asked for.
    number    bigint generated always as identity,
    -- Nobody waits for it any more after this.
    deadline  timestamptz not null
);
create index export_parts_in_order on export_parts (number);

create function row_ask_export_part(args json) returns text language sql as $$
    insert into export_parts (export_id, owner_id, deadline)
    values ((args ->> 'exportId')::uuid, (args ->> 'ownerId')::uuid, (args ->> 'deadline')::timestamptz)
    -- An export that its service had forgotten in a restore may be asked for again.
    on conflict (export_id) do update set deadline = excluded.deadline;
    select null::text;
$$;

-- Goes with the part that was written: of two that write it one succeeds, and none once the export is over.
create function row_end_export_part(args json) returns text language plpgsql as $$
begin
    delete from export_parts where export_id = (args ->> 'exportId')::uuid;
    return case when found then null else 'export-part-elsewhere' end;
end $$;

-- Nobody waits for it any more.
create function row_forget_export_part(args json) returns text language sql as $$
    delete from export_parts where export_id = (args ->> 'exportId')::uuid;
    select null::text;
$$;

alter table export_parts enable row level security;
create policy owners_rows on export_parts using (in_scope(owner_id));
grant select on export_parts to :role;
