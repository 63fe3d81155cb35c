-- Nonces that were used, until they would be over anyway.
create table used_nonces (
    id         uuid primary key,
    expires_at timestamptz not null
);
create index used_nonces_by_end on used_nonces (expires_at);

create function row_use_nonce(args json) returns text language plpgsql as $$
begin
    insert into used_nonces (id, expires_at) values ((args ->> 'id')::uuid, (args ->> 'expiresAt')::timestamptz)
    on conflict (id) do nothing;
    return case when found then null else 'nonce-used' end;
end $$;

-- Refresh tokens that Apple gave for a user, sealed (AES-256-GCM) under a key that is not in the database: only to be revoked
-- when the user goes or unlinks the identity. A row without a user is to be revoked; nothing in it is of a person then.
create table provider_tokens (
    id        uuid primary key,
    user_id   uuid unique references profiles on delete set null,
    client_id text not null check (octet_length(client_id) between 1 and 255),
    sealed    bytea not null,
    due_at    timestamptz not null default clock_timestamp(),
    attempts  integer not null default 0,
    -- Why it is not tried any more; null while it is.
    parked    text
);
create index provider_tokens_by_time on provider_tokens (due_at) where user_id is null and parked is null;

-- A newer one takes the place of an older one, which the provider goes on to accept: revoking it would take the newer one away.
create function row_put_provider_token(args json) returns text language sql as $$
    insert into provider_tokens as t (id, user_id, client_id, sealed)
    values ((args ->> 'id')::uuid, (args ->> 'userId')::uuid, args ->> 'clientId', decode(args ->> 'sealed', 'hex'))
    on conflict (user_id) do update
        set id = excluded.id, client_id = excluded.client_id, sealed = excluded.sealed;
    select null::text;
$$;

create function row_revoke_provider_token(args json) returns text language sql as $$
    update provider_tokens set user_id = null where user_id = (args ->> 'userId')::uuid;
    select null::text;
$$;

-- Takes the revocation that is due first and sets the time of its next attempt: the wait doubles, up to an hour. Others skip a
-- row that is being taken.
create function take_revocation(retry interval) returns setof provider_tokens language sql as $$
    update provider_tokens t set attempts = t.attempts + 1,
        due_at = clock_timestamp() + least(retry * power(2, least(t.attempts, 20)), interval '1 hour')
    where t.id = (
        select p.id from provider_tokens p
        where p.user_id is null and p.parked is null and p.due_at <= clock_timestamp()
        order by p.due_at limit 1 for update skip locked)
    returning t.*
$$;

alter table provider_tokens enable row level security;
create policy owners_rows on provider_tokens using (in_scope(user_id));
grant select, delete on used_nonces to :role;
grant select, update, delete on provider_tokens to :role;
grant execute on function take_revocation to :role;
