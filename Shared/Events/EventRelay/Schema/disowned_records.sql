-- Records of the topic that this service never wrote, and the incarnation that began to leave them behind. Consumers are told
-- of them, so that they take back what followed from these alone.
create table disowned_records (
    successor uuid not null references incarnations,
    position  bigint not null,
    id        uuid not null,
    primary key (successor, position, id)
);

-- Together with begin_incarnation, in one statement.
create function disown_records(next uuid, positions bigint[], ids uuid[]) returns void
language sql security definer set search_path from current as $$
    insert into disowned_records (successor, position, id)
    select next, r.position, r.id from unnest(positions, ids) as r (position, id) on conflict do nothing;
$$;

grant select on disowned_records to :role;
grant execute on function disown_records to :role;
