-- The goals of each person: what was aimed at, and how it has ended. Folded from the log.
create table goals (
    -- the owner's id
    key        text primary key,
    owner_id   uuid not null,
    goals      json not null check (json_typeof(goals) = 'array'),
    -- when the first of the open ones ends
    next_end   timestamptz,
    updated_at timestamptz not null,
    check (key = owner_id::text)
);
create index goals_ending on goals (next_end) where next_end is not null;

alter table goals enable row level security;
create policy owners_rows on goals using (in_scope(owner_id));
grant select, insert, update, delete on goals to :role;
grant select on goals to mirrormate_reader;

select register_read_model('goals');

-- Up to which position of the log reports have been looked at for goals. What was looked at twice does no harm.
create table goal_watch (
    only_row          boolean primary key default true check (only_row),
    examined_position bigint not null default 0 check (examined_position >= 0)
);
insert into goal_watch default values;

grant select, update (examined_position) on goal_watch to :role;
