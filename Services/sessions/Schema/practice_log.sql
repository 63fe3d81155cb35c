-- The list of logged sessions: a fold of the log, rebuilt at will.
create table practice_log (
    -- the session's id
    key                text primary key,
    owner_id           uuid not null,
    kind               text not null,
    started_at         timestamptz not null,
    ended_at           timestamptz not null,
    active_seconds     integer not null check (active_seconds between 1 and 86400),
    pauses             json not null check (json_typeof(pauses) = 'array'),
    time_zone          text not null,
    utc_offset_seconds integer not null check (utc_offset_seconds between -86400 and 86400),
    logged_at          timestamptz not null,
    updated_at         timestamptz not null,
    check (ended_at > started_at)
);
create index practice_log_by_owner on practice_log (owner_id, started_at desc, key desc);

alter table practice_log enable row level security;
create policy owners_rows on practice_log using (in_scope(owner_id));
grant select, insert, update, delete on practice_log to :role;
grant select on practice_log to mirrormate_reader;

select register_read_model('practice_log');
