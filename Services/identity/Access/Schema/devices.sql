-- Anonymous devices by a keyed hash of the id that they chose. Their secrets are derived, so there is none to steal here.
create table devices (
    device_key bytea primary key check (octet_length(device_key) = 32),
    user_id    uuid not null unique references profiles on delete cascade
);

create function row_put_device(args json) returns text language plpgsql as $$
begin
    insert into devices (device_key, user_id) values (decode(args ->> 'deviceKey', 'hex'), (args ->> 'userId')::uuid)
    on conflict (device_key) do nothing;
    return case when found then null else 'device-secret-invalid' end;
end $$;

alter table devices enable row level security;
create policy owners_rows on devices using (in_scope(user_id));
grant select on devices to :role;
