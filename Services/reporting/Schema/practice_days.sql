-- What counts of each local day on which somebody practised, for streaks, totals and times of day: numbers, times and ids. Folded
-- from the log. All but `entries` follows from them, so that many years are read without reading their sessions.
create table practice_days (
    -- owner, kind and day
    key              text primary key,
    owner_id         uuid not null,
    kind             text not null,
    day              text not null check (day ~ '^\d{4}-\d{2}-\d{2}$'),
    -- days since 1 January 1970
    day_number       integer not null,
    sessions         integer not null check (sessions > 0),
    seconds          bigint not null check (seconds > 0),
    -- when those began that began in the first six hours, in seconds after midnight
    early            json not null check (json_typeof(early) = 'array'),
    -- seconds by the hour in which sessions began
    hours            json not null check (json_typeof(hours) = 'object'),
    first_started_at timestamptz not null,
    last_started_at  timestamptz not null,
    westmost_offset  integer not null,
    eastmost_offset  integer not null,
    last_time_zone   text not null,
    entries          json not null check (json_typeof(entries) = 'array'),
    updated_at       timestamptz not null,
    check (key = owner_id::text || '/' || kind || '/' || day)
);
create unique index practice_days_of_owner on practice_days (owner_id, kind, day_number);
create index practice_days_changed on practice_days (updated_at);

alter table practice_days enable row level security;
create policy owners_rows on practice_days using (in_scope(owner_id));
grant select, insert, update, delete on practice_days to :role;
grant select on practice_days to mirrormate_reader;

select register_read_model('practice_days');
