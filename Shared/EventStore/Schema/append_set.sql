-- Appends a batch in which no stream stands twice and no append carries calls: set-based, for the common case.
--
-- Appends are numbered from 1 by their place in the arrays, and so are writes (one stream of one append) and events.
-- Verdicts: ok, known (a repeat: the position and time of the first answer), hash (the id belongs to another request),
-- erased, version (with the stream and the version found), refused (the whole store refuses appends).
create function append_set(
    first_ids uuid[], hashes bytea[], owners uuid[], though_erased boolean[], metadatas json[],
    write_appends bigint[], write_streams text[], write_expected bigint[],
    event_writes bigint[], event_ids uuid[], event_types text[], event_schema_versions bigint[], event_datas json[]
) returns table (verdict text, at_position bigint, at_time timestamptz, stream_found text, version_found bigint)
language plpgsql volatile security definer set search_path from current set enable_seqscan = off as $$
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
        from unnest(first_ids, hashes, owners, append_set.though_erased) with ordinality
                as a (first_id, hash, owner, though_erased, n)
            left join lateral (
                select e.id, e.request_hash, e.position, e.recorded_at from events e where e.id = a.first_id) known on true
            left join erased_subjects erased on erased.subject = a.owner
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
        case verdicts[a.n] when 'version' then bad_streams[a.n] end,
        case verdicts[a.n] when 'version' then bad_versions[a.n] end
    from unnest(first_ids) with ordinality as a (first_id, n) left join inserted i on i.id = a.first_id
    order by a.n;
end $$;
