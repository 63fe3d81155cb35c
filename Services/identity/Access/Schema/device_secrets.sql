-- The number of a device's present secret: 0 for the one that it was given first.
alter table devices add column secret_number bigint not null default 0 check (secret_number >= 0);

create function row_change_device_secret(args json) returns text language plpgsql as $$
begin
    update devices set secret_number = (args ->> 'number')::bigint
    where user_id = (args ->> 'userId')::uuid and secret_number = (args ->> 'number')::bigint - 1;
    return case when found then null else 'device-secret-invalid' end;
end $$;
