-- Accounts' identities at Google and Apple, by a keyed hash of the subject that the provider knows somebody by. One account
-- for an identity, and one identity of a provider for an account.
create table linked_identities (
    provider     text not null check (provider in ('google', 'apple')),
    subject_hash bytea not null check (octet_length(subject_hash) = 32),
    user_id      uuid not null references profiles on delete cascade,
    linked_at    timestamptz not null default clock_timestamp(),
    primary key (provider, subject_hash),
    unique (user_id, provider)
);

-- An account that only an identity opens has its address here too, and the hash of no password.
alter table credentials add column has_password boolean not null default true;

-- Whether a user is more than an anonymous device.
create function has_account(of_user uuid) returns boolean language sql stable as $$
    select exists (select from credentials c where c.user_id = of_user)
        or exists (select from linked_identities i where i.user_id = of_user);
$$;

create function row_put_identity(args json) returns text language plpgsql as $$
declare
    owner uuid;
begin
    select user_id into owner from linked_identities
    where provider = args ->> 'provider' and subject_hash = decode(args ->> 'subjectHash', 'hex');
    if found then
        if owner = (args ->> 'userId')::uuid then
            return null;
        end if;
        return 'identity-linked';
    end if;
    insert into linked_identities (provider, subject_hash, user_id)
    values (args ->> 'provider', decode(args ->> 'subjectHash', 'hex'), (args ->> 'userId')::uuid)
    on conflict (user_id, provider) do nothing;
    return case when found then null else 'provider-linked' end;
end $$;

create function row_remove_identity(args json) returns text language sql as $$
    delete from linked_identities
    where user_id = (args ->> 'userId')::uuid and provider = args ->> 'provider';
    select null::text;
$$;

-- Guards an append that rests on an identity which was looked up before it.
create function row_identity_stands(args json) returns text language plpgsql as $$
begin
    perform from linked_identities
    where user_id = (args ->> 'userId')::uuid and provider = args ->> 'provider'
        and linked_at = (args ->> 'linkedAt')::timestamptz;
    return case when found then null else 'identity-unlinked' end;
end $$;

-- The address of an account without a password, which its provider has confirmed.
create function row_put_address(args json) returns text language plpgsql as $$
begin
    insert into credentials (user_id, email_key, password_hash, has_password, verified_at)
    values ((args ->> 'userId')::uuid, args ->> 'emailKey', args ->> 'passwordHash', false, clock_timestamp())
    on conflict (email_key) do nothing;
    if not found or is_kept_address(args ->> 'emailKey', (args ->> 'userId')::uuid) then
        return 'email-taken';
    end if;
    return null;
end $$;

-- As before; who had none has one from then on.
create or replace function row_reset_password(args json) returns text language sql as $$
    update credentials set password_hash = args ->> 'passwordHash', has_password = true, changed_at = clock_timestamp()
    where user_id = (args ->> 'userId')::uuid;
    select null::text;
$$;

create function row_disable_password(args json) returns text language sql as $$
    update credentials set password_hash = args ->> 'passwordHash', changed_at = clock_timestamp()
    where user_id = (args ->> 'userId')::uuid;
    select null::text;
$$;

-- As before, but an account may be one without a password or an address.
create or replace function row_device_stands(args json) returns text language plpgsql as $$
begin
    if has_account((args ->> 'userId')::uuid) then
        return 'device-has-account';
    end if;
    perform from devices where user_id = (args ->> 'userId')::uuid
        and secret_number = coalesce((args ->> 'number')::bigint, secret_number);
    return case when found then null else 'device-secret-invalid' end;
end $$;

create or replace function refresh_login(
    presented_session uuid, presented bigint, grace interval
) returns table (verdict text, owner uuid, number bigint, is_account boolean) language plpgsql as $$
declare
    login logins;
begin
    select * into login from logins l
    where l.session = presented_session and l.expires_at > clock_timestamp() for update;
    if not found then
        verdict := 'unknown';
    -- A higher number than known was given out before the database was restored to an earlier state.
    elsif presented >= login.generation then
        update logins l set generation = presented + 1, turned_at = clock_timestamp() where l.session = presented_session;
        verdict := 'turned';
        number := presented + 1;
    elsif presented = login.generation - 1 and clock_timestamp() <= login.turned_at + grace then
        verdict := 'repeated';
        number := login.generation;
    else
        verdict := 'reused';
    end if;
    owner := login.user_id;
    is_account := has_account(login.user_id);
    return next;
end $$;

alter table linked_identities enable row level security;
create policy owners_rows on linked_identities using (in_scope(user_id));
grant select on linked_identities to :role;
grant execute on function has_account to :role;
