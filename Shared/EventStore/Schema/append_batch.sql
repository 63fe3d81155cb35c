-- Appends a batch in which no stream and no id stands twice, as the appender makes it. Each append is judged for itself.
--
-- Appends are numbered from 1 by their place in the arrays, and so are writes (one stream of one append) and events.
-- Verdicts: ok, known (a repeat: the position and time of the first answer), hash (the id belongs to another request),
-- erased, version (with the stream and the version found), guard (a call said no, with its code), data (a call was
-- refused by a constraint, with its name), refused (the whole store refuses appends).
--
-- A call names a function row_<name>(json) of the schema. It runs under the head lock after the append's verdict and
-- answers null, or a code to refuse this append alone. An append whose only effect is its calls has no events. `calls` is
-- empty when no append has any. Calls do not look at the log: the events of the batch come behind all of them.
create function append_batch(
    first_ids uuid[], hashes bytea[], owners uuid[], though_erased boolean[], metadatas json[], calls json[],
    write_appends bigint[], write_streams text[], write_expected bigint[],
    event_writes bigint[], event_ids uuid[], event_types text[], event_schema_versions bigint[], event_datas json[]
) returns table (verdict text, at_position bigint, at_time timestamptz, stream_found text, version_found bigint)
-- Small batches tempt the planner to plan each call anew, which costs as much as the call.
language plpgsql volatile security definer set search_path from current set enable_seqscan = off
set plan_cache_mode = force_generic_plan as $$
declare
    refusal text;
    last_position bigint;
    last_time timestamptz;
    now_time timestamptz;
    verdicts text[];
    accepted boolean[];
    known_positions bigint[];
    known_times timestamptz[];
    bad_streams text[];
    bad_versions bigint[];
    call json;
    refused_by text;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'append needs the isolation level read committed' using errcode = '25001';
    end if;
    -- Only this statement waits. All that decides comes in later statements, with snapshots taken after the lock.
    select h.refused into refusal from head h for update;
    if refusal is not null then
        return query select 'refused'::text, 0::bigint, null::timestamptz, refusal, 0::bigint from unnest(first_ids);
        return;
    end if;
    select e.position, e.recorded_at into last_position, last_time from events e order by e.position desc limit 1;
    last_position := coalesce(last_position, 0);
    now_time := greatest(clock_timestamp(), last_time);

    -- One look at all appends: what is wrong with each, if anything. The streams' versions are found once, not once for
    -- each append: that would be a scan of the batch for every append in it.
    select array_agg(j.verdict), array_agg(j.verdict = 'ok'), array_agg(j.position), array_agg(j.recorded_at),
        array_agg(j.stream), array_agg(j.found)
    into verdicts, accepted, known_positions, known_times, bad_streams, bad_versions
    from (
        select a.n, known.position, known.recorded_at, bad.stream, bad.found,
            case
                when known.id is not null and known.request_hash is distinct from a.hash then 'hash'
                when known.id is not null then 'known'
                when erased.subject is not null and not a.though_erased then 'erased'
                when bad.append is not null then 'version'
                else 'ok'
            end as verdict
        from unnest(first_ids, hashes, owners, append_batch.though_erased) with ordinality
                as a (first_id, hash, owner, though_erased, n)
            -- The limits keep these two lookups by index: a plan made on small tables would join with all of them.
            left join lateral (
                select e.id, e.request_hash, e.position, e.recorded_at from events e where e.id = a.first_id
                limit 1) known on true
            left join lateral (
                select s.subject from erased_subjects s where s.subject = a.owner limit 1) erased on true
            left join (
                select distinct on (w.append) w.append, w.stream, w.found
                from (
                    select x.append, x.stream, x.expected, x.n, coalesce(
                        (select e.version from events e where e.stream = x.stream order by e.version desc limit 1),
                        0) as found
                    from unnest(write_appends, write_streams, write_expected) with ordinality
                        as x (append, stream, expected, n)) w
                where w.expected <> w.found
                order by w.append, w.n) bad on bad.append = a.n
        order by a.n) j;

    for a in 1 .. cardinality(calls) loop
        continue when not accepted[a];
        -- Asked again, because a call before this one may have erased the subject.
        if owners[a] is not null and not append_batch.though_erased[a]
            and exists (select from erased_subjects s where s.subject = owners[a]) then
            verdicts[a] := 'erased';
            accepted[a] := false;
            continue;
        end if;
        continue when calls[a] is null;
        begin
            for i in 0 .. json_array_length(calls[a]) - 1 loop
                call := calls[a] -> i;
                execute format('select %I($1)', 'row_' || (call ->> 'call')) into refused_by using call -> 'args';
                if refused_by is not null then
                    -- Leaves the block, so that what earlier calls wrote is undone.
                    raise exception using errcode = 'MMGRD', message = refused_by;
                end if;
            end loop;
        exception
            when sqlstate 'MMGRD' then
                verdicts[a] := 'guard';
                accepted[a] := false;
                bad_streams[a] := sqlerrm;
            when data_exception or integrity_constraint_violation then
                get stacked diagnostics refused_by = constraint_name;
                verdicts[a] := 'data';
                accepted[a] := false;
                bad_streams[a] := coalesce(nullif(refused_by, ''), sqlstate);
        end;
    end loop;

    return query
    with inserted as (
        insert into events
            (position, stream, version, id, type, schema_version, data, metadata, request_hash, recorded_at)
        select last_position + row_number() over (order by e.n), w.stream,
            w.expected + row_number() over (partition by w.n order by e.n), e.id, e.type, e.schema_version, e.data,
            metadatas[w.append], case when e.id = first_ids[w.append] then hashes[w.append] end, now_time
        from unnest(event_writes, event_ids, event_types, event_schema_versions, event_datas) with ordinality
                as e (write, id, type, schema_version, data, n)
            join unnest(write_appends, write_streams, write_expected) with ordinality
                as w (append, stream, expected, n) on w.n = e.write
        -- A boolean, because the planner takes half of the rows to pass it; of a comparison it would expect one row and
        -- join the answer below row by row.
        where accepted[w.append]
        returning events.id, events.position)
    select verdicts[a.n],
        case verdicts[a.n] when 'ok' then coalesce(i.position, 0) when 'known' then known_positions[a.n] else 0 end,
        case verdicts[a.n] when 'ok' then now_time when 'known' then known_times[a.n] end,
        case when verdicts[a.n] in ('version', 'guard', 'data') then bad_streams[a.n] end,
        case verdicts[a.n] when 'version' then bad_versions[a.n] end
    from unnest(first_ids) with ordinality as a (first_id, n) left join inserted i on i.id = a.first_id
    order by a.n;
end $$;
