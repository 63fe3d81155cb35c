-- The store's identity. One row, locked by every append and never updated by one: the head of the log is max(position),
-- because a row that each append updates slows down under any long snapshot.
create table incarnations (
    incarnation uuid primary key,
    parent      uuid references incarnations,
    -- The last position that this incarnation shares with its parent.
    fork        bigint not null check (fork >= 0),
    started_at  timestamptz not null default clock_timestamp(),
    check ((parent is null) = (fork = 0) or parent is not null)
);

create table head (
    singleton   boolean primary key default true check (singleton),
    incarnation uuid not null references incarnations,
    -- Set by the relay when topic and log disagree: appends are refused until a confirmed restore.
    refused     text
);

with first as (insert into incarnations (incarnation, fork) values (gen_random_uuid(), 0) returning incarnation)
insert into head (incarnation) select incarnation from first;
