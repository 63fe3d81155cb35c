-- Another address for an account whose address is confirmed waits, once it has shown whose it is, until the one so far confirms
-- the change too, or until it has been silent for long enough. Each mail to the address so far has an id of its own.
alter table email_changes
    -- When the new address has shown whose it is, and when that is enough.
    add column proven_at   timestamptz,
    add column due_at      timestamptz,
    -- The mails that ask to confirm the change, that remind of it, and that tell of it when it has taken effect.
    add column confirm_id  uuid unique,
    add column remind_id   uuid unique,
    add column tell_id     uuid unique,
    add column reminded_at timestamptz;
create index email_changes_by_due on email_changes (due_at) where changed_at is null;

-- Whether somebody else may not have an address: it can still take an account back, or it has shown that it is to be an
-- account's.
create or replace function is_kept_address(address text, but uuid) returns boolean language sql stable as $$
    select exists (select from email_changes
        where lower(old_email) = lower(address) and user_id <> but and changed_at is not null and keep_id is not null
            and expires_at > clock_timestamp())
        or exists (select from email_changes
            where lower(new_email) = lower(address) and user_id <> but and changed_at is null and proven_at is not null
                and expires_at > clock_timestamp());
$$;

-- The code of the mail to the new address, which the same append uses up, stands for its owner.
create function row_prove_email_change(args json) returns text language plpgsql as $$
declare
    change email_changes;
begin
    select * into change from email_changes
    where id = (args ->> 'id')::uuid and user_id = (args ->> 'userId')::uuid and changed_at is null
        and proven_at is null and expires_at > clock_timestamp();
    if not found then
        return 'code-invalid';
    end if;
    perform from credentials where email_key = lower(change.new_email) and user_id <> change.user_id;
    if found or is_kept_address(change.new_email, change.user_id) then
        return 'email-taken';
    end if;
    -- One waits at a time.
    delete from email_changes
    where user_id = change.user_id and id <> change.id and proven_at is not null and changed_at is null;
    update email_changes set proven_at = clock_timestamp(), due_at = (args ->> 'dueAt')::timestamptz,
        keep_id = coalesce(keep_id, (args ->> 'keepId')::uuid), confirm_id = (args ->> 'confirmId')::uuid,
        remind_id = (args ->> 'remindId')::uuid, tell_id = (args ->> 'tellId')::uuid,
        expires_at = (args ->> 'expiresAt')::timestamptz
    where id = change.id;
    -- The address so far can keep the account for as long as the change can come.
    update one_time_codes set expires_at = (args ->> 'expiresAt')::timestamptz where id = change.keep_id;
    return null;
end $$;

-- As before; from then on the address before can keep the account for some days more.
create or replace function row_change_email(args json) returns text language plpgsql as $$
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
    update email_changes set changed_at = clock_timestamp(),
        expires_at = greatest(expires_at, (args ->> 'keepUntil')::timestamptz)
    where id = change.id;
    update one_time_codes set expires_at = greatest(expires_at, (args ->> 'keepUntil')::timestamptz)
    where id = change.keep_id;
    delete from one_time_codes where user_id = change.user_id and purpose <> 'keep-address';
    return null;
end $$;

-- As before; no other change waits any more either.
create or replace function row_keep_email(args json) returns text language plpgsql as $$
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
    delete from email_changes where user_id = change.user_id
        and (id >= change.id or (changed_at is null and proven_at is not null));
    delete from one_time_codes c where user_id = change.user_id
        and not exists (select from email_changes e where e.keep_id = c.id);
    return null;
end $$;

-- What has not taken effect does not any more.
create function row_drop_email_change(args json) returns text language sql as $$
    delete from email_changes
    where user_id = (args ->> 'userId')::uuid and proven_at is not null and changed_at is null;
    select null::text;
$$;

-- Once for each change, whichever instance is the quicker.
create function row_remind_of_email_change(args json) returns text language plpgsql as $$
begin
    update email_changes set reminded_at = clock_timestamp()
    where id = (args ->> 'id')::uuid and changed_at is null and reminded_at is null;
    return case when found then null else 'code-invalid' end;
end $$;
