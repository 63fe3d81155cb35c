-- Sessions that an owner has created and quota has not admitted: when the owner's allowance of them is full again. Each is two
-- events here, and two in quota, for ever. Unlogged: after a crash of the server everybody begins with a full allowance.
create unlogged table refused_creations (
    owner_id uuid primary key,
    full_at  timestamptz not null,
    -- After how long one is there again.
    pace     interval not null,
    -- The end of the hour or day for which quota said no; then it may say yes, and the allowance is full whatever was taken.
    opens_at timestamptz
);
create index refused_creations_by_time on refused_creations (full_at);

-- Takes one with the event that begins a session, before anybody knows what quota will say.
create function row_take_creation(args json) returns text language plpgsql as $$
declare
    allowance bigint := (args ->> 'allowance')::bigint;
    wanted interval := (args ->> 'paceMicroseconds')::bigint * interval '1 microsecond';
begin
    insert into refused_creations as r (owner_id, full_at, pace)
    values ((args ->> 'ownerId')::uuid, clock_timestamp() + wanted, wanted)
    on conflict (owner_id) do update set
        full_at = case when r.opens_at <= clock_timestamp() then clock_timestamp()
            else greatest(r.full_at, clock_timestamp()) end + wanted,
        pace = wanted, opens_at = case when r.opens_at > clock_timestamp() then r.opens_at end
    where r.opens_at <= clock_timestamp() or r.full_at + wanted <= clock_timestamp() + wanted * allowance;
    return case when found then null else 'refusals-used-up' end;
end $$;

-- Gives one back with the event that quota has admitted the session.
create function row_give_creation_back(args json) returns text language sql as $$
    update refused_creations set full_at = full_at - pace where owner_id = (args ->> 'ownerId')::uuid;
    select null::text;
$$;

-- Notes, with the event that quota has refused a session, until when it will.
create function row_note_refusal(args json) returns text language sql as $$
    update refused_creations set opens_at = (args ->> 'opensAt')::timestamptz where owner_id = (args ->> 'ownerId')::uuid;
    select null::text;
$$;

create function row_forget_creations(args json) returns text language sql as $$
    delete from refused_creations where owner_id = (args ->> 'ownerId')::uuid;
    select null::text;
$$;

alter table refused_creations enable row level security;
create policy owners_rows on refused_creations using (in_scope(owner_id));
grant select, delete on refused_creations to :role;
