-- A change of address that waits comes without the address before it only once that was told so, and had the time since that it was
-- promised. And it goes with the login session that asked for it, when its owner puts that out.
alter table email_changes
    -- The login session that asked for it; null in changes of before this was noted.
    add column session uuid,
    -- When everything that the address before is told ahead of the change had left the outbox.
    add column told_at timestamptz;

-- Asked under the log's head lock.
create index email_changes_by_waiting_address on email_changes (lower(new_email))
    where changed_at is null and proven_at is not null;

-- As before, with the login session that asks.
create or replace function row_ask_email_change(args json) returns text language plpgsql as $$
begin
    insert into email_changes (id, user_id, new_email, old_email, keep_id, expires_at, session)
    select (args ->> 'id')::uuid, user_id, args ->> 'newEmail', p.email,
        case when c.verified_at is not null then (args ->> 'keepId')::uuid end, (args ->> 'expiresAt')::timestamptz,
        (args ->> 'session')::uuid
    from credentials c join profiles p using (user_id) where user_id = (args ->> 'userId')::uuid;
    return case when found then null else 'user-gone' end;
end $$;

-- The address that was noted as the one before is still the account's. Else it may be a stranger's, and is told nothing.
create function row_old_email_stands(args json) returns text language plpgsql as $$
begin
    perform from email_changes e join profiles p using (user_id)
    where e.id = (args ->> 'id')::uuid and e.user_id = (args ->> 'userId')::uuid
        and lower(e.old_email) = lower(p.email);
    return case when found then null else 'code-invalid' end;
end $$;

-- When an address has changed: what else was asked for while it was the account's, and was never confirmed, comes to nothing. Those
-- of which it was mailed a code stay for that code, which no change takes away.
create function row_forget_asked_email_changes(args json) returns text language sql as $$
    delete from email_changes
    where user_id = (args ->> 'userId')::uuid and changed_at is null and proven_at is null and keep_id is null;
    select null::text;
$$;

-- Notes that the address before was told, once all mails have left, of which none is parked then; or that it was not, though the change
-- is due. In both cases the change comes no sooner than `dueAt`, and what keeps the account counts for as much longer.
create function row_tell_of_email_change(args json) returns text language plpgsql as $$
declare
    change email_changes;
    is_told boolean;
    moved timestamptz;
begin
    select * into change from email_changes
    where id = (args ->> 'id')::uuid and changed_at is null and due_at is not null and told_at is null;
    if not found then
        return 'code-invalid';
    end if;
    is_told := change.reminded_at is not null and not exists (
        select from mail_outbox where id in (change.keep_id, change.confirm_id, change.remind_id));
    if not is_told and change.due_at > clock_timestamp() then
        return 'code-invalid';
    end if;
    moved := greatest(change.due_at, (args ->> 'dueAt')::timestamptz);
    update email_changes set told_at = case when is_told then clock_timestamp() end, due_at = moved,
        expires_at = expires_at + (moved - change.due_at)
    where id = change.id;
    update one_time_codes c set expires_at = greatest(c.expires_at, case when c.id = change.keep_id
        then change.expires_at + (moved - change.due_at) else moved end)
    where c.id in (change.keep_id, change.confirm_id);
    return null;
end $$;

-- No change waits that another login session asked for. Refused as a login session is that begins while all others end: then it is
-- asked anew what ends.
create function row_no_other_email_change(args json) returns text language plpgsql as $$
begin
    perform from email_changes
    where user_id = (args ->> 'userId')::uuid and proven_at is not null and changed_at is null
        and session is distinct from (args ->> 'session')::uuid;
    if found then
        return 'login-begun';
    end if;
    return null;
end $$;
