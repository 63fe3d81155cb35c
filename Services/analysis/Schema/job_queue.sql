-- What workers look for: a fold of the log, written by the projector alone.
create table job_queue (
    key           text primary key,
    session_id    uuid not null unique,
    owner_id      uuid not null,
    state         text not null check (state in ('queued', 'running', 'waiting', 'done')),
    -- From when an attempt may begin; for a running one the end of its lease.
    runnable_at   timestamptz,
    lease_ends_at timestamptz,
    attempt       bigint not null check (attempt >= 0),
    check ((state = 'done') = (runnable_at is null)),
    check ((state = 'running') = (lease_ends_at is not null)),
    check (state <> 'queued' or attempt = 0)
) with (fillfactor = 70);
create index job_queue_runnable on job_queue (runnable_at) where state <> 'done';

alter table job_queue enable row level security;
create policy owners_rows on job_queue using (in_scope(owner_id));
grant select, insert, update, delete on job_queue to :role;
grant select on job_queue to mirrormate_reader;
