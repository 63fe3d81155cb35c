-- Changes of an account's address: those that were asked for, and those that the old address can still take back. The mail
-- to the new address has the row's id, the one to the old address its `keep_id`, so the outbox holds no address.
create table email_changes (
    id           uuid primary key,
    user_id      uuid not null references profiles on delete cascade,
    new_email    text not null check (octet_length(new_email) between 3 and 254),
    old_email    text not null check (octet_length(old_email) between 3 and 254),
    -- Null when the old address was never confirmed: then it may be somebody else's, who has no say.
    keep_id      uuid unique,
    -- When the new address was confirmed.
    changed_at   timestamptz,
    -- Until when the old address can keep the account.
    expires_at   timestamptz not null
);
create index email_changes_by_user on email_changes (user_id);
create index email_changes_by_old_address on email_changes (lower(old_email));
create index email_changes_by_end on email_changes (expires_at);

-- Whether an address can still take an account back, so that nobody else may have it meanwhile.
create function is_kept_address(address text, but uuid) returns boolean language sql stable as $$
    select exists (select from email_changes
        where lower(old_email) = lower(address) and user_id <> but and changed_at is not null and keep_id is not null
            and expires_at > clock_timestamp());
$$;

create or replace function row_put_credentials(args json) returns text language plpgsql as $$
begin
    insert into credentials (user_id, email_key, password_hash)
    values ((args ->> 'userId')::uuid, args ->> 'emailKey', args ->> 'passwordHash')
    on conflict (email_key) do nothing;
    -- Asked afterwards: a change that let the address go meanwhile is seen only then.
    if not found or is_kept_address(args ->> 'emailKey', (args ->> 'userId')::uuid) then
        return 'email-taken';
    end if;
    return null;
end $$;

create function row_ask_email_change(args json) returns text language plpgsql as $$
begin
    insert into email_changes (id, user_id, new_email, old_email, keep_id, expires_at)
    select (args ->> 'id')::uuid, user_id, args ->> 'newEmail', p.email,
        case when c.verified_at is not null then (args ->> 'keepId')::uuid end, (args ->> 'expiresAt')::timestamptz
    from credentials c join profiles p using (user_id) where user_id = (args ->> 'userId')::uuid;
    return case when found then null else 'user-gone' end;
end $$;

-- The code of the mail to the new address, which the same append uses up, stands for its owner. Every other code was mailed
-- to the old address and goes, but those that keep the account.
create function row_change_email(args json) returns text language plpgsql as $$
declare
    change email_changes;
begin
    select * into change from email_changes
    where id = (args ->> 'id')::uuid and user_id = (args ->> 'userId')::uuid and changed_at is null
        and expires_at > clock_timestamp();
    if not found then
        return 'code-invalid';
    end if;
    begin
        update credentials set email_key = lower(change.new_email), verified_at = clock_timestamp()
        where user_id = change.user_id;
    exception when unique_violation then
        return 'email-taken';
    end;
    if is_kept_address(change.new_email, change.user_id) then
        return 'email-taken';
    end if;
    update profiles set email = change.new_email where user_id = change.user_id;
    update email_changes set changed_at = clock_timestamp() where id = change.id;
    delete from one_time_codes where user_id = change.user_id and purpose <> 'keep-address';
    return null;
end $$;

-- Gives the account back to the address that it had before the change, whatever has become of it since.
create function row_keep_email(args json) returns text language plpgsql as $$
declare
    change email_changes;
begin
    select * into change from email_changes
    where keep_id = (args ->> 'keepId')::uuid and user_id = (args ->> 'userId')::uuid
        and expires_at > clock_timestamp();
    if not found then
        return 'code-invalid';
    end if;
    update credentials set email_key = lower(change.old_email), verified_at = clock_timestamp()
    where user_id = change.user_id;
    update profiles set email = change.old_email where user_id = change.user_id;
    -- Older changes stay, with their codes: the address before them comes before this one. Ids are in the order of time.
    delete from email_changes where user_id = change.user_id and id >= change.id;
    delete from one_time_codes c where user_id = change.user_id
        and not exists (select from email_changes e where e.keep_id = c.id);
    return null;
end $$;

-- As before, but that a code which keeps an account ends no other one.
create or replace function row_use_code(args json) returns text language plpgsql as $$
begin
    perform from one_time_codes
    where id = (args ->> 'id')::uuid and user_id = (args ->> 'userId')::uuid and purpose = args ->> 'purpose'
        and expires_at > clock_timestamp();
    if not found then
        return 'code-invalid';
    end if;
    delete from one_time_codes where user_id = (args ->> 'userId')::uuid and purpose = args ->> 'purpose'
        and (purpose <> 'keep-address' or id = (args ->> 'id')::uuid);
    return null;
end $$;

alter table email_changes enable row level security;
create policy owners_rows on email_changes using (in_scope(user_id));
grant select, delete on email_changes to :role;
grant execute on function is_kept_address to :role;
