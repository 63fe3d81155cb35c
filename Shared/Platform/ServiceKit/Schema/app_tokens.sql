-- The long-lived tokens of apps whose clients cannot refresh, as identity announces them: by the hash of their text.
create table app_tokens (
    -- SHA-256 of the token's text
    hash       bytea primary key check (octet_length(hash) = 32),
    owner_id   uuid not null,
    -- The login session that it belongs to; it ends with that.
    session    uuid not null,
    -- The app's routes, the only ones that it opens.
    surface    text not null,
    time_zone  text,
    expires_at timestamptz not null
);
create index app_tokens_by_session on app_tokens (session);
create index app_tokens_by_owner on app_tokens (owner_id);
create index app_tokens_by_end on app_tokens (expires_at);

-- Told again after its login session has ended, it is not learned any more.
create function row_learn_app_token(args json) returns text language sql as $$
    insert into app_tokens (hash, owner_id, session, surface, time_zone, expires_at)
    select decode(args ->> 'hash', 'hex'), (args ->> 'userId')::uuid, (args ->> 'session')::uuid, args ->> 'surface',
        args ->> 'timeZone', (args ->> 'expiresAt')::timestamptz
    where not exists (select from ended_logins where session = (args ->> 'session')::uuid)
    on conflict (hash) do nothing;
    select null::text;
$$;

create function row_forget_app_tokens(args json) returns text language sql as $$
    delete from app_tokens where owner_id = (args ->> 'userId')::uuid;
    select null::text;
$$;

create function row_end_app_tokens(args json) returns text language sql as $$
    delete from app_tokens where session = (args ->> 'session')::uuid;
    select null::text;
$$;

alter table app_tokens enable row level security;
create policy owners_rows on app_tokens using (in_scope(owner_id));
grant select, delete on app_tokens to :role;
