-- A change of address that waits goes with the login session that asked for it, also when its owner ends that one alone.

-- As before, and that the login session that asked still lasts: whoever was put out brings no change about with a code that they have
-- left over, in whatever login session.
create or replace function row_old_email_stands(args json) returns text language plpgsql as $$
begin
    perform from email_changes e join profiles p using (user_id)
    where e.id = (args ->> 'id')::uuid and e.user_id = (args ->> 'userId')::uuid
        and lower(e.old_email) = lower(p.email)
        and (e.session is null or exists (select from logins l
            where l.session = e.session and l.user_id = e.user_id and l.expires_at > clock_timestamp()));
    return case when found then null else 'code-invalid' end;
end $$;

-- No change waits that one login session asked for; refused as one that another session than the owner's asked for is.
create function row_no_email_change_of(args json) returns text language plpgsql as $$
begin
    perform from email_changes
    where user_id = (args ->> 'userId')::uuid and proven_at is not null and changed_at is null
        and session = (args ->> 'session')::uuid;
    if found then
        return 'login-begun';
    end if;
    return null;
end $$;
