-- Guards appends that rest on a login session, or on the secret of a device, which was looked at before them, outside of
-- their transaction.

-- That the login session goes on.
create function row_login_stands(args json) returns text language plpgsql as $$
begin
    perform from logins
    where session = (args ->> 'session')::uuid and user_id = (args ->> 'userId')::uuid
        and expires_at > clock_timestamp();
    return case when found then null else 'login-ended' end;
end $$;

-- As before, and that the secret is still the one that was verified. An older program names no number.
create or replace function row_device_stands(args json) returns text language plpgsql as $$
begin
    perform from credentials where user_id = (args ->> 'userId')::uuid;
    if found then
        return 'device-has-account';
    end if;
    perform from devices where user_id = (args ->> 'userId')::uuid
        and secret_number = coalesce((args ->> 'number')::bigint, secret_number);
    return case when found then null else 'device-secret-invalid' end;
end $$;
