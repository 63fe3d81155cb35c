-- Incarnations that a restore has cut off: the topic holds their messages, this history never had them or has them no more.
create table cut_incarnations (
    incarnation uuid primary key,
    -- The incarnation that began with the restore; its fork is the last position shared.
    successor   uuid not null references incarnations
);

-- The relay found that topic and log disagree: no append until a confirmed restore.
create function refuse_appends(reason text) returns void language sql security definer set search_path from current as $$
    update head set refused = reason where refused is distinct from reason;
$$;

-- A confirmed restore: history goes on behind the fork under a new name. The lease numbers go on above all that the topic
-- has seen, and whoever holds the lease has lost it.
-- What the topic does not hold behind "published" is published again.
create function begin_incarnation(next uuid, fork bigint, published bigint, top_epoch bigint, cut uuid[]) returns void
language plpgsql security definer set search_path from current as $$
declare
    current uuid;
begin
    select incarnation into current from head for update;
    insert into incarnations (incarnation, parent, fork) values (next, current, begin_incarnation.fork);
    insert into cut_incarnations (incarnation, successor)
        select c, next from unnest(cut) c where not exists (select from incarnations i where i.incarnation = c)
        on conflict do nothing;
    update head set incarnation = next, refused = null;
    delete from relay_partitions;
    update relay set cursor = least(cursor, published), epoch = greatest(epoch, top_epoch) + 1,
        holder = null, lease_until = '-infinity', rewind_to = null;
end $$;

grant select on cut_incarnations to :role;
grant execute on function refuse_appends, begin_incarnation to :role;
