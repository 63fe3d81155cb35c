-- Hand-overs of anonymous devices to accounts that are under way, one row from the append that begins one to the append that ends
-- it. What it has come to moves with the sessions themselves, so that a death leaves neither a session twice nor one forgotten.
create table handovers (
    -- that of its stream
    handover_id  uuid primary key,
    -- The order in which they began: of those of one device the first comes first.
    number       bigint generated always as identity,
    device_id    uuid not null,
    -- The last stream of the device that was looked at.
    after_stream text not null default '',
    moved        integer not null default 0 check (moved >= 0),
    deleted      integer not null default 0 check (deleted >= 0),
    kept         integer not null default 0 check (kept >= 0)
);
create index handovers_in_order on handovers (device_id, number);

create function row_begin_handover(args json) returns text language sql as $$
    insert into handovers (handover_id, device_id)
    values ((args ->> 'handoverId')::uuid, (args ->> 'deviceId')::uuid);
    select null::text;
$$;

-- Goes with what was decided on the sessions from one stream to another: once, whoever decides it, and not any more when the device
-- was erased. Its erasure has found all that the device had by then, and what it finds must not be an account's.
create function row_step_handover(args json) returns text language plpgsql as $$
declare
    device uuid;
begin
    update handovers set after_stream = args ->> 'toStream', moved = moved + (args ->> 'moved')::integer,
        deleted = deleted + (args ->> 'deleted')::integer, kept = kept + (args ->> 'kept')::integer
    where handover_id = (args ->> 'handoverId')::uuid and after_stream = args ->> 'fromStream'
    returning device_id into device;
    if not found then
        return 'handover-elsewhere';
    end if;
    perform from erased_subjects where subject = device;
    if found then
        return 'handover-device-erased';
    end if;
    return null;
end $$;

create function row_finish_handover(args json) returns text language plpgsql as $$
begin
    delete from handovers
    where handover_id = (args ->> 'handoverId')::uuid and after_stream = args ->> 'afterStream';
    return case when found then null else 'handover-elsewhere' end;
end $$;

alter table handovers enable row level security;
create policy owners_rows on handovers using (in_scope(device_id));
grant select on handovers to :role;
