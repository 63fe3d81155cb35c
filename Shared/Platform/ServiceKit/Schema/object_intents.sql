-- Bytes outside the database are announced here before they are written, under the erased check of the append that carries
-- the row; the sweeper removes what was announced and never used, and all of an erased subject.
create table object_intents (
    object_key text primary key,
    subject    uuid not null,
    purpose    text not null,
    -- When nobody will write it any more; null while the object is in use.
    deadline   timestamptz,
    -- Set when the object is to go.
    unwanted   boolean not null default false
);
create index object_intents_due on object_intents (deadline) where deadline is not null or unwanted;
create index object_intents_by_subject on object_intents (subject);

create function row_intend_object(args json) returns text language sql as $$
    insert into object_intents (object_key, subject, purpose, deadline)
    values (args ->> 'key', (args ->> 'subject')::uuid, args ->> 'purpose', (args ->> 'deadline')::timestamptz)
    -- A repeat after a crash announces the same object again.
    on conflict (object_key) do update set deadline = excluded.deadline where not object_intents.unwanted;
    select null::text;
$$;

create function row_keep_object(args json) returns text language plpgsql as $$
begin
    update object_intents set deadline = null where object_key = args ->> 'key' and not unwanted;
    return case when found then null else 'object-not-intended' end;
end $$;

create function row_discard_object(args json) returns text language sql as $$
    update object_intents set unwanted = true where object_key = args ->> 'key';
    select null::text;
$$;

create function row_discard_objects(args json) returns text language sql as $$
    update object_intents set unwanted = true where subject = (args ->> 'subject')::uuid;
    select null::text;
$$;

alter table object_intents enable row level security;
create policy owners_rows on object_intents using (in_scope(subject));
grant select, delete on object_intents to :role;
