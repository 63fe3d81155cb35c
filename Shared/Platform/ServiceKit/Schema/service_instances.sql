-- The service's processes, so that a death is known and dated: the last heartbeat, a row each second and no event.
create table service_instances (
    instance   uuid primary key,
    started_at timestamptz not null default clock_timestamp(),
    beat_at    timestamptz not null default clock_timestamp(),
    -- When it ended in order; null while it runs, and for one that was killed.
    ended_at   timestamptz,
    -- Whether an event tells its end.
    told       boolean not null default false
);

-- An instance begins, or goes on after it was taken for dead. What is older than a month is forgotten: the events stay.
create function row_begin_instance(args json) returns text language sql as $$
    delete from service_instances where told and beat_at < clock_timestamp() - interval '31 days';
    insert into service_instances (instance) values ((args ->> 'instance')::uuid)
    on conflict (instance) do update set told = false, ended_at = null, beat_at = clock_timestamp();
    select null::text;
$$;

-- An event tells the end of an instance; refused when another start has told it.
create function row_tell_instance(args json) returns text language plpgsql as $$
begin
    update service_instances set told = true where instance = (args ->> 'instance')::uuid and not told;
    if found then return null; end if;
    return 'instance-told';
end $$;

-- Says that an instance runs. Gives whether it is not taken for dead.
create function beat_instance(running uuid) returns boolean
language sql security definer set search_path from current as $$
    with beaten as (
        update service_instances set beat_at = clock_timestamp() where instance = running and not told returning 1)
    select exists (select from beaten);
$$;

-- Says that an instance has ended in order.
create function end_instance(running uuid) returns void
language sql security definer set search_path from current as $$
    update service_instances set beat_at = clock_timestamp(), ended_at = clock_timestamp() where instance = running;
$$;

grant select on service_instances to :role, mirrormate_reader;
grant execute on function beat_instance, end_instance to :role;
