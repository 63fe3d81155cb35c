-- The second factor of an account: the secret of its codes, sealed under a key that is not in the database.
create table second_factors (
    user_id      uuid primary key references profiles on delete cascade,
    sealed       bytea not null,
    -- The login session, or ticket, that it was begun with and that alone may confirm it.
    begun_by     uuid not null,
    begun_at     timestamptz not null default clock_timestamp(),
    -- Null until a first code has shown that its owner has the secret; before that it asks nobody for anything.
    confirmed_at timestamptz,
    -- The time step of the newest code that was used.
    last_step    bigint not null default 0
);

-- What opens the account in place of a code, each once: SHA-256 of the user and 80 random bits.
create table recovery_codes (
    user_id   uuid not null references second_factors on delete cascade,
    code_hash bytea not null check (octet_length(code_hash) = 32),
    primary key (user_id, code_hash)
);

-- Begins one, or begins anew what was not confirmed. Only with a confirmed address: else a stranger who signed up with it
-- could keep its owner out for ever.
create function row_begin_second_factor(args json) returns text language plpgsql as $$
begin
    perform from credentials where user_id = (args ->> 'userId')::uuid and verified_at is not null;
    if not found then
        return 'email-unverified';
    end if;
    insert into second_factors as f (user_id, sealed, begun_by)
    values ((args ->> 'userId')::uuid, decode(args ->> 'sealed', 'hex'), (args ->> 'begunBy')::uuid)
    on conflict (user_id) do update
        set sealed = excluded.sealed, begun_by = excluded.begun_by, begun_at = excluded.begun_at, last_step = 0
        where f.confirmed_at is null;
    return case when found then null else 'second-factor-exists' end;
end $$;

-- Confirms the one that a code was checked against. The login session that does it has shown it.
create function row_confirm_second_factor(args json) returns text language plpgsql as $$
begin
    update second_factors set confirmed_at = clock_timestamp(), last_step = (args ->> 'step')::bigint
    where user_id = (args ->> 'userId')::uuid and begun_by = (args ->> 'begunBy')::uuid and confirmed_at is null
        and sealed = decode(args ->> 'sealed', 'hex');
    if not found then
        return 'second-factor-invalid';
    end if;
    update logins set amr = concat_ws(' ', amr, 'otp')
    where session = (args ->> 'begunBy')::uuid and user_id = (args ->> 'userId')::uuid;
    return null;
end $$;

-- Uses the code of a time step up, and those of all earlier ones.
create function row_use_time_step(args json) returns text language plpgsql as $$
begin
    update second_factors set last_step = (args ->> 'step')::bigint
    where user_id = (args ->> 'userId')::uuid and confirmed_at is not null and last_step < (args ->> 'step')::bigint;
    return case when found then null else 'second-factor-invalid' end;
end $$;

create function row_use_recovery_code(args json) returns text language plpgsql as $$
begin
    delete from recovery_codes
    where user_id = (args ->> 'userId')::uuid and code_hash = decode(args ->> 'codeHash', 'hex');
    return case when found then null else 'second-factor-invalid' end;
end $$;

-- All recovery codes at once; earlier ones are worth nothing from then on.
create function row_put_recovery_codes(args json) returns text language sql as $$
    delete from recovery_codes where user_id = (args ->> 'userId')::uuid;
    insert into recovery_codes (user_id, code_hash)
    select (args ->> 'userId')::uuid, decode(code, 'hex')
    from json_array_elements_text(args -> 'codeHashes') code;
    select null::text;
$$;

create function row_remove_second_factor(args json) returns text language sql as $$
    delete from second_factors where user_id = (args ->> 'userId')::uuid;
    select null::text;
$$;

-- Guards what one proof is enough for, when a second factor came meanwhile.
create function row_one_factor_suffices(args json) returns text language plpgsql as $$
begin
    if exists (select from second_factors
        where user_id = (args ->> 'userId')::uuid and confirmed_at is not null) then
        return 'second-factor-needed';
    end if;
    return null;
end $$;

alter table second_factors enable row level security;
create policy owners_rows on second_factors using (in_scope(user_id));
alter table recovery_codes enable row level security;
create policy owners_rows on recovery_codes using (in_scope(user_id));
grant select on second_factors, recovery_codes to :role;
