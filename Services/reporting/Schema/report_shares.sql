-- The links by which people show a report to others. Personal, so a row goes with its link, with the report or with its owner. Written by
-- the append that says that the report is shared.
create table report_shares (
    share_id   uuid primary key,
    owner_id   uuid not null,
    session_id uuid not null references reports on delete cascade,
    -- SHA-256 of the link's token, which is kept nowhere
    token_hash bytea not null unique check (octet_length(token_hash) = 32),
    parts      json not null check (json_typeof(parts) = 'array'),
    -- what viewers see: json, not jsonb, so that the members stay in their order
    card       json not null check (json_typeof(card) = 'object'),
    views      integer not null default 0,
    max_views  integer not null check (max_views between 1 and 1000),
    created_at timestamptz not null,
    expires_at timestamptz not null,
    check (views between 0 and max_views)
);
create index report_shares_by_owner on report_shares (owner_id, created_at desc);
create index report_shares_by_session on report_shares (session_id);
create index report_shares_by_end on report_shares (expires_at);

create function row_share_report(args json) returns text language plpgsql as $$
begin
    insert into report_shares (
        share_id, owner_id, session_id, token_hash, parts, card, max_views, created_at, expires_at)
    select (args ->> 'shareId')::uuid, r.owner_id, r.session_id, decode(args ->> 'tokenHash', 'hex'), args -> 'parts',
        args -> 'card', (args ->> 'maxViews')::integer, (args ->> 'createdAt')::timestamptz,
        (args ->> 'expiresAt')::timestamptz
    from reports r where r.session_id = (args ->> 'sessionId')::uuid and r.owner_id = (args ->> 'ownerId')::uuid;
    return case when found then null else 'report-gone' end;
end $$;

create function row_revoke_share(args json) returns text language sql as $$
    delete from report_shares where share_id = (args ->> 'shareId')::uuid and owner_id = (args ->> 'ownerId')::uuid;
    select null::text;
$$;

alter table report_shares enable row level security;
create policy owners_rows on report_shares using (in_scope(owner_id));
-- A view is counted without an event; what is over is swept.
grant select, delete, update (views) on report_shares to :role;

-- How often each client network has asked for a card: for each network (a keyed hash) the time at which its allowance is full again.
-- Unlogged: after a crash of the server every network begins with a full allowance.
create unlogged table shared_lookups (
    network bytea primary key check (octet_length(network) = 32),
    full_at timestamptz not null
);
create index shared_lookups_by_time on shared_lookups (full_at);

grant select, insert, update, delete on shared_lookups to :role;
