-- How somebody signs in with a password. One account per address, whatever its case.
create table credentials (
    user_id       uuid primary key references profiles on delete cascade,
    email_key     text not null unique check (email_key = lower(email_key)),
    -- Argon2id in the PHC string format.
    password_hash text not null check (password_hash like '$argon2id$%'),
    changed_at    timestamptz not null default clock_timestamp(),
    -- When somebody has read a mail to the address.
    verified_at   timestamptz
);

create function row_put_credentials(args json) returns text language plpgsql as $$
begin
    insert into credentials (user_id, email_key, password_hash)
    values ((args ->> 'userId')::uuid, args ->> 'emailKey', args ->> 'passwordHash')
    on conflict (email_key) do nothing;
    return case when found then null else 'email-taken' end;
end $$;

-- Under the hash that was checked, so that of two changes at once the later one hears of the first.
create function row_change_password(args json) returns text language plpgsql as $$
begin
    update credentials set password_hash = args ->> 'passwordHash', changed_at = clock_timestamp()
    where user_id = (args ->> 'userId')::uuid and password_hash = args ->> 'checkedHash';
    return case when found then null else 'password-changed' end;
end $$;

-- Without the old hash: a mailed code, which the same append uses up, stands for it.
create function row_reset_password(args json) returns text language sql as $$
    update credentials set password_hash = args ->> 'passwordHash', changed_at = clock_timestamp()
    where user_id = (args ->> 'userId')::uuid;
    select null::text;
$$;

create function row_verify_email(args json) returns text language sql as $$
    update credentials set verified_at = coalesce(verified_at, clock_timestamp())
    where user_id = (args ->> 'userId')::uuid;
    select null::text;
$$;

alter table credentials enable row level security;
create policy owners_rows on credentials using (in_scope(user_id));
grant select, update (password_hash) on credentials to :role;
