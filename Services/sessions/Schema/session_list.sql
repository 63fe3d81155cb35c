-- The list of sessions: a fold of the log, rebuilt at will.
create table session_list (
    key             text primary key,
    owner_id        uuid not null,
    kind            text not null,
    status          text not null check (status in
        ('queued', 'awaitingUpload', 'processing', 'complete', 'error', 'cancelled', 'expired', 'refused')),
    progress        integer not null check (progress between 0 and 100),
    created_at      timestamptz not null,
    updated_at      timestamptz not null,
    expires_at      timestamptz not null,
    deadline        timestamptz,
    report_id       uuid,
    error_code      text,
    error_retryable boolean,
    refusal         json,
    check ((status = 'error') = (error_code is not null)),
    check ((status = 'refused') = (refusal is not null))
);
create index session_list_by_owner on session_list (owner_id, created_at desc, key desc);
create index session_list_due on session_list (least(expires_at, deadline))
    where status in ('queued', 'awaitingUpload', 'processing');

alter table session_list enable row level security;
create policy owners_rows on session_list using (in_scope(owner_id));
grant select, insert, update, delete on session_list to :role;
grant select on session_list to mirrormate_reader;
