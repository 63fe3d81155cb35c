-- The keys of the compatible surface, as identity announces them: by the hash of their text.
create table api_keys (
    id      uuid primary key,
    -- SHA-256 of the key's text; null of a key whose revocation came first
    hash    bytea check (octet_length(hash) = 32),
    role    text,
    revoked boolean not null default false
);

-- A key that was revoked stays so, whatever comes later.
create function row_learn_api_key(args json) returns text language sql as $$
    insert into api_keys (id, hash, role)
    values ((args ->> 'keyId')::uuid, decode(args ->> 'hash', 'hex'), args ->> 'role')
    on conflict (id) do nothing;
    select null::text;
$$;

create function row_revoke_api_key(args json) returns text language sql as $$
    insert into api_keys (id, revoked) values ((args ->> 'keyId')::uuid, true)
    on conflict (id) do update set revoked = true;
    select null::text;
$$;

-- What identity never said, or what a restore of its store has undone, counts no longer; a revocation is for good.
create function row_take_back_api_key(args json) returns text language sql as $$
    delete from api_keys
    where id = (args ->> 'keyId')::uuid and hash = decode(args ->> 'hash', 'hex') and not revoked;
    select null::text;
$$;

grant select on api_keys to :role;
