-- The login session that a code counts for; null for one that counts wherever it comes back.
alter table one_time_codes add column session uuid;

create or replace function row_open_code(args json) returns text language sql as $$
    insert into one_time_codes (id, user_id, purpose, expires_at, session)
    values ((args ->> 'id')::uuid, (args ->> 'userId')::uuid, args ->> 'purpose', (args ->> 'expiresAt')::timestamptz,
        (args ->> 'session')::uuid)
    on conflict (id) do nothing;
    select null::text;
$$;
