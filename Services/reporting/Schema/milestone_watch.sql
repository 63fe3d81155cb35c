-- Up to which change of the read models streaks have been looked at for milestones. What was looked at twice does no harm.
create table milestone_watch (
    only_row    boolean primary key default true check (only_row),
    examined_to timestamptz not null
);
insert into milestone_watch (examined_to) values ('-infinity');

-- Whose streaks may have grown since: by the change that was looked at last, or a later one.
create function changed_streaks(most integer)
returns table (owner_id uuid, kind text, changed_at timestamptz) language sql stable as $$
    select c.owner_id, c.kind, max(c.changed_at) from (
        (select d.owner_id, d.kind, d.updated_at as changed_at from practice_days d
         where d.updated_at >= (select w.examined_to from milestone_watch w) order by d.updated_at limit most)
        union all
        (select d.owner_id, d.kind, p.updated_at from practitioners p
            join lateral (select distinct x.owner_id, x.kind from practice_days x where x.owner_id = p.owner_id) d on true
         where p.updated_at >= (select w.examined_to from milestone_watch w) order by p.updated_at limit most)
    ) c group by 1, 2 order by 3;
$$;

grant select, update (examined_to) on milestone_watch to :role;
grant execute on function changed_streaks to :role;
