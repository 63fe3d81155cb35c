-- Who is sending the file of a session: one request at a time, and of one owner no more bytes at once than may be under way.
-- A turn that is not renewed is over, so that a service that was killed blocks nobody for long.
create table upload_turns (
    session_id uuid primary key,
    owner_id   uuid not null,
    -- The request.
    holder     uuid not null,
    size_bytes bigint not null check (size_bytes > 0),
    expires_at timestamptz not null
);
create index upload_turns_by_owner on upload_turns (owner_id);
create index upload_turns_by_time on upload_turns (expires_at);

-- Takes or renews a turn: 'taken'; 'busy' while another request has it; 'full' when the owner's others leave too little room.
-- An owner may always send one file.
create function take_upload_turn(
    wanted uuid, owner uuid, taker uuid, size bigint, most bigint, lease interval
) returns text language plpgsql as $$
declare
    others bigint;
begin
    -- Requests of one owner one after another, so that the sum holds.
    perform pg_advisory_xact_lock(hashtextextended('upload ' || owner, 0));
    delete from upload_turns where session_id in (
        select session_id from upload_turns where expires_at <= clock_timestamp() limit 100 for update skip locked);
    select sum(size_bytes) into others from upload_turns
    where owner_id = owner and session_id <> wanted and expires_at > clock_timestamp();
    if others > 0 and others + size > most then return 'full'; end if;
    insert into upload_turns as t (session_id, owner_id, holder, size_bytes, expires_at)
    values (wanted, owner, taker, size, clock_timestamp() + lease)
    on conflict (session_id) do update
    set owner_id = excluded.owner_id, holder = excluded.holder, size_bytes = excluded.size_bytes,
        expires_at = excluded.expires_at
    where t.holder = taker or t.expires_at <= clock_timestamp();
    return case when found then 'taken' else 'busy' end;
end $$;

alter table upload_turns enable row level security;
create policy owners_rows on upload_turns using (in_scope(owner_id));
grant select, insert, update, delete on upload_turns to :role;
grant execute on function take_upload_turn to :role;
