-- What each owner has of each kind of session: the newest window, over or not, and the gifts. Folded from the log;
-- decisions and answers to clients read the owner's stream instead.
create table allowances (
    -- owner id, a slash, kind
    key                text primary key,
    owner_id           uuid not null,
    kind               text not null check (kind <> ''),
    plan               text not null check (plan <> ''),
    window_ends_at     timestamptz,
    time_zone          text,
    used               bigint not null check (used >= 0),
    reserved           bigint not null check (reserved >= 0),
    extra_used         bigint not null check (extra_used >= 0),
    extra_reserved     bigint not null check (extra_reserved >= 0),
    late_cancellations bigint not null check (late_cancellations >= 0),
    extra              bigint not null check (extra >= 0),
    unique (owner_id, kind),
    check ((window_ends_at is null) = (time_zone is null)),
    check (key = owner_id || '/' || kind)
);

alter table allowances enable row level security;
create policy owners_rows on allowances using (in_scope(owner_id));
grant select, insert, update, delete on allowances to :role;
grant select on allowances to mirrormate_reader;
