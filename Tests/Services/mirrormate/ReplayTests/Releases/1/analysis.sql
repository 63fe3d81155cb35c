SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE FUNCTION analysis.abandon_rebuild(rebuild bigint) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'analysis', 'pg_temp'
    AS $$
declare
    model_name text;
begin
    select model into model_name from rebuilds where id = rebuild;
    perform pg_advisory_xact_lock(hashtextextended('rebuild ' || current_schema || '.' || model_name, 0));
    update rebuilds set state = 'abandoned', ended_at = clock_timestamp()
        where id = rebuild and state in ('building', 'built');
    if not found then
        return false;
    end if;
    execute format('drop table if exists %I', model_name || '_fresh');
    return true;
end $$;

CREATE FUNCTION analysis.append_batch(first_ids uuid[], hashes bytea[], owners uuid[], though_erased boolean[], metadatas json[], calls json[], groups bigint[], streams text[], write_appends bigint[], write_streams bigint[], write_expected bigint[], write_sizes bigint[], event_writes bigint[], event_ids uuid[], event_types text[], event_schema_versions bigint[], event_datas json[]) RETURNS TABLE(verdict text, at_position bigint, at_time timestamp with time zone, stream_found text, version_found bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'analysis', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $_$
declare
    refusal text;
    last_position bigint;
    last_time timestamptz;
    now_time timestamptz;
    verdicts text[];
    accepted boolean[];
    known_positions bigint[];
    known_times timestamptz[];
    found_streams text[] := array_fill(null::text, array[cardinality(first_ids)]);
    found_versions bigint[] := array_fill(null::bigint, array[cardinality(first_ids)]);
    versions bigint[];
    write_count bigint := cardinality(write_appends);
    append_count bigint := cardinality(first_ids);
    has_calls boolean := cardinality(calls) > 0;
    has_groups boolean := cardinality(groups) > 0;
    first_append bigint := 1;
    last_append bigint;
    first_write bigint;
    next_write bigint := 1;
    own_write bigint;
    stands boolean;
    called bigint;
    call json;
    refused_by text;
    subject_was_erased boolean := false;
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

    select array_agg(j.verdict), array_agg(j.verdict = 'ok'), array_agg(j.position), array_agg(j.recorded_at)
    into verdicts, accepted, known_positions, known_times
    from (
        select a.n, known.position, known.recorded_at,
            case
                when known.id is not null and known.request_hash is distinct from a.hash then 'hash'
                when known.id is not null then 'known'
                when erased.subject is not null and not a.though_erased then 'erased'
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
        order by a.n) j;
    select array_agg(v.version) into versions
    from (
        select coalesce(
            (select e.version from events e where e.stream = s.stream order by e.version desc limit 1), 0) as version
        from unnest(streams) with ordinality as s (stream, n) order by s.n) v;

    if has_calls or has_groups or cardinality(streams) < write_count then
        while first_append <= append_count loop
            last_append := first_append;
            if has_groups then
                while last_append < append_count and groups[last_append + 1] = groups[first_append] loop
                    last_append := last_append + 1;
                end loop;
            end if;
            first_write := next_write;
            stands := true;
            for a in first_append .. last_append loop
                if subject_was_erased and accepted[a] and not append_batch.though_erased[a]
                    and exists (select from erased_subjects s where s.subject = owners[a]) then
                    verdicts[a] := 'erased';
                    accepted[a] := false;
                end if;
                own_write := next_write;
                while next_write <= write_count and write_appends[next_write] = a loop
                    if not accepted[a] then
                        null;
                    elsif versions[write_streams[next_write]] = write_expected[next_write] then
                        versions[write_streams[next_write]] := write_expected[next_write] + write_sizes[next_write];
                    else
                        verdicts[a] := 'version';
                        accepted[a] := false;
                        found_streams[a] := streams[write_streams[next_write]];
                        found_versions[a] := versions[write_streams[next_write]];
                        for w in reverse next_write - 1 .. own_write loop
                            versions[write_streams[w]] := write_expected[w];
                        end loop;
                    end if;
                    next_write := next_write + 1;
                end loop;
                stands := stands and (accepted[a] or verdicts[a] = 'known');
            end loop;

            if stands and has_calls then
                begin
                    for a in first_append .. last_append loop
                        continue when not accepted[a] or calls[a] is null;
                        called := a;
                        for i in 0 .. json_array_length(calls[a]) - 1 loop
                            call := calls[a] -> i;
                            execute format('select %I($1)', 'row_' || (call ->> 'call'))
                                into refused_by using call -> 'args';
                            if refused_by is not null then
                                -- Leaves the block, so that what earlier calls wrote is undone.
                                raise exception using errcode = 'MMGRD', message = refused_by;
                            end if;
                            subject_was_erased := subject_was_erased or call ->> 'call' = 'erase_subject';
                        end loop;
                    end loop;
                exception
                    when sqlstate 'MMGRD' then
                        verdicts[called] := 'guard';
                        found_streams[called] := sqlerrm;
                        stands := false;
                    when data_exception or integrity_constraint_violation then
                        get stacked diagnostics refused_by = constraint_name;
                        verdicts[called] := 'data';
                        found_streams[called] := coalesce(nullif(refused_by, ''), sqlstate);
                        stands := false;
                end;
            end if;

            if not stands then
                for w in reverse next_write - 1 .. first_write loop
                    if accepted[write_appends[w]] then
                        versions[write_streams[w]] := write_expected[w];
                    end if;
                end loop;
                for a in first_append .. last_append loop
                    if verdicts[a] = 'ok' then
                        verdicts[a] := 'group';
                    end if;
                    accepted[a] := false;
                end loop;
            end if;
            first_append := last_append + 1;
        end loop;
    else
        -- Nearly every batch: nobody meets anybody.
        for w in 1 .. write_count loop
            if versions[write_streams[w]] <> write_expected[w] and accepted[write_appends[w]] then
                verdicts[write_appends[w]] := 'version';
                accepted[write_appends[w]] := false;
                found_streams[write_appends[w]] := streams[write_streams[w]];
                found_versions[write_appends[w]] := versions[write_streams[w]];
            end if;
        end loop;
    end if;

    return query
    with inserted as (
        insert into events
            (position, stream, version, id, type, schema_version, data, metadata, request_hash, recorded_at)
        select last_position + row_number() over (order by e.n), streams[w.stream],
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
        found_streams[a.n], found_versions[a.n]
    from unnest(first_ids) with ordinality as a (first_id, n) left join inserted i on i.id = a.first_id
    order by a.n;
end $_$;

CREATE FUNCTION analysis.begin_incarnation(next uuid, fork bigint, published bigint, top_epoch bigint, cut uuid[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'analysis', 'pg_temp'
    AS $$
declare
    current uuid;
begin
    select incarnation into current from head for update;
    insert into incarnations (incarnation, parent, fork) values (next, current, begin_incarnation.fork);
    insert into cut_incarnations (incarnation, successor)
        select c, next from unnest(cut) c where not exists (select from incarnations i where i.incarnation = c)
        on conflict do nothing;
    update head set incarnation = next, refused = null;
    delete from relay_partitions;
    update relay set cursor = least(cursor, published), epoch = greatest(epoch, top_epoch) + 1,
        holder = null, lease_until = '-infinity', rewind_to = null;
end $$;

CREATE FUNCTION analysis.begin_rebuild(model_name text, by_whom text, code_version text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'analysis', 'pg_temp'
    AS $$
declare
    fresh text := model_name || '_fresh';
    made bigint;
    options text[];
begin
    if not exists (select from projections where name = model_name) then
        raise exception 'there is no read model %', model_name using errcode = 'MMRB1';
    end if;
    if not pg_try_advisory_lock(hashtextextended('rebuild ' || current_schema || '.' || model_name, 0)) then
        raise exception 'another rebuild of % is running', model_name using errcode = 'MMRB2';
    end if;
    execute format('drop table if exists %I', fresh);
    update rebuilds set state = 'abandoned', ended_at = clock_timestamp()
        where model = model_name and state in ('building', 'built');
    execute format('create table %I (like %I including defaults including constraints including storage)',
        fresh, model_name);
    select reloptions into options from pg_class where oid = to_regclass(quote_ident(model_name));
    if options is not null then
        execute format('alter table %I set (%s)', fresh, array_to_string(options, ', '));
    end if;
    execute format('grant select, insert, update, delete on %I to %I', fresh, session_user);
    execute format('grant select on %I to mirrormate_reader', fresh);
    insert into rebuilds (model, started_by, code) values (model_name, by_whom, code_version) returning id into made;
    return made;
end $$;

CREATE FUNCTION analysis.complete_rebuild(model_name text, keys_only boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'analysis', 'pg_temp'
    AS $$
declare
    fresh text := model_name || '_fresh';
    live oid := to_regclass(quote_ident(model_name));
    item record;
begin
    for item in
        select c.relname as name, k.oid as constraint_id, k.contype,
            pg_get_indexdef(x.indexrelid) as definition
        from pg_index x join pg_class c on c.oid = x.indexrelid
            left join pg_constraint k on k.conindid = x.indexrelid and k.conrelid = live
        where x.indrelid = live and (x.indisprimary or not keys_only)
            and to_regclass(quote_ident(c.relname || '_fresh')) is null
        order by x.indisprimary desc, c.relname
    loop
        if item.constraint_id is not null then
            execute format('alter table %I add constraint %I %s', fresh, item.name || '_fresh',
                pg_get_constraintdef(item.constraint_id));
        else
            execute regexp_replace(item.definition, '^CREATE (UNIQUE )?INDEX \S+ ON \S+',
                format('CREATE \1INDEX %I ON %I', item.name || '_fresh', fresh));
        end if;
    end loop;
    if keys_only then
        return;
    end if;
    for item in select * from pg_policies p where p.schemaname = current_schema and p.tablename = model_name
        and not exists (select from pg_policies f where f.schemaname = current_schema and f.tablename = fresh
            and f.policyname = p.policyname)
    loop
        execute format('create policy %I on %I as %s for %s to %s%s%s', item.policyname, fresh, item.permissive, item.cmd,
            array_to_string(item.roles, ', '), coalesce(' using (' || item.qual || ')', ''),
            coalesce(' with check (' || item.with_check || ')', ''));
    end loop;
    for item in select a.privilege_type as privilege, a.grantee::regrole as role
        from pg_class c cross join lateral aclexplode(c.relacl) a
        where c.oid = live and a.grantee <> c.relowner and a.grantee <> 0
    loop
        execute format('grant %s on %I to %s', item.privilege, fresh, item.role);
    end loop;
    execute format('analyze %I', fresh);
end $$;

CREATE FUNCTION analysis.drop_rebuild(model_name text) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'analysis', 'pg_temp'
    AS $$
declare
    dropped integer := 0;
    ending text;
begin
    if not exists (select from projections where name = model_name) then
        raise exception 'there is no read model %', model_name using errcode = 'MMRB1';
    end if;
    if not pg_try_advisory_xact_lock(hashtextextended('rebuild ' || current_schema || '.' || model_name, 0)) then
        raise exception 'a rebuild of % is running', model_name using errcode = 'MMRB2';
    end if;
    foreach ending in array array['_before', '_fresh'] loop
        if to_regclass(quote_ident(model_name || ending)) is not null then
            execute format('drop table %I', model_name || ending);
            dropped := dropped + 1;
        end if;
    end loop;
    update rebuilds set state = case state when 'switched' then 'dropped' else 'abandoned' end,
        ended_at = clock_timestamp()
    where model = model_name and state in ('building', 'built', 'switched');
    return dropped;
end $$;

CREATE FUNCTION analysis.in_scope(owner uuid) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    select coalesce(
        nullif(current_setting('mirrormate.scope', true), '') in ('system', owner::text), false)
$$;

CREATE FUNCTION analysis.refuse_appends(reason text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'analysis', 'pg_temp'
    AS $$
    update head set refused = reason where refused is distinct from reason;
$$;

CREATE FUNCTION analysis.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    raise exception 'events are immutable: append a new event that corrects the old one' using errcode = '42501';
end $$;

CREATE FUNCTION analysis.rename_read_model(from_name text, to_name text, ending text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'analysis', 'pg_temp'
    AS $_$
declare
    item record;
begin
    for item in select c.relname as name from pg_index x join pg_class c on c.oid = x.indexrelid
        where x.indrelid = to_regclass(quote_ident(from_name))
    loop
        execute format('alter index %I rename to %I', item.name,
            regexp_replace(item.name, '_(fresh|before)$', '') || ending);
    end loop;
    execute format('alter table %I rename to %I', from_name, to_name);
end $_$;

CREATE FUNCTION analysis.row_discard_object(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update object_intents set unwanted = true where object_key = args ->> 'key';
    select null::text;
$$;

CREATE FUNCTION analysis.row_discard_objects(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update object_intents set unwanted = true where subject = (args ->> 'subject')::uuid;
    select null::text;
$$;

CREATE FUNCTION analysis.row_discard_overdue(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update object_intents set unwanted = true where deadline < clock_timestamp() and not unwanted;
    select null::text;
$$;

CREATE FUNCTION analysis.row_erase_subject(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into erased_subjects (subject) values ((args ->> 'subject')::uuid) on conflict do nothing;
    select null::text;
$$;

CREATE FUNCTION analysis.row_forget_subject(args json) RETURNS text
    LANGUAGE sql
    AS $$
    delete from job_owners where owner_id = (args ->> 'subject')::uuid;
    select null::text;
$$;

CREATE FUNCTION analysis.row_intend_object(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into object_intents (object_key, subject, purpose, deadline)
    values (args ->> 'key', (args ->> 'subject')::uuid, args ->> 'purpose', (args ->> 'deadline')::timestamptz)
    -- A repeat after a crash announces the same object again.
    on conflict (object_key) do update set deadline = excluded.deadline where not object_intents.unwanted;
    select null::text;
$$;

CREATE FUNCTION analysis.row_keep_object(args json) RETURNS text
    LANGUAGE plpgsql
    AS $$
begin
    update object_intents set deadline = null where object_key = args ->> 'key' and not unwanted;
    return case when found then null else 'object-not-intended' end;
end $$;

CREATE FUNCTION analysis.row_learn_key(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into signing_keys (kid, x, y, not_before, expires_at)
    values (args ->> 'kid', args ->> 'x', args ->> 'y', (args ->> 'notBefore')::timestamptz,
        (args ->> 'expiresAt')::timestamptz)
    on conflict (kid) do nothing;
    select null::text;
$$;

CREATE FUNCTION analysis.row_move_watermark(args json) RETURNS text
    LANGUAGE plpgsql
    AS $$
begin
    update consumer_partitions p set
        next_offset = a."nextOffset", last_identity = a."lastIdentity", incarnation = a.incarnation, seen = a.seen,
        source_epoch = a."sourceEpoch", fork = a.fork, alarm = null
    from json_to_record(args) as a (
        topic text, partition integer, epoch bigint, "fromOffset" bigint, "fromSeen" bigint, "nextOffset" bigint,
        "lastIdentity" text, incarnation uuid, seen bigint, "sourceEpoch" bigint, fork bigint)
    where p.topic = a.topic and p.partition = a.partition and p.epoch = a.epoch
        and p.next_offset = a."fromOffset" and p.seen = a."fromSeen";
    return case when found then null else 'watermark' end;
end $$;

CREATE FUNCTION analysis.row_own_job(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into job_owners (session_id, owner_id)
    values ((args ->> 'sessionId')::uuid, (args ->> 'ownerId')::uuid) on conflict do nothing;
    select null::text;
$$;

CREATE FUNCTION analysis.row_park(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into parked_messages (topic, partition, record_offset, key, identity, type, reason, headers, value)
    values (args ->> 'topic', (args ->> 'partition')::integer, (args ->> 'offset')::bigint, args ->> 'key',
        args ->> 'identity', args ->> 'type', args ->> 'reason', args -> 'headers', decode(args ->> 'value', 'hex'))
    on conflict (topic, partition, identity) do nothing;
    select null::text;
$$;

CREATE FUNCTION analysis.row_retire_key(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update signing_keys set retired_at = (args ->> 'retiredAt')::timestamptz where kid = args ->> 'kid';
    select null::text;
$$;

CREATE FUNCTION analysis.row_unpark(args json) RETURNS text
    LANGUAGE plpgsql
    AS $$
declare
    freed text;
begin
    if not exists (select from consumer_partitions where topic = args ->> 'topic'
        and partition = (args ->> 'partition')::integer and epoch = (args ->> 'epoch')::bigint for update) then
        return 'watermark';
    end if;
    delete from parked_messages where topic = args ->> 'topic' and partition = (args ->> 'partition')::integer
        and identity = args ->> 'identity' returning key into freed;
    if not found then
        return 'not-parked';
    end if;
    update parked_messages set release = true where id = (
        select p.id from parked_messages p where p.topic = args ->> 'topic'
            and p.partition = (args ->> 'partition')::integer and p.key = freed order by p.id limit 1);
    return null;
end $$;

CREATE FUNCTION analysis.switch_rebuild(rebuild bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'analysis', 'pg_temp'
    AS $$
declare
    model_name text;
    folded bigint;
    live bigint;
    item record;
begin
    select model, position into model_name, folded from rebuilds where id = rebuild and state = 'built' for update;
    select position into live from projections where name = model_name for update;
    if live is distinct from folded then
        raise exception 'the fresh table is folded to %, the live one to %', folded, live using errcode = 'MMRB3';
    end if;
    update rebuilds set state = 'dropped' where model = model_name and state = 'switched';
    if (select relrowsecurity from pg_class where oid = to_regclass(quote_ident(model_name))) then
        execute format('alter table %I enable row level security', model_name || '_fresh');
    end if;
    execute format('drop table if exists %I', model_name || '_before');
    perform rename_read_model(model_name, model_name || '_before', '_before');
    perform rename_read_model(model_name || '_fresh', model_name, '');
    update rebuilds set state = 'switched', previous_position = folded, ended_at = clock_timestamp() where id = rebuild;
end $$;

CREATE FUNCTION analysis.undo_rebuild(model_name text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'analysis', 'pg_temp'
    AS $$
declare
    last rebuilds;
begin
    select * into last from rebuilds where model = model_name and state = 'switched' order by id desc limit 1 for update;
    if last.id is null or to_regclass(quote_ident(model_name || '_before')) is null then
        raise exception 'there is no table of % to go back to', model_name using errcode = 'MMRB4';
    end if;
    perform from projections where name = model_name for update;
    execute format('drop table %I', model_name);
    perform rename_read_model(model_name || '_before', model_name, '');
    update projections set position = last.previous_position where name = model_name;
    update rebuilds set state = 'undone', ended_at = clock_timestamp() where id = last.id;
    return last.previous_position;
end $$;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE analysis.consumer_partitions (
    topic text NOT NULL,
    partition integer NOT NULL,
    epoch bigint DEFAULT 0 NOT NULL,
    next_offset bigint DEFAULT 0 NOT NULL,
    last_identity text,
    incarnation uuid,
    seen bigint DEFAULT 0 NOT NULL,
    source_epoch bigint DEFAULT 0 NOT NULL,
    fork bigint,
    clean boolean DEFAULT true NOT NULL,
    suspect text,
    attempts integer DEFAULT 0 NOT NULL,
    alarm text
)
WITH (fillfactor='50');

CREATE TABLE analysis.cut_incarnations (
    incarnation uuid NOT NULL,
    successor uuid NOT NULL
);

CREATE TABLE analysis.erased_subjects (
    subject uuid NOT NULL,
    erased_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE analysis.events (
    "position" bigint NOT NULL,
    stream text NOT NULL,
    version bigint NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    schema_version integer NOT NULL,
    data json NOT NULL,
    metadata json NOT NULL,
    request_hash bytea,
    recorded_at timestamp with time zone NOT NULL,
    CONSTRAINT events_data_check CHECK ((octet_length((data)::text) <= 262144)),
    CONSTRAINT events_metadata_check CHECK ((octet_length((metadata)::text) <= 16384)),
    CONSTRAINT events_position_check CHECK (("position" > 0)),
    CONSTRAINT events_schema_version_check CHECK ((schema_version > 0)),
    CONSTRAINT events_stream_check CHECK ((stream <> ''::text)),
    CONSTRAINT events_type_check CHECK ((type <> ''::text)),
    CONSTRAINT events_version_check CHECK ((version > 0))
);

CREATE TABLE analysis.head (
    singleton boolean DEFAULT true NOT NULL,
    incarnation uuid NOT NULL,
    refused text,
    CONSTRAINT head_singleton_check CHECK (singleton)
);

CREATE TABLE analysis.incarnations (
    incarnation uuid NOT NULL,
    parent uuid,
    fork bigint NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT incarnations_check CHECK ((((parent IS NULL) = (fork = 0)) OR (parent IS NOT NULL))),
    CONSTRAINT incarnations_fork_check CHECK ((fork >= 0))
);

CREATE TABLE analysis.job_owners (
    session_id uuid NOT NULL,
    owner_id uuid NOT NULL
);

CREATE TABLE analysis.job_queue (
    key text NOT NULL,
    session_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    state text NOT NULL,
    runnable_at timestamp with time zone,
    lease_ends_at timestamp with time zone,
    attempt bigint NOT NULL,
    CONSTRAINT job_queue_attempt_check CHECK ((attempt >= 0)),
    CONSTRAINT job_queue_check CHECK (((state = 'done'::text) = (runnable_at IS NULL))),
    CONSTRAINT job_queue_check1 CHECK (((state = 'running'::text) = (lease_ends_at IS NOT NULL))),
    CONSTRAINT job_queue_check2 CHECK (((state <> 'queued'::text) OR (attempt = 0))),
    CONSTRAINT job_queue_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'waiting'::text, 'done'::text])))
)
WITH (fillfactor='70');

CREATE TABLE analysis.migrations (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE analysis.object_intents (
    object_key text NOT NULL,
    subject uuid NOT NULL,
    purpose text NOT NULL,
    deadline timestamp with time zone,
    unwanted boolean DEFAULT false NOT NULL
);

CREATE TABLE analysis.parked_messages (
    id bigint NOT NULL,
    topic text NOT NULL,
    partition integer NOT NULL,
    record_offset bigint NOT NULL,
    key text NOT NULL,
    identity text NOT NULL,
    type text NOT NULL,
    reason text NOT NULL,
    headers json NOT NULL,
    value bytea NOT NULL,
    parked_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    release boolean DEFAULT false NOT NULL,
    dropped boolean DEFAULT false NOT NULL,
    attempts integer DEFAULT 0 NOT NULL
);

ALTER TABLE analysis.parked_messages ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME analysis.parked_messages_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE analysis.projections (
    name text NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    CONSTRAINT projections_position_check CHECK (("position" >= 0))
)
WITH (fillfactor='50');

CREATE TABLE analysis.rebuilds (
    id bigint NOT NULL,
    model text NOT NULL,
    state text DEFAULT 'building'::text NOT NULL,
    started_by text NOT NULL,
    code text NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    ended_at timestamp with time zone,
    "position" bigint DEFAULT 0 NOT NULL,
    previous_position bigint,
    events bigint DEFAULT 0 NOT NULL,
    row_count bigint DEFAULT 0 NOT NULL,
    differences bigint,
    first_difference text,
    CONSTRAINT rebuilds_state_check CHECK ((state = ANY (ARRAY['building'::text, 'built'::text, 'switched'::text, 'undone'::text, 'dropped'::text, 'abandoned'::text])))
);

ALTER TABLE analysis.rebuilds ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME analysis.rebuilds_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE analysis.relay (
    singleton boolean DEFAULT true NOT NULL,
    epoch bigint DEFAULT 0 NOT NULL,
    holder uuid,
    lease_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    cursor bigint DEFAULT 0 NOT NULL,
    rewind_to bigint,
    CONSTRAINT relay_cursor_check CHECK ((cursor >= 0)),
    CONSTRAINT relay_rewind_to_check CHECK ((rewind_to >= 0)),
    CONSTRAINT relay_singleton_check CHECK (singleton)
)
WITH (fillfactor='50');

CREATE TABLE analysis.relay_partitions (
    partition integer NOT NULL,
    last_offset bigint NOT NULL,
    last_position bigint NOT NULL,
    last_epoch bigint NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE analysis.request_key (
    singleton boolean DEFAULT true NOT NULL,
    key bytea NOT NULL,
    CONSTRAINT request_key_singleton_check CHECK (singleton)
);

CREATE TABLE analysis.signing_keys (
    kid text NOT NULL,
    x text NOT NULL,
    y text NOT NULL,
    not_before timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    retired_at timestamp with time zone
);

INSERT INTO analysis.consumer_partitions VALUES
	('mirrormate.sessions.v1', 4, 1, 4, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/11', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 11, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 5, 1, 5, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/55', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 55, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 7, 1, 8, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/28', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 28, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 7, 1, 4, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/8', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 8, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 0, 1, 1, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/lease/1', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 2, 1, 2, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/9', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 9, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 4, 1, 4, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/21', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 21, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 6, 1, 5, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/43', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 43, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 2, 1, 3, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/32', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 32, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 6, 1, 2, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/11', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 11, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 1, 1, 1, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/lease/1', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 5, 1, 3, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/15', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 15, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 3, 1, 1, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/lease/1', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 3, 1, 1, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/lease/1', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 1, 1, 1, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/lease/1', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 0, 1, 1, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/lease/1', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 0, 1, NULL, false, NULL, 0, NULL);

INSERT INTO analysis.erased_subjects VALUES
	('6e144c54-6352-537b-a7a5-64a7c8d05a75', '2026-11-21 21:51:29.38338+00');

INSERT INTO analysis.events VALUES
	(1, 'key-b3186284-c41b-5d2d-b780-6e9b0a7bc878', 1, 'b327acaa-8e09-5c74-89ef-2e1cd189a161', 'SigningKeyLearned', 1, '{"kid":"978cf6f9-1116-4f0f-ad98-c58040a49f04","x":"C-lhg3em3brJ_JDnie43Gr-tp3D6aSkH38cHrt0DaqE","y":"WEE_UYX86gcqqFXLhjaoAcsKRNWZk6eyvGXIo_InGfc","notBefore":"2026-11-21T21:51:25.138229Z","expiresAt":"2026-12-21T21:51:25.138229Z"}', '{"correlation":"01a20017-bbd4-76e5-8da5-9a1327a33882","causation":"b5b37db9-5324-59b3-97b0-69ec408a3791","actor":"analysis","origin":"identity/b48e3326-9fdb-4e7a-87d2-a583316e8b08/1"}', '\xb5b37db9532459b397b069ec408a3791', '2026-11-21 21:51:26.747862+00'),
	(2, 'job-7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 1, '7a5ef618-a33a-521d-8361-a528e89abd9e', 'JobQueued', 1, '{"sessionId":"7fa04ff6-f9b9-527e-aa12-2e2bf6470c30","ownerId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","kind":"mirrormate","media":{"key":"media/b5ea4545-d224-5d3e-9c87-7905d7303a18/7fa04ff6-f9b9-527e-aa12-2e2bf6470c30/1ca4ff1c-bf0a-5c2b-8cc9-832f22678788","sha256":"677fe82d70360c4a13bd625d820b64589942e2fd1451c4a1ddcc0baf21a007a1","sizeBytes":4096,"contentType":"video/mp4"},"maxAttempts":3}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c1c0-7883-89b4-fbe371d52e04","causation":"d36e159b-cbb6-5f88-84af-1bae98a85d84","actor":"analysis","traceparent":"00-8e25e8f16227384bffb057250046549d-4bc7d6a9b664020e-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/5"}', '\xd36e159bcbb65f8884af1bae98a85d84', '2026-11-21 21:51:26.756874+00'),
	(3, 'job-7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 2, 'b0591e5d-b951-55c8-90fd-113ac5cfd205', 'AttemptStarted', 1, '{"sessionId":"7fa04ff6-f9b9-527e-aa12-2e2bf6470c30","ownerId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","attempt":1,"worker":"analysis-01a20017-bbe0-7672-99bf-50c6f9a81e1c","leaseEndsAt":"2026-11-21T21:51:29.769847Z"}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c1c0-7883-89b4-fbe371d52e04","causation":"7a5ef618-a33a-521d-8361-a528e89abd9e","actor":"analysis","traceparent":"00-8e25e8f16227384bffb057250046549d-4bc7d6a9b664020e-01"}', '\x01a20017c2317e35937c3bf5d02a9c5e', '2026-11-21 21:51:26.771116+00'),
	(4, 'job-7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 3, '2ab12469-380a-5beb-8d23-28aabb2266e4', 'StageReached', 1, '{"sessionId":"7fa04ff6-f9b9-527e-aa12-2e2bf6470c30","ownerId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c1c0-7883-89b4-fbe371d52e04","causation":"7a5ef618-a33a-521d-8361-a528e89abd9e","actor":"analysis","traceparent":"00-8e25e8f16227384bffb057250046549d-4bc7d6a9b664020e-01"}', '\x01a20017c2437df3addb6bdef4242c36', '2026-11-21 21:51:26.790876+00'),
	(5, 'job-7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 4, 'b8a7e3fc-fae1-59af-ab37-262959c702f4', 'StageReached', 1, '{"sessionId":"7fa04ff6-f9b9-527e-aa12-2e2bf6470c30","ownerId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c1c0-7883-89b4-fbe371d52e04","causation":"7a5ef618-a33a-521d-8361-a528e89abd9e","actor":"analysis","traceparent":"00-8e25e8f16227384bffb057250046549d-4bc7d6a9b664020e-01"}', '\x01a20017c277748f9be2e820037a6d59', '2026-11-21 21:51:26.840563+00'),
	(6, 'job-7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 5, '0618ed79-5d7c-54b2-885e-292b1d58f28f', 'StageReached', 1, '{"sessionId":"7fa04ff6-f9b9-527e-aa12-2e2bf6470c30","ownerId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c1c0-7883-89b4-fbe371d52e04","causation":"7a5ef618-a33a-521d-8361-a528e89abd9e","actor":"analysis","traceparent":"00-8e25e8f16227384bffb057250046549d-4bc7d6a9b664020e-01"}', '\x01a20017c2aa7dbe82dd2e9cb5aeb886', '2026-11-21 21:51:26.89204+00'),
	(7, 'job-7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 6, '5b3efa01-b51b-5ee0-b33c-da0fc20bcb14', 'StageReached', 1, '{"sessionId":"7fa04ff6-f9b9-527e-aa12-2e2bf6470c30","ownerId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c1c0-7883-89b4-fbe371d52e04","causation":"7a5ef618-a33a-521d-8361-a528e89abd9e","actor":"analysis","traceparent":"00-8e25e8f16227384bffb057250046549d-4bc7d6a9b664020e-01"}', '\x01a20017c3117845900d1c4234426bcb', '2026-11-21 21:51:26.994799+00'),
	(8, 'job-7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 7, '03e9e433-e3de-5949-94d8-9ba8f0a34186', 'JobCompleted', 1, '{"sessionId":"7fa04ff6-f9b9-527e-aa12-2e2bf6470c30","ownerId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","attempt":1,"document":{"key":"documents/b5ea4545-d224-5d3e-9c87-7905d7303a18/7fa04ff6-f9b9-527e-aa12-2e2bf6470c30/01a20017-c381-7831-b885-7fb7b316a7e3.json","sha256":"a3938c1bdf9d5f49c7df320986fddb4005ef57779b525ad26146d02cca37d001","sizeBytes":13290},"durationMs":333,"engines":{"aligner":"pocketsphinx 0.8","asr":"moonshine","face":"dlib-hog 19.24","ffmpeg":"5.1.9-0+deb12u1","model":"tiny-en 0.0.73","thresholds":"1"}}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c1c0-7883-89b4-fbe371d52e04","causation":"7a5ef618-a33a-521d-8361-a528e89abd9e","actor":"analysis","traceparent":"00-8e25e8f16227384bffb057250046549d-4bc7d6a9b664020e-01"}', '\x01a20017c38a76e99cc2b2fb7591479e', '2026-11-21 21:51:27.11654+00'),
	(9, 'job-f345ebfe-426c-5ebe-bfca-9d132104ac8b', 1, '8417343e-2c44-5552-a492-5e5e51c0a6b6', 'JobQueued', 1, '{"sessionId":"f345ebfe-426c-5ebe-bfca-9d132104ac8b","ownerId":"42b88df0-9b40-53c1-898f-14797a6c2ead","kind":"mirrormate","media":{"key":"media/42b88df0-9b40-53c1-898f-14797a6c2ead/f345ebfe-426c-5ebe-bfca-9d132104ac8b/5dde807c-d035-5ebc-914a-aeeabef8643d","sha256":"ad4e7f3d03001c1e109ac50c4b5262b5ea454c43488573ade43ecdcae19df8a9","sizeBytes":4096,"contentType":"video/mp4"},"maxAttempts":3}', '{"owner":"42b88df0-9b40-53c1-898f-14797a6c2ead","correlation":"01a20017-c487-7a7a-81f4-9ab472d0f406","causation":"e88b5a14-eea5-53ad-988b-32d5adfc53df","actor":"analysis","traceparent":"00-bd58dc7ff186d6528d8900ab321a4d74-b10bc7e958df94ee-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/15"}', '\xe88b5a14eea553ad988b32d5adfc53df', '2026-11-21 21:51:27.383315+00'),
	(10, 'job-f345ebfe-426c-5ebe-bfca-9d132104ac8b', 2, 'd36d33f8-a1bf-569b-92f9-dcbb83806d10', 'AttemptStarted', 1, '{"sessionId":"f345ebfe-426c-5ebe-bfca-9d132104ac8b","ownerId":"42b88df0-9b40-53c1-898f-14797a6c2ead","attempt":1,"worker":"analysis-01a20017-bbe0-7672-99bf-50c6f9a81e1c","leaseEndsAt":"2026-11-21T21:51:30.391824Z"}', '{"owner":"42b88df0-9b40-53c1-898f-14797a6c2ead","correlation":"01a20017-c487-7a7a-81f4-9ab472d0f406","causation":"8417343e-2c44-5552-a492-5e5e51c0a6b6","actor":"analysis","traceparent":"00-bd58dc7ff186d6528d8900ab321a4d74-b10bc7e958df94ee-01"}', '\x01a20017c49f7ef1ac7027b7ea4e8203', '2026-11-21 21:51:27.392858+00'),
	(11, 'job-f345ebfe-426c-5ebe-bfca-9d132104ac8b', 3, '30009489-d5b0-5bbd-9067-7a636002bfa0', 'AttemptFailed', 1, '{"sessionId":"f345ebfe-426c-5ebe-bfca-9d132104ac8b","ownerId":"42b88df0-9b40-53c1-898f-14797a6c2ead","attempt":1,"code":"unreadable","retryable":false}', '{"owner":"42b88df0-9b40-53c1-898f-14797a6c2ead","correlation":"01a20017-c487-7a7a-81f4-9ab472d0f406","causation":"8417343e-2c44-5552-a492-5e5e51c0a6b6","actor":"analysis","traceparent":"00-bd58dc7ff186d6528d8900ab321a4d74-b10bc7e958df94ee-01"}', '\x01a20017c4b57a149cee833bab5263c0', '2026-11-21 21:51:27.417654+00'),
	(12, 'job-f345ebfe-426c-5ebe-bfca-9d132104ac8b', 4, '401d8328-08df-5baf-998b-e70917cac932', 'JobFailed', 1, '{"sessionId":"f345ebfe-426c-5ebe-bfca-9d132104ac8b","ownerId":"42b88df0-9b40-53c1-898f-14797a6c2ead","attempt":1,"code":"unreadable","retryable":false}', '{"owner":"42b88df0-9b40-53c1-898f-14797a6c2ead","correlation":"01a20017-c487-7a7a-81f4-9ab472d0f406","causation":"8417343e-2c44-5552-a492-5e5e51c0a6b6","actor":"analysis","traceparent":"00-bd58dc7ff186d6528d8900ab321a4d74-b10bc7e958df94ee-01"}', NULL, '2026-11-21 21:51:27.417654+00'),
	(13, 'job-051b44d1-f7e6-5700-ad3e-5a671c3da351', 1, '51775a29-6b68-52ac-bee5-a4f1e4142315', 'JobQueued', 1, '{"sessionId":"051b44d1-f7e6-5700-ad3e-5a671c3da351","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","kind":"mirrormate","media":{"key":"media/ffde2b98-0a39-51b7-ac3d-18f19946d461/051b44d1-f7e6-5700-ad3e-5a671c3da351/be3adf5a-ee6f-5029-a5b4-32af3d21f210","sha256":"5f7a25fdc4d2f0431f600038ed7836637d611f284d50ed2ffd723625a2be3aa8","sizeBytes":4096,"contentType":"video/mp4"},"maxAttempts":3}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c553-777c-8b1d-382cf272e35e","causation":"e3a47d07-ab8e-561b-9c8b-b0c61a823ad0","actor":"analysis","traceparent":"00-8022957833a111bbb4ef87ed716cdae2-7d8fcec8705ec3f7-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/21"}', '\xe3a47d07ab8e561b9c8bb0c61a823ad0', '2026-11-21 21:51:27.58175+00'),
	(14, 'job-051b44d1-f7e6-5700-ad3e-5a671c3da351', 2, '113c9749-21c0-5940-add7-d6b0e3b8b4d0', 'AttemptStarted', 1, '{"sessionId":"051b44d1-f7e6-5700-ad3e-5a671c3da351","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","attempt":1,"worker":"analysis-01a20017-bbe0-7672-99bf-50c6f9a81e1c","leaseEndsAt":"2026-11-21T21:51:30.591474Z"}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c553-777c-8b1d-382cf272e35e","causation":"51775a29-6b68-52ac-bee5-a4f1e4142315","actor":"analysis","traceparent":"00-8022957833a111bbb4ef87ed716cdae2-7d8fcec8705ec3f7-01"}', '\x01a20017c5677824aedc3212ff94b662', '2026-11-21 21:51:27.592343+00'),
	(15, 'job-051b44d1-f7e6-5700-ad3e-5a671c3da351', 3, 'd4a99c10-4503-5d47-86a9-ce5341e4246e', 'StageReached', 1, '{"sessionId":"051b44d1-f7e6-5700-ad3e-5a671c3da351","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c553-777c-8b1d-382cf272e35e","causation":"51775a29-6b68-52ac-bee5-a4f1e4142315","actor":"analysis","traceparent":"00-8022957833a111bbb4ef87ed716cdae2-7d8fcec8705ec3f7-01"}', '\x01a20017c57770fd8fa094d175465152', '2026-11-21 21:51:27.610404+00'),
	(16, 'job-051b44d1-f7e6-5700-ad3e-5a671c3da351', 4, 'a5185d5e-8e70-56da-9512-9d09c4584568', 'StageReached', 1, '{"sessionId":"051b44d1-f7e6-5700-ad3e-5a671c3da351","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c553-777c-8b1d-382cf272e35e","causation":"51775a29-6b68-52ac-bee5-a4f1e4142315","actor":"analysis","traceparent":"00-8022957833a111bbb4ef87ed716cdae2-7d8fcec8705ec3f7-01"}', '\x01a20017c5ab7f2ba8dc123427619c8e', '2026-11-21 21:51:27.661144+00'),
	(17, 'job-051b44d1-f7e6-5700-ad3e-5a671c3da351', 5, '094bef31-e73f-5c02-9979-ac8c4e167869', 'StageReached', 1, '{"sessionId":"051b44d1-f7e6-5700-ad3e-5a671c3da351","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c553-777c-8b1d-382cf272e35e","causation":"51775a29-6b68-52ac-bee5-a4f1e4142315","actor":"analysis","traceparent":"00-8022957833a111bbb4ef87ed716cdae2-7d8fcec8705ec3f7-01"}', '\x01a20017c5df7631905e558f12cfdba5', '2026-11-21 21:51:27.712878+00'),
	(18, 'job-051b44d1-f7e6-5700-ad3e-5a671c3da351', 6, '6a7f37a9-bfd2-5cb6-8275-3c195dcc54be', 'StageReached', 1, '{"sessionId":"051b44d1-f7e6-5700-ad3e-5a671c3da351","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c553-777c-8b1d-382cf272e35e","causation":"51775a29-6b68-52ac-bee5-a4f1e4142315","actor":"analysis","traceparent":"00-8022957833a111bbb4ef87ed716cdae2-7d8fcec8705ec3f7-01"}', '\x01a20017c6477d069d4173111dddec0b', '2026-11-21 21:51:27.818003+00'),
	(19, 'job-051b44d1-f7e6-5700-ad3e-5a671c3da351', 7, '31830223-0535-5557-982a-2c980dde9e40', 'JobCompleted', 1, '{"sessionId":"051b44d1-f7e6-5700-ad3e-5a671c3da351","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","attempt":1,"document":{"key":"documents/ffde2b98-0a39-51b7-ac3d-18f19946d461/051b44d1-f7e6-5700-ad3e-5a671c3da351/01a20017-c6b6-72f5-9628-ec56626b92e2.json","sha256":"6df962ad3e5039ef84fac681ac16e1ff5220cd101289317bad2ce911c39bc9b1","sizeBytes":13290},"durationMs":333,"engines":{"aligner":"pocketsphinx 0.8","asr":"moonshine","face":"dlib-hog 19.24","ffmpeg":"5.1.9-0+deb12u1","model":"tiny-en 0.0.73","thresholds":"1"}}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c553-777c-8b1d-382cf272e35e","causation":"51775a29-6b68-52ac-bee5-a4f1e4142315","actor":"analysis","traceparent":"00-8022957833a111bbb4ef87ed716cdae2-7d8fcec8705ec3f7-01"}', '\x01a20017c6ba7bdf8ad3b975496855a4', '2026-11-21 21:51:27.93221+00'),
	(20, 'job-6054a724-79a0-5052-9b56-1a1758a28bcf', 1, '1904415b-9d07-500b-aaa3-c1d856806988', 'JobCancelled', 1, '{"sessionId":"6054a724-79a0-5052-9b56-1a1758a28bcf","ownerId":"3add8261-20c4-5992-917c-9341a527d64f","reason":"session-cancelled"}', '{"owner":"3add8261-20c4-5992-917c-9341a527d64f","correlation":"01a20017-c7e6-7726-909c-8c1685cb309d","causation":"21874701-75d4-5b21-9fd1-7977de5ec5aa","actor":"analysis","traceparent":"00-96761efd46dbebdde83daacbf1b71a2c-86b081b831107ff1-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/32"}', '\x2187470175d45b219fd17977de5ec5aa', '2026-11-21 21:51:28.247281+00'),
	(21, 'job-2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 1, 'fd452b00-8ce8-525b-9de2-836eaaa03fe2', 'JobQueued', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","kind":"mirrormate","media":{"key":"media/fd783f21-4d67-5dff-ab61-83d2fa0eab82/2192cbf4-783e-50e6-9b5a-d08d2eb3bb38/1c203777-943c-5441-83c3-1d13198b138d","sha256":"38bfe97294003e15881cd10b490911ac7a837c642b6fa9850fb7b593d2d08aba","sizeBytes":4096,"contentType":"video/mp4"},"maxAttempts":3}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c896-7116-83ad-75b5e5f7b6bf","causation":"c8ec9f9a-548f-5be2-b24d-9bdefd238e13","actor":"analysis","traceparent":"00-d0eb8bdea1e1c48687bad82d055e8d12-a3cf5933d6dfb04c-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/36"}', '\xc8ec9f9a548f5be2b24d9bdefd238e13', '2026-11-21 21:51:28.42119+00'),
	(22, 'job-2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 2, '4798abca-391b-51a1-b0ae-554d701c8092', 'AttemptStarted', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","attempt":1,"worker":"analysis-01a20017-bbe0-7672-99bf-50c6f9a81e1c","leaseEndsAt":"2026-11-21T21:51:31.432697Z"}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c896-7116-83ad-75b5e5f7b6bf","causation":"fd452b00-8ce8-525b-9de2-836eaaa03fe2","actor":"analysis","traceparent":"00-d0eb8bdea1e1c48687bad82d055e8d12-a3cf5933d6dfb04c-01"}', '\x01a20017c8b07d26b062e59c118af0a3', '2026-11-21 21:51:28.434111+00'),
	(23, 'job-2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 3, 'f84116b4-c1f4-5e94-bbd4-721c97b18be3', 'StageReached', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c896-7116-83ad-75b5e5f7b6bf","causation":"fd452b00-8ce8-525b-9de2-836eaaa03fe2","actor":"analysis","traceparent":"00-d0eb8bdea1e1c48687bad82d055e8d12-a3cf5933d6dfb04c-01"}', '\x01a20017c8c871a1b068383c0554b2e7', '2026-11-21 21:51:28.457558+00'),
	(24, 'job-2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 4, '9fdd7752-844f-5fe7-b20c-a59169dbd78d', 'StageReached', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c896-7116-83ad-75b5e5f7b6bf","causation":"fd452b00-8ce8-525b-9de2-836eaaa03fe2","actor":"analysis","traceparent":"00-d0eb8bdea1e1c48687bad82d055e8d12-a3cf5933d6dfb04c-01"}', '\x01a20017c8fc713f9aad4307acf33724', '2026-11-21 21:51:28.509295+00'),
	(25, 'job-2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 5, 'b3da348b-f15e-5cef-a0ee-43d679408585', 'StageReached', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c896-7116-83ad-75b5e5f7b6bf","causation":"fd452b00-8ce8-525b-9de2-836eaaa03fe2","actor":"analysis","traceparent":"00-d0eb8bdea1e1c48687bad82d055e8d12-a3cf5933d6dfb04c-01"}', '\x01a20017c92f7f70924b2c5b5ba932f0', '2026-11-21 21:51:28.561101+00'),
	(26, 'job-2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 6, '674e87f3-9823-5c17-98a2-4c18b0866039', 'StageReached', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c896-7116-83ad-75b5e5f7b6bf","causation":"fd452b00-8ce8-525b-9de2-836eaaa03fe2","actor":"analysis","traceparent":"00-d0eb8bdea1e1c48687bad82d055e8d12-a3cf5933d6dfb04c-01"}', '\x01a20017c9977828aa6399bd5ee0f403', '2026-11-21 21:51:28.664617+00'),
	(27, 'job-2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 7, 'a4d7878e-35d2-555e-a50d-0ed49acd7ccd', 'JobCompleted', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","attempt":1,"document":{"key":"documents/fd783f21-4d67-5dff-ab61-83d2fa0eab82/2192cbf4-783e-50e6-9b5a-d08d2eb3bb38/01a20017-ca04-7b3b-be65-4b7179de1d47.json","sha256":"a552072c1a0f37cef155c0bcaae6661b04a07ada0bd081ac9fada9de103f0488","sizeBytes":13290},"durationMs":337,"engines":{"aligner":"pocketsphinx 0.8","asr":"moonshine","face":"dlib-hog 19.24","ffmpeg":"5.1.9-0+deb12u1","model":"tiny-en 0.0.73","thresholds":"1"}}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c896-7116-83ad-75b5e5f7b6bf","causation":"fd452b00-8ce8-525b-9de2-836eaaa03fe2","actor":"analysis","traceparent":"00-d0eb8bdea1e1c48687bad82d055e8d12-a3cf5933d6dfb04c-01"}', '\x01a20017ca0970ac968b551e5ce8ac2b', '2026-11-21 21:51:28.778495+00'),
	(28, 'job-2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 8, 'b199f9ea-c0dc-501f-a44f-49405b40a3bc', 'ResultDiscarded', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","reason":"session-deleted"}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-ca2f-7828-9c51-72c9295287b1","causation":"2d0096e7-5a7f-5f28-b788-d9d326dbd873","actor":"analysis","traceparent":"00-fff2427c2a4fe44784fe722787faf2a7-3a07c25a755bdf1e-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/43"}', '\x2d0096e75a7f5f28b788d9d326dbd873', '2026-11-21 21:51:28.834527+00'),
	(29, 'job-58fe6121-7273-5e69-a30e-3a5f8e97b31f', 1, '51454d85-7b04-53b5-8428-dad58505dda2', 'JobQueued', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","kind":"mirrormate","media":{"key":"media/6e144c54-6352-537b-a7a5-64a7c8d05a75/58fe6121-7273-5e69-a30e-3a5f8e97b31f/893b2b9e-1fd0-51df-9b01-25bb88448036","sha256":"8890b6f414f2ea0e7274e3735618d8a863ed6ceef0f02ce44c211beaffbacea8","sizeBytes":4096,"contentType":"video/mp4"},"maxAttempts":3}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cac2-75be-b2a1-a9b13c1c185e","causation":"77e4ba3c-c39c-5bb5-9fd2-7cd83addddde","actor":"analysis","traceparent":"00-b97a5edd962c59add5aaf5eb9bd95dab-5792d558979fe475-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/47"}', '\x77e4ba3cc39c5bb59fd27cd83addddde', '2026-11-21 21:51:28.972528+00'),
	(30, 'job-58fe6121-7273-5e69-a30e-3a5f8e97b31f', 2, 'efc830f9-fbbb-5478-8c7d-663fd91a0a89', 'AttemptStarted', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","attempt":1,"worker":"analysis-01a20017-bbe0-7672-99bf-50c6f9a81e1c","leaseEndsAt":"2026-11-21T21:51:31.980881Z"}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cac2-75be-b2a1-a9b13c1c185e","causation":"51454d85-7b04-53b5-8428-dad58505dda2","actor":"analysis","traceparent":"00-b97a5edd962c59add5aaf5eb9bd95dab-5792d558979fe475-01"}', '\x01a20017cad47ee192aee8b93c501d3c', '2026-11-21 21:51:28.982335+00'),
	(31, 'job-58fe6121-7273-5e69-a30e-3a5f8e97b31f', 3, '4d379cd0-4534-5403-86b8-dffcef083351', 'StageReached', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cac2-75be-b2a1-a9b13c1c185e","causation":"51454d85-7b04-53b5-8428-dad58505dda2","actor":"analysis","traceparent":"00-b97a5edd962c59add5aaf5eb9bd95dab-5792d558979fe475-01"}', '\x01a20017cae47635bee79fa59bd097c9', '2026-11-21 21:51:28.998589+00'),
	(32, 'job-58fe6121-7273-5e69-a30e-3a5f8e97b31f', 4, '4069354c-e05d-5656-8ea5-89373bd42b44', 'StageReached', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cac2-75be-b2a1-a9b13c1c185e","causation":"51454d85-7b04-53b5-8428-dad58505dda2","actor":"analysis","traceparent":"00-b97a5edd962c59add5aaf5eb9bd95dab-5792d558979fe475-01"}', '\x01a20017cb177404b0f41eaed3e83f2b', '2026-11-21 21:51:29.048875+00'),
	(33, 'job-58fe6121-7273-5e69-a30e-3a5f8e97b31f', 5, 'f2775a87-cfa4-5581-b9ed-36d9646ea169', 'StageReached', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cac2-75be-b2a1-a9b13c1c185e","causation":"51454d85-7b04-53b5-8428-dad58505dda2","actor":"analysis","traceparent":"00-b97a5edd962c59add5aaf5eb9bd95dab-5792d558979fe475-01"}', '\x01a20017cb4a75339e0efc989dbd2103', '2026-11-21 21:51:29.10016+00'),
	(34, 'job-58fe6121-7273-5e69-a30e-3a5f8e97b31f', 6, '8c4ea2f4-b46d-5fde-8dab-e8041103c121', 'StageReached', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cac2-75be-b2a1-a9b13c1c185e","causation":"51454d85-7b04-53b5-8428-dad58505dda2","actor":"analysis","traceparent":"00-b97a5edd962c59add5aaf5eb9bd95dab-5792d558979fe475-01"}', '\x01a20017cbb1709b9618fe3a1f44b08e', '2026-11-21 21:51:29.202881+00'),
	(35, 'job-58fe6121-7273-5e69-a30e-3a5f8e97b31f', 7, '421ae72c-327b-552a-b06d-64c0955ad273', 'JobCompleted', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","attempt":1,"document":{"key":"documents/6e144c54-6352-537b-a7a5-64a7c8d05a75/58fe6121-7273-5e69-a30e-3a5f8e97b31f/01a20017-cc1e-7a45-8ef0-545edad7f9b9.json","sha256":"adb1d95a71a55e9ce5f85c4d0bd08988faaa34eea0c4b5514d937eda62d9a3ea","sizeBytes":13290},"durationMs":327,"engines":{"aligner":"pocketsphinx 0.8","asr":"moonshine","face":"dlib-hog 19.24","ffmpeg":"5.1.9-0+deb12u1","model":"tiny-en 0.0.73","thresholds":"1"}}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cac2-75be-b2a1-a9b13c1c185e","causation":"51454d85-7b04-53b5-8428-dad58505dda2","actor":"analysis","traceparent":"00-b97a5edd962c59add5aaf5eb9bd95dab-5792d558979fe475-01"}', '\x01a20017cc227f3786a946d049151944', '2026-11-21 21:51:29.316476+00'),
	(36, 'job-58fe6121-7273-5e69-a30e-3a5f8e97b31f', 8, '33f7afa6-a289-5016-a7ac-cf47f86c163b', 'JobErased', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75"}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cc4c-7feb-ae8b-f7de54d2a33a","causation":"3c87a832-a542-58c1-b428-4e1a904dac5e","actor":"analysis","traceparent":"00-cfead89cd328f1c5353cb0ff230d7139-1adffb977bc37108-01","origin":"identity/b48e3326-9fdb-4e7a-87d2-a583316e8b08/15"}', '\xda7d0e0af82954559f473b7bf1de2b00', '2026-11-21 21:51:29.398794+00'),
	(37, 'subject-6e144c54-6352-537b-a7a5-64a7c8d05a75', 1, '61d461bb-c543-5a38-86ef-1b0eb43ad260', 'SubjectErased', 1, '{"subjectId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","removed":{"rows":1,"objects":1}}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cc4c-7feb-ae8b-f7de54d2a33a","causation":"3c87a832-a542-58c1-b428-4e1a904dac5e","actor":"analysis","traceparent":"00-cfead89cd328f1c5353cb0ff230d7139-1adffb977bc37108-01","origin":"identity/b48e3326-9fdb-4e7a-87d2-a583316e8b08/15"}', '\x3c87a832a54258c1b4284e1a904dac5e', '2026-11-21 21:51:29.404431+00'),
	(38, 'key-c4b55136-6343-54f3-828c-976a11212ce1', 1, 'a9de59ed-009a-51eb-9cc7-7def4f8b8dd7', 'SigningKeyLearned', 1, '{"kid":"b6ad323b-6f79-42f1-8b08-feed3d9d9379","x":"6RLGY-G6s48hqn7pWWvlvqBEtNpyhqXEhmSfXm6KFpQ","y":"xxEnn1qOvmlDr4iuHgFLj0wiMEDR1HdFtVd8wAo4WCU","notBefore":"2026-11-21T21:56:29.514073Z","expiresAt":"2026-12-21T21:56:29.514073Z"}', '{"correlation":"01a20017-ccee-747a-ba8e-f57a15f3c517","causation":"0f47627a-cfdb-5cd4-b701-5367ae883eb0","actor":"analysis","origin":"identity/b48e3326-9fdb-4e7a-87d2-a583316e8b08/21"}', '\x0f47627acfdb5cd4b7015367ae883eb0', '2026-11-21 21:51:29.570206+00');

INSERT INTO analysis.head VALUES
	(true, '35fd88a4-9023-4e6f-81f2-645649afa417', NULL);

INSERT INTO analysis.incarnations VALUES
	('35fd88a4-9023-4e6f-81f2-645649afa417', NULL, 0, '2026-11-21 21:51:24.386471+00');

INSERT INTO analysis.job_owners VALUES
	('7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 'b5ea4545-d224-5d3e-9c87-7905d7303a18'),
	('f345ebfe-426c-5ebe-bfca-9d132104ac8b', '42b88df0-9b40-53c1-898f-14797a6c2ead'),
	('051b44d1-f7e6-5700-ad3e-5a671c3da351', 'ffde2b98-0a39-51b7-ac3d-18f19946d461'),
	('6054a724-79a0-5052-9b56-1a1758a28bcf', '3add8261-20c4-5992-917c-9341a527d64f'),
	('2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 'fd783f21-4d67-5dff-ab61-83d2fa0eab82');

INSERT INTO analysis.job_queue VALUES
	('7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', '7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 'b5ea4545-d224-5d3e-9c87-7905d7303a18', 'done', NULL, NULL, 1),
	('f345ebfe-426c-5ebe-bfca-9d132104ac8b', 'f345ebfe-426c-5ebe-bfca-9d132104ac8b', '42b88df0-9b40-53c1-898f-14797a6c2ead', 'done', NULL, NULL, 1),
	('051b44d1-f7e6-5700-ad3e-5a671c3da351', '051b44d1-f7e6-5700-ad3e-5a671c3da351', 'ffde2b98-0a39-51b7-ac3d-18f19946d461', 'done', NULL, NULL, 1),
	('2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', '2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 'fd783f21-4d67-5dff-ab61-83d2fa0eab82', 'done', NULL, NULL, 1);

INSERT INTO analysis.migrations VALUES
	('defaults', 'bbbc80e2f22d6c70', '2026-11-21 21:51:24.367892+00'),
	('scope', 'c7d456e957fc1364', '2026-11-21 21:51:24.370736+00'),
	('head', 'e72b49b65dda4c45', '2026-11-21 21:51:24.387081+00'),
	('events', 'bbfd42eb9788a7bd', '2026-11-21 21:51:24.411188+00'),
	('events_immutable', 'e01cf0229e7fd418', '2026-11-21 21:51:24.418714+00'),
	('erased_subjects', '2146bc0c2be40d91', '2026-11-21 21:51:24.435007+00'),
	('append_batch', '9f09a3219dbfffd4', '2026-11-21 21:51:24.450003+00'),
	('privileges', 'fdd9b5951144bb48', '2026-11-21 21:51:24.452766+00'),
	('relay', '1682739c19a064b0', '2026-11-21 21:51:24.47768+00'),
	('incarnation', '7e74a231e02a5b5a', '2026-11-21 21:51:24.486095+00'),
	('consumer_partitions', '48f1e25c7fe5bb7f', '2026-11-21 21:51:24.508994+00'),
	('parked_messages', '7e23a009eb467817', '2026-11-21 21:51:24.535021+00'),
	('projections', 'b60500a61b2cbb97', '2026-11-21 21:51:24.54962+00'),
	('rebuilds', '559cf9ed68b2b3bf', '2026-11-21 21:51:24.561339+00'),
	('rename_read_model', '86e564ba8b91283d', '2026-11-21 21:51:24.564427+00'),
	('begin_rebuild', 'c8cae99280351953', '2026-11-21 21:51:24.566643+00'),
	('complete_rebuild', '121993744112cac9', '2026-11-21 21:51:24.571148+00'),
	('switch_rebuild', 'f03d670e1faaf5bd', '2026-11-21 21:51:24.573242+00'),
	('undo_rebuild', '841c4c38c900d773', '2026-11-21 21:51:24.57782+00'),
	('drop_rebuild', 'cf1b4d618e545b4f', '2026-11-21 21:51:24.58184+00'),
	('abandon_rebuild', 'dd545db82ffecf67', '2026-11-21 21:51:24.584214+00'),
	('request_key', 'eb88c0ad3dfad762', '2026-11-21 21:51:24.595959+00'),
	('signing_keys', 'cf99a50835fd752', '2026-11-21 21:51:24.604197+00'),
	('object_intents', '299a9fee0e13f609', '2026-11-21 21:51:24.621232+00'),
	('object_sweep', '1684e7c2309b09b2', '2026-11-21 21:51:24.622203+00'),
	('reader', '2a6dba18899e3b07', '2026-11-21 21:51:24.625194+00'),
	('job_queue', '3e6a395f4d9e520a', '2026-11-21 21:51:24.645815+00'),
	('job_owners', 'ddffe0c6ff3092d', '2026-11-21 21:51:24.662799+00');

INSERT INTO analysis.object_intents VALUES
	('documents/b5ea4545-d224-5d3e-9c87-7905d7303a18/7fa04ff6-f9b9-527e-aa12-2e2bf6470c30/01a20017-c381-7831-b885-7fb7b316a7e3.json', 'b5ea4545-d224-5d3e-9c87-7905d7303a18', 'analysis-document', NULL, false),
	('documents/ffde2b98-0a39-51b7-ac3d-18f19946d461/051b44d1-f7e6-5700-ad3e-5a671c3da351/01a20017-c6b6-72f5-9628-ec56626b92e2.json', 'ffde2b98-0a39-51b7-ac3d-18f19946d461', 'analysis-document', NULL, false),
	('documents/fd783f21-4d67-5dff-ab61-83d2fa0eab82/2192cbf4-783e-50e6-9b5a-d08d2eb3bb38/01a20017-ca04-7b3b-be65-4b7179de1d47.json', 'fd783f21-4d67-5dff-ab61-83d2fa0eab82', 'analysis-document', NULL, true);

INSERT INTO analysis.projections VALUES
	('job_queue', 38);

INSERT INTO analysis.relay VALUES
	(true, 1, '01a20017-bbe0-790e-b71f-bf6cb863accd', '2026-11-21 21:51:35.709854+00', 38, NULL);

INSERT INTO analysis.relay_partitions VALUES
	(4, 6, 8, 1),
	(5, 7, 37, 1),
	(6, 6, 27, 1),
	(7, 8, 19, 1),
	(0, -1, 0, 0),
	(1, -1, 0, 0),
	(2, -1, 0, 0),
	(3, -1, 0, 0);

INSERT INTO analysis.request_key VALUES
	(true, '\xf3c8491d845245779b5350da7545edf53a0cf7bebc2240e1b44766c685621d74');

INSERT INTO analysis.signing_keys VALUES
	('978cf6f9-1116-4f0f-ad98-c58040a49f04', 'C-lhg3em3brJ_JDnie43Gr-tp3D6aSkH38cHrt0DaqE', 'WEE_UYX86gcqqFXLhjaoAcsKRNWZk6eyvGXIo_InGfc', '2026-11-21 21:51:25.138229+00', '2026-12-21 21:51:25.138229+00', NULL),
	('b6ad323b-6f79-42f1-8b08-feed3d9d9379', '6RLGY-G6s48hqn7pWWvlvqBEtNpyhqXEhmSfXm6KFpQ', 'xxEnn1qOvmlDr4iuHgFLj0wiMEDR1HdFtVd8wAo4WCU', '2026-11-21 21:56:29.514073+00', '2026-12-21 21:56:29.514073+00', NULL);

SELECT pg_catalog.setval('analysis.parked_messages_id_seq', 1, false);

SELECT pg_catalog.setval('analysis.rebuilds_id_seq', 1, false);

ALTER TABLE ONLY analysis.consumer_partitions
    ADD CONSTRAINT consumer_partitions_pkey PRIMARY KEY (topic, partition);

ALTER TABLE ONLY analysis.cut_incarnations
    ADD CONSTRAINT cut_incarnations_pkey PRIMARY KEY (incarnation);

ALTER TABLE ONLY analysis.erased_subjects
    ADD CONSTRAINT erased_subjects_pkey PRIMARY KEY (subject);

ALTER TABLE ONLY analysis.events
    ADD CONSTRAINT events_id_key UNIQUE (id);

ALTER TABLE ONLY analysis.events
    ADD CONSTRAINT events_pkey PRIMARY KEY ("position");

ALTER TABLE ONLY analysis.events
    ADD CONSTRAINT events_stream_version_key UNIQUE (stream, version);

ALTER TABLE ONLY analysis.head
    ADD CONSTRAINT head_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY analysis.incarnations
    ADD CONSTRAINT incarnations_pkey PRIMARY KEY (incarnation);

ALTER TABLE ONLY analysis.job_owners
    ADD CONSTRAINT job_owners_pkey PRIMARY KEY (session_id);

ALTER TABLE ONLY analysis.job_queue
    ADD CONSTRAINT job_queue_pkey PRIMARY KEY (key);

ALTER TABLE ONLY analysis.job_queue
    ADD CONSTRAINT job_queue_session_id_key UNIQUE (session_id);

ALTER TABLE ONLY analysis.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (name);

ALTER TABLE ONLY analysis.object_intents
    ADD CONSTRAINT object_intents_pkey PRIMARY KEY (object_key);

ALTER TABLE ONLY analysis.parked_messages
    ADD CONSTRAINT parked_messages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY analysis.parked_messages
    ADD CONSTRAINT parked_messages_topic_partition_identity_key UNIQUE (topic, partition, identity);

ALTER TABLE ONLY analysis.projections
    ADD CONSTRAINT projections_pkey PRIMARY KEY (name);

ALTER TABLE ONLY analysis.rebuilds
    ADD CONSTRAINT rebuilds_pkey PRIMARY KEY (id);

ALTER TABLE ONLY analysis.relay_partitions
    ADD CONSTRAINT relay_partitions_pkey PRIMARY KEY (partition);

ALTER TABLE ONLY analysis.relay
    ADD CONSTRAINT relay_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY analysis.request_key
    ADD CONSTRAINT request_key_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY analysis.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (kid);

CREATE INDEX job_owners_by_owner ON analysis.job_owners USING btree (owner_id);

CREATE INDEX job_queue_runnable ON analysis.job_queue USING btree (runnable_at) WHERE (state <> 'done'::text);

CREATE INDEX object_intents_by_subject ON analysis.object_intents USING btree (subject);

CREATE INDEX object_intents_due ON analysis.object_intents USING btree (deadline) WHERE ((deadline IS NOT NULL) OR unwanted);

CREATE INDEX parked_messages_by_key ON analysis.parked_messages USING btree (topic, partition, key, id);

CREATE TRIGGER events_are_immutable BEFORE DELETE OR UPDATE ON analysis.events FOR EACH ROW EXECUTE FUNCTION analysis.refuse_change();

CREATE TRIGGER events_are_not_truncated BEFORE TRUNCATE ON analysis.events FOR EACH STATEMENT EXECUTE FUNCTION analysis.refuse_change();

ALTER TABLE ONLY analysis.cut_incarnations
    ADD CONSTRAINT cut_incarnations_successor_fkey FOREIGN KEY (successor) REFERENCES analysis.incarnations(incarnation);

ALTER TABLE ONLY analysis.head
    ADD CONSTRAINT head_incarnation_fkey FOREIGN KEY (incarnation) REFERENCES analysis.incarnations(incarnation);

ALTER TABLE ONLY analysis.incarnations
    ADD CONSTRAINT incarnations_parent_fkey FOREIGN KEY (parent) REFERENCES analysis.incarnations(incarnation);

ALTER TABLE analysis.job_owners ENABLE ROW LEVEL SECURITY;

ALTER TABLE analysis.job_queue ENABLE ROW LEVEL SECURITY;

ALTER TABLE analysis.object_intents ENABLE ROW LEVEL SECURITY;

CREATE POLICY owners_rows ON analysis.job_owners USING (analysis.in_scope(owner_id));

CREATE POLICY owners_rows ON analysis.job_queue USING (analysis.in_scope(owner_id));

CREATE POLICY owners_rows ON analysis.object_intents USING (analysis.in_scope(subject));

GRANT USAGE ON SCHEMA analysis TO analysis;
GRANT USAGE ON SCHEMA analysis TO mirrormate_reader;

REVOKE ALL ON FUNCTION analysis.abandon_rebuild(rebuild bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION analysis.abandon_rebuild(rebuild bigint) TO analysis;

REVOKE ALL ON FUNCTION analysis.append_batch(first_ids uuid[], hashes bytea[], owners uuid[], though_erased boolean[], metadatas json[], calls json[], groups bigint[], streams text[], write_appends bigint[], write_streams bigint[], write_expected bigint[], write_sizes bigint[], event_writes bigint[], event_ids uuid[], event_types text[], event_schema_versions bigint[], event_datas json[]) FROM PUBLIC;
GRANT ALL ON FUNCTION analysis.append_batch(first_ids uuid[], hashes bytea[], owners uuid[], though_erased boolean[], metadatas json[], calls json[], groups bigint[], streams text[], write_appends bigint[], write_streams bigint[], write_expected bigint[], write_sizes bigint[], event_writes bigint[], event_ids uuid[], event_types text[], event_schema_versions bigint[], event_datas json[]) TO analysis;

REVOKE ALL ON FUNCTION analysis.begin_incarnation(next uuid, fork bigint, published bigint, top_epoch bigint, cut uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION analysis.begin_incarnation(next uuid, fork bigint, published bigint, top_epoch bigint, cut uuid[]) TO analysis;

REVOKE ALL ON FUNCTION analysis.begin_rebuild(model_name text, by_whom text, code_version text) FROM PUBLIC;
GRANT ALL ON FUNCTION analysis.begin_rebuild(model_name text, by_whom text, code_version text) TO analysis;

REVOKE ALL ON FUNCTION analysis.complete_rebuild(model_name text, keys_only boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION analysis.complete_rebuild(model_name text, keys_only boolean) TO analysis;

REVOKE ALL ON FUNCTION analysis.drop_rebuild(model_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION analysis.drop_rebuild(model_name text) TO analysis;

REVOKE ALL ON FUNCTION analysis.in_scope(owner uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION analysis.in_scope(owner uuid) TO analysis;
GRANT ALL ON FUNCTION analysis.in_scope(owner uuid) TO mirrormate_reader;

REVOKE ALL ON FUNCTION analysis.refuse_appends(reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION analysis.refuse_appends(reason text) TO analysis;

REVOKE ALL ON FUNCTION analysis.refuse_change() FROM PUBLIC;

REVOKE ALL ON FUNCTION analysis.rename_read_model(from_name text, to_name text, ending text) FROM PUBLIC;

REVOKE ALL ON FUNCTION analysis.row_discard_object(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION analysis.row_discard_objects(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION analysis.row_discard_overdue(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION analysis.row_erase_subject(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION analysis.row_forget_subject(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION analysis.row_intend_object(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION analysis.row_keep_object(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION analysis.row_learn_key(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION analysis.row_move_watermark(args json) FROM PUBLIC;
GRANT ALL ON FUNCTION analysis.row_move_watermark(args json) TO analysis;

REVOKE ALL ON FUNCTION analysis.row_own_job(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION analysis.row_park(args json) FROM PUBLIC;
GRANT ALL ON FUNCTION analysis.row_park(args json) TO analysis;

REVOKE ALL ON FUNCTION analysis.row_retire_key(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION analysis.row_unpark(args json) FROM PUBLIC;
GRANT ALL ON FUNCTION analysis.row_unpark(args json) TO analysis;

REVOKE ALL ON FUNCTION analysis.switch_rebuild(rebuild bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION analysis.switch_rebuild(rebuild bigint) TO analysis;

REVOKE ALL ON FUNCTION analysis.undo_rebuild(model_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION analysis.undo_rebuild(model_name text) TO analysis;

GRANT SELECT,INSERT,UPDATE ON TABLE analysis.consumer_partitions TO analysis;
GRANT SELECT ON TABLE analysis.consumer_partitions TO mirrormate_reader;

GRANT SELECT ON TABLE analysis.cut_incarnations TO analysis;
GRANT SELECT ON TABLE analysis.cut_incarnations TO mirrormate_reader;

GRANT SELECT ON TABLE analysis.erased_subjects TO analysis;
GRANT SELECT ON TABLE analysis.erased_subjects TO mirrormate_reader;

GRANT SELECT ON TABLE analysis.events TO analysis;
GRANT SELECT ON TABLE analysis.events TO mirrormate_reader;

GRANT SELECT ON TABLE analysis.head TO analysis;
GRANT SELECT ON TABLE analysis.head TO mirrormate_reader;

GRANT SELECT ON TABLE analysis.incarnations TO analysis;
GRANT SELECT ON TABLE analysis.incarnations TO mirrormate_reader;

GRANT SELECT ON TABLE analysis.job_owners TO analysis;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE analysis.job_queue TO analysis;
GRANT SELECT ON TABLE analysis.job_queue TO mirrormate_reader;

GRANT SELECT ON TABLE analysis.migrations TO analysis;
GRANT SELECT ON TABLE analysis.migrations TO mirrormate_reader;

GRANT SELECT,DELETE ON TABLE analysis.object_intents TO analysis;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE analysis.parked_messages TO analysis;

GRANT SELECT(id) ON TABLE analysis.parked_messages TO mirrormate_reader;

GRANT SELECT(topic) ON TABLE analysis.parked_messages TO mirrormate_reader;

GRANT SELECT(partition) ON TABLE analysis.parked_messages TO mirrormate_reader;

GRANT SELECT(record_offset) ON TABLE analysis.parked_messages TO mirrormate_reader;

GRANT SELECT(key) ON TABLE analysis.parked_messages TO mirrormate_reader;

GRANT SELECT(identity) ON TABLE analysis.parked_messages TO mirrormate_reader;

GRANT SELECT(type) ON TABLE analysis.parked_messages TO mirrormate_reader;

GRANT SELECT(reason) ON TABLE analysis.parked_messages TO mirrormate_reader;

GRANT SELECT(parked_at) ON TABLE analysis.parked_messages TO mirrormate_reader;

GRANT SELECT(release) ON TABLE analysis.parked_messages TO mirrormate_reader;

GRANT SELECT(dropped) ON TABLE analysis.parked_messages TO mirrormate_reader;

GRANT SELECT(attempts) ON TABLE analysis.parked_messages TO mirrormate_reader;

GRANT SELECT,INSERT,UPDATE ON TABLE analysis.projections TO analysis;
GRANT SELECT ON TABLE analysis.projections TO mirrormate_reader;

GRANT SELECT,UPDATE ON TABLE analysis.rebuilds TO analysis;
GRANT SELECT ON TABLE analysis.rebuilds TO mirrormate_reader;

GRANT SELECT,UPDATE ON TABLE analysis.relay TO analysis;
GRANT SELECT ON TABLE analysis.relay TO mirrormate_reader;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE analysis.relay_partitions TO analysis;
GRANT SELECT ON TABLE analysis.relay_partitions TO mirrormate_reader;

GRANT SELECT ON TABLE analysis.request_key TO analysis;

GRANT SELECT ON TABLE analysis.signing_keys TO analysis;

