-- The relay found that topic and log disagree: no append until a confirmed restore.
create function refuse_appends(reason text) returns void language sql security definer set search_path from current as $$
    update head set refused = reason where refused is distinct from reason;
$$;

-- A confirmed restore: history goes on behind the fork under a new name.
create function begin_incarnation(next uuid, fork bigint) returns void
language plpgsql security definer set search_path from current as $$
declare
    current uuid;
begin
    select incarnation into current from head for update;
    insert into incarnations (incarnation, parent, fork) values (next, current, begin_incarnation.fork);
    update head set incarnation = next, refused = null;
    delete from relay_partitions;
    update relay set cursor = least(cursor, begin_incarnation.fork);
end $$;

grant execute on function refuse_appends, begin_incarnation to :role;
