-- The compatible surface. When each owner has created sessions there, the last few times within an hour: a limit's counter. Unlogged:
-- after a crash of the server everybody begins anew.
create unlogged table session_inits (
    owner_id uuid primary key,
    begun    timestamptz[] not null,
    -- When the last of them is an hour ago.
    full_at  timestamptz not null
);
create index session_inits_by_time on session_inits (full_at);

-- Counts one with the event that begins a session; refused when as many as are allowed were begun within the time.
create function row_take_init(args json) returns text language plpgsql as $$
declare
    allowance integer := (args ->> 'allowance')::integer;
    span interval := (args ->> 'spanMicroseconds')::bigint * interval '1 microsecond';
begin
    insert into session_inits as i (owner_id, begun, full_at)
    values ((args ->> 'ownerId')::uuid, array[clock_timestamp()], clock_timestamp() + span)
    on conflict (owner_id) do update set
        begun = (i.begun || clock_timestamp())[greatest(cardinality(i.begun) + 2 - allowance, 1):],
        full_at = clock_timestamp() + span
    where cardinality(i.begun) < allowance or i.begun[cardinality(i.begun) + 1 - allowance] <= clock_timestamp() - span;
    return case when found then null else 'inits-used-up' end;
end $$;

create function row_forget_inits(args json) returns text language sql as $$
    delete from session_inits where owner_id = (args ->> 'ownerId')::uuid;
    select null::text;
$$;

alter table session_inits enable row level security;
create policy owners_rows on session_inits using (in_scope(owner_id));
grant select, delete, update (full_at) on session_inits to :role;

-- Sessions of callers who are nobody (owners of UUID version 8): what lets them be read is over after a while, and then nobody can.
create index session_list_of_nobody on session_list (created_at) where substr(owner_id::text, 15, 1) = '8';

create function unreachable_sessions(age interval) returns table (session_id uuid, owner_id uuid)
language sql stable as $$
    select key::uuid, s.owner_id from session_list s
    where substr(s.owner_id::text, 15, 1) = '8' and s.created_at < now() - age
        and status in ('complete', 'error', 'cancelled', 'expired', 'refused')
    limit 100;
$$;
grant execute on function unreachable_sessions to :role;
