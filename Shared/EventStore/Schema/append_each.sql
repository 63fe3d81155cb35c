-- Appends a batch one append after another: for batches with calls (guards and row writes), or in which a stream stands
-- twice. Same arrays and verdicts as append_set; beside them guard (a call said no, with its code) and data (a call or a
-- row was refused by a constraint, with its name).
--
-- A call names a function row_<name>(json) of the schema. It runs under the head lock after the append's verdict and
-- answers null, or a code to refuse this append alone. An append whose only effect is its calls has no events.
create function append_each(
    first_ids uuid[], hashes bytea[], owners uuid[], though_erased boolean[], metadatas json[], calls json[],
    write_appends bigint[], write_streams text[], write_expected bigint[],
    event_writes bigint[], event_ids uuid[], event_types text[], event_schema_versions bigint[], event_datas json[]
) returns table (verdict text, at_position bigint, at_time timestamptz, stream_found text, version_found bigint)
language plpgsql volatile security definer set search_path from current set enable_seqscan = off as $$
declare
    refusal text;
    last_position bigint;
    now_time timestamptz;
    w integer := 1;
    e integer := 1;
    first_write integer;
    first_event integer;
    next_version bigint;
    call json;
    known_hash bytea;
    constraint_found text;
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'append needs the isolation level read committed' using errcode = '25001';
    end if;
    select h.refused into refusal from head h for update;
    select x.position, x.recorded_at into last_position, now_time from events x order by x.position desc limit 1;
    last_position := coalesce(last_position, 0);
    now_time := greatest(clock_timestamp(), now_time);

    for a in 1 .. cardinality(first_ids) loop
        verdict := 'ok';
        at_position := 0;
        at_time := now_time;
        stream_found := null;
        version_found := null;
        first_write := w;
        first_event := e;

        if refusal is not null then
            verdict := 'refused';
            stream_found := refusal;
        end if;
        if verdict = 'ok' and first_ids[a] is not null then
            select x.request_hash, x.position, x.recorded_at into known_hash, at_position, at_time
            from events x where x.id = first_ids[a];
            if found then
                verdict := case when known_hash is distinct from hashes[a] then 'hash' else 'known' end;
            else
                at_position := 0;
                at_time := now_time;
            end if;
        end if;
        if verdict = 'ok' and owners[a] is not null and not though_erased[a]
            and exists (select from erased_subjects s where s.subject = owners[a]) then
            verdict := 'erased';
        end if;
        while w <= cardinality(write_appends) and write_appends[w] = a loop
            if verdict = 'ok' then
                select x.version into version_found from events x
                where x.stream = write_streams[w] order by x.version desc limit 1;
                version_found := coalesce(version_found, 0);
                if version_found <> write_expected[w] then
                    verdict := 'version';
                    stream_found := write_streams[w];
                end if;
            end if;
            while e <= cardinality(event_writes) and event_writes[e] = w loop
                e := e + 1;
            end loop;
            w := w + 1;
        end loop;

        if verdict = 'ok' then
            begin
                for call in select value from json_array_elements(coalesce(calls[a], '[]'::json)) loop
                    execute format('select %I($1)', 'row_' || (call ->> 'call')) into stream_found using call -> 'args';
                    if stream_found is not null then
                        -- Leaves the block, so that what earlier calls wrote is undone.
                        raise exception using errcode = 'MMGRD', message = stream_found;
                    end if;
                end loop;
                for v in first_write .. w - 1 loop
                    next_version := write_expected[v];
                    while first_event < e and event_writes[first_event] = v loop
                        next_version := next_version + 1;
                        last_position := last_position + 1;
                        if at_position = 0 then
                            at_position := last_position;
                        end if;
                        insert into events values (
                            last_position, write_streams[v], next_version, event_ids[first_event],
                            event_types[first_event], event_schema_versions[first_event], event_datas[first_event],
                            metadatas[a],
                            case when event_ids[first_event] = first_ids[a] then hashes[a] end, now_time);
                        first_event := first_event + 1;
                    end loop;
                end loop;
            exception
                when sqlstate 'MMGRD' then
                    verdict := 'guard';
                    stream_found := sqlerrm;
                when data_exception or integrity_constraint_violation then
                    get stacked diagnostics constraint_found = constraint_name;
                    verdict := 'data';
                    stream_found := coalesce(nullif(constraint_found, ''), sqlstate);
            end;
            if verdict <> 'ok' then
                -- The block's changes are undone, so its positions are free again.
                select coalesce(max(x.position), 0) into last_position from events x;
                at_position := 0;
            end if;
        end if;
        return next;
    end loop;
end $$;
