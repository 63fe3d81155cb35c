-- What lists and progress show of each report: numbers and tags of a fixed list. Folded from the log.
create table report_history (
    -- the session's id
    key                text primary key,
    session_id         uuid not null unique,
    report_id          uuid not null unique,
    owner_id           uuid not null,
    created_at         timestamptz not null,
    confidence_score   integer check (confidence_score between 0 and 100),
    pace_words_per_min integer check (pace_words_per_min between 0 and 1000),
    eye_contact_pct    double precision check (eye_contact_pct between 0 and 1),
    filler_count       bigint check (filler_count >= 0),
    duration_sec       integer not null check (duration_sec between 0 and 86400),
    tags               json not null check (json_typeof(tags) = 'array'),
    check (key = session_id::text)
);
create index report_history_pages on report_history (owner_id, created_at desc, session_id desc);

alter table report_history enable row level security;
create policy owners_rows on report_history using (in_scope(owner_id));
grant select, insert, update, delete on report_history to :role;
grant select on report_history to mirrormate_reader;
