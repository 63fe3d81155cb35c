-- Guards appends that rest on something that was verified before them, outside of their transaction.

-- That the password is still the one that was verified. A renewed hash of the same password leaves changed_at as it is.
create function row_password_stands(args json) returns text language plpgsql as $$
begin
    perform from credentials
    where user_id = (args ->> 'userId')::uuid and changed_at = (args ->> 'changedAt')::timestamptz;
    return case when found then null else 'password-changed' end;
end $$;

-- That a device is still anonymous, so that its secret lets somebody in.
create function row_device_stands(args json) returns text language plpgsql as $$
begin
    perform from credentials where user_id = (args ->> 'userId')::uuid;
    if found then
        return 'device-has-account';
    end if;
    return null;
end $$;
