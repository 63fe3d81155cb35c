-- What is in use stays so: of two that bring the same object, the slower one announces it again when it is kept already, and
-- the deadline that it names would take the object away.
create or replace function row_intend_object(args json) returns text language sql as $$
    insert into object_intents (object_key, subject, purpose, deadline)
    values (args ->> 'key', (args ->> 'subject')::uuid, args ->> 'purpose', (args ->> 'deadline')::timestamptz)
    -- A repeat after a crash announces the same object again.
    on conflict (object_key) do update set deadline = excluded.deadline
        where not object_intents.unwanted and object_intents.deadline is not null;
    select null::text;
$$;
