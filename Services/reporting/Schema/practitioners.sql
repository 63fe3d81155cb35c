-- What somebody has chosen for their streaks, and the milestones that they have reached. Folded from the log.
create table practitioners (
    -- the owner's id
    key           text primary key,
    owner_id      uuid not null,
    grace_minutes integer not null check (grace_minutes between 0 and 360),
    frozen_days   json not null check (json_typeof(frozen_days) = 'array'),
    milestones    json not null check (json_typeof(milestones) = 'array'),
    updated_at    timestamptz not null,
    check (key = owner_id::text)
);
create index practitioners_changed on practitioners (updated_at);

alter table practitioners enable row level security;
create policy owners_rows on practitioners using (in_scope(owner_id));
grant select, insert, update, delete on practitioners to :role;
grant select on practitioners to mirrormate_reader;

select register_read_model('practitioners');
