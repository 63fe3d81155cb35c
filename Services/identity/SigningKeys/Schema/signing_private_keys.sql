-- The private halves of the keys in signing_keys, sealed (AES-256-GCM) under a key that is not in the database.
create table signing_private_keys (
    kid        uuid primary key,
    sealed     bytea not null,
    not_before timestamptz not null,
    expires_at timestamptz not null check (expires_at > not_before)
);

-- Refused when there is a key already that lasts: instances that start together make one key, not two.
create function row_put_private_key(args json) returns text language plpgsql as $$
begin
    if exists (select from signing_private_keys where expires_at > (args ->> 'unlessOneLastsUntil')::timestamptz) then
        return 'signing-key-exists';
    end if;
    insert into signing_private_keys (kid, sealed, not_before, expires_at)
    values ((args ->> 'kid')::uuid, decode(args ->> 'sealed', 'hex'), (args ->> 'notBefore')::timestamptz,
        (args ->> 'expiresAt')::timestamptz);
    return null;
end $$;

create function row_drop_private_key(args json) returns text language sql as $$
    delete from signing_private_keys where kid = (args ->> 'kid')::uuid;
    select null::text;
$$;

grant select on signing_private_keys to :role;
