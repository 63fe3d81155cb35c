-- Anonymous devices whose secret lets nobody in any more; and the account that what was practised on a device came to last,
-- whose owner may say so when the device is lost.
alter table devices
    add column changed_at     timestamptz,
    add column used_at        timestamptz,
    add column revoked_at     timestamptz,
    add column account_id     uuid references profiles on delete set null,
    add column handed_over_at timestamptz;
create index devices_by_account on devices (account_id);

-- What was handed over before.
update devices d set account_id = last.account, handed_over_at = last.recorded_at
from (
    select distinct on (stream) stream, (data ->> 'accountId')::uuid as account, recorded_at
    from events where type = 'DeviceHandedOver' order by stream, version desc
) last
where last.stream = 'user-' || d.user_id and exists (select from profiles p where p.user_id = last.account);

create function row_hand_device_over(args json) returns text language sql as $$
    update devices set account_id = (args ->> 'accountId')::uuid,
        handed_over_at = coalesce((args ->> 'at')::timestamptz, clock_timestamp())
    where user_id = (args ->> 'userId')::uuid
        and exists (select from profiles where user_id = (args ->> 'accountId')::uuid);
    select null::text;
$$;

create function row_revoke_device(args json) returns text language sql as $$
    update devices set revoked_at = clock_timestamp()
    where user_id = (args ->> 'userId')::uuid and revoked_at is null;
    select null::text;
$$;

-- As before, but that a revoked one does not stand.
create or replace function row_device_stands(args json) returns text language plpgsql as $$
begin
    if has_account((args ->> 'userId')::uuid) then
        return 'device-has-account';
    end if;
    update devices set used_at = clock_timestamp() where user_id = (args ->> 'userId')::uuid and revoked_at is null
        and secret_number = coalesce((args ->> 'number')::bigint, secret_number);
    return case when found then null else 'device-secret-invalid' end;
end $$;

create or replace function row_change_device_secret(args json) returns text language plpgsql as $$
begin
    update devices set secret_number = (args ->> 'number')::bigint, changed_at = clock_timestamp()
    where user_id = (args ->> 'userId')::uuid and secret_number = (args ->> 'number')::bigint - 1
        and revoked_at is null;
    return case when found then null else 'device-secret-invalid' end;
end $$;
