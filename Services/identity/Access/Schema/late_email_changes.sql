-- Time alone does not end a change of address that waits: it takes effect once its wait is over, however late that is noticed, and however
-- short the time is for which the address before can keep the account. Only one that nothing completes for long is swept.

-- As before, but that an address which has shown that it is to be an account's is kept as long as its change waits.
create or replace function is_kept_address(address text, but uuid) returns boolean language sql stable as $$
    select exists (select from email_changes
        where lower(old_email) = lower(address) and user_id <> but and changed_at is not null and keep_id is not null
            and expires_at > clock_timestamp())
        or exists (select from email_changes
            where lower(new_email) = lower(address) and user_id <> but and changed_at is null and proven_at is not null);
$$;

create or replace function row_change_email(args json) returns text language plpgsql as $$
declare
    change email_changes;
begin
    select * into change from email_changes
    where id = (args ->> 'id')::uuid and user_id = (args ->> 'userId')::uuid and changed_at is null
        and (expires_at > clock_timestamp() or proven_at is not null);
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
