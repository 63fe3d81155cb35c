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
    verdicts text[];
    now_time timestamptz;
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

    select array_agg(
        case
            when known.id is not null and known.request_hash is distinct from a.hash then 'hash'
            when known.id is not null then 'known'
            when erased.subject is not null and not a.though_erased then 'erased'
            when bad.append is not null then 'version'
            else 'ok'
        end order by a.n)
    into verdicts
    from unnest(first_ids, hashes, owners, append_set.though_erased) with ordinality
            as a (first_id, hash, owner, though_erased, n)
        left join lateral (select e.id, e.request_hash from events e where e.id = a.first_id) known on true
        left join lateral (select s.subject from erased_subjects s where s.subject = a.owner) erased on true
        left join lateral (
            select w.append from unnest(write_appends, write_streams, write_expected) as w (append, stream, expected)
            where w.append = a.n and w.expected <> coalesce(
                (select e.version from events e where e.stream = w.stream order by e.version desc limit 1), 0)
            limit 1) bad on true;

    insert into events
        (position, stream, version, id, type, schema_version, data, metadata, request_hash, recorded_at)
    select last_position + row_number() over (order by e.n), w.stream,
        w.expected + row_number() over (partition by w.n order by e.n), e.id, e.type, e.schema_version, e.data,
        metadatas[w.append], case when e.id = first_ids[w.append] then hashes[w.append] end, now_time
    from unnest(event_writes, event_ids, event_types, event_schema_versions, event_datas) with ordinality
            as e (write, id, type, schema_version, data, n)
        join unnest(write_appends, write_streams, write_expected) with ordinality
            as w (append, stream, expected, n) on w.n = e.write
    where verdicts[w.append] = 'ok';

    return query
    select verdicts[a.n], coalesce(done.position, 0), done.recorded_at, bad.stream, bad.found
    from unnest(first_ids) with ordinality as a (first_id, n)
        left join lateral (
            select e.position, e.recorded_at from events e
            where e.id = a.first_id and verdicts[a.n] in ('ok', 'known')) done on true
        left join lateral (
            select w.stream, w.found
            from (
                select x.stream, x.expected, coalesce(
                    (select e.version from events e where e.stream = x.stream order by e.version desc limit 1), 0) found
                from unnest(write_appends, write_streams, write_expected) as x (append, stream, expected)
                where x.append = a.n) w
            where verdicts[a.n] = 'version' and w.expected <> w.found limit 1) bad on true
    order by a.n;
end $$;
