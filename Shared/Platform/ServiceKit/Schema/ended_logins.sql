-- Login sessions that identity says it has ended: their access tokens are refused for as long as one could still be valid.
create table ended_logins (
    session      uuid primary key,
    -- The last moment at which a token of it could be valid.
    tokens_until timestamptz not null
);
create index ended_logins_by_end on ended_logins (tokens_until);

-- Told again after a restore, it may name a later moment; the latest stands.
create function row_learn_login_end(args json) returns text language sql as $$
    insert into ended_logins as e (session, tokens_until)
    values ((args ->> 'session')::uuid, (args ->> 'tokensUntil')::timestamptz)
    on conflict (session) do update set tokens_until = greatest(e.tokens_until, excluded.tokens_until);
    select null::text;
$$;

grant select, delete on ended_logins to :role;
