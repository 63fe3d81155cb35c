-- The public keys of access tokens, as identity published them: each service checks tokens from its own copy.
create table signing_keys (
    kid        text primary key,
    x          text not null,
    y          text not null,
    not_before timestamptz not null,
    expires_at timestamptz not null,
    retired_at timestamptz
);

create function row_learn_key(args json) returns text language sql as $$
    insert into signing_keys (kid, x, y, not_before, expires_at)
    values (args ->> 'kid', args ->> 'x', args ->> 'y', (args ->> 'notBefore')::timestamptz,
        (args ->> 'expiresAt')::timestamptz)
    on conflict (kid) do nothing;
    select null::text;
$$;

create function row_retire_key(args json) returns text language sql as $$
    update signing_keys set retired_at = (args ->> 'retiredAt')::timestamptz where kid = args ->> 'kid';
    select null::text;
$$;

grant select on signing_keys to :role;
