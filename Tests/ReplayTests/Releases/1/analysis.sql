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
	('mirrormate.sessions.v1', 6, 1, 3, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/32', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 32, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 3, 1, 4, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/11', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 11, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 7, 1, 2, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/11', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 11, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 0, 1, 1, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/lease/1', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 2, 1, 3, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/15', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 15, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 2, 1, 5, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/55', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 55, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 7, 1, 5, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/43', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 43, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 5, 1, 8, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/28', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 28, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 5, 1, 4, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/8', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 8, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 1, 1, 1, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/lease/1', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 6, 1, 2, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/9', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 9, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 4, 1, 3, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/21', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 21, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 3, 1, 2, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/2', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 2, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 0, 1, 1, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/lease/1', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 4, 1, 1, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/lease/1', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 1, 1, 1, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/lease/1', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 0, 1, NULL, false, NULL, 0, NULL);

INSERT INTO analysis.erased_subjects VALUES
	('a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f', '2026-11-21 20:36:00.885124+00');

INSERT INTO analysis.events VALUES
	(1, 'key-cd280822-1356-59af-8963-94fa8ff4af20', 1, 'fc52a90d-8540-5d80-8470-dacee0b998c3', 'SigningKeyLearned', 1, '{"kid":"1a913ef4-e2ba-41db-bcf3-f99a3250d402","x":"OqAVIdGGkF7xhXZEXcO0UiY1MQt9MXmKEpOiskHZpok","y":"Wx6X5UEgLtEp1_TAjrWOMaHQnVJwrdU7CrowZy3KGrs","notBefore":"2026-11-21T20:35:54.128955Z","expiresAt":"2026-12-21T20:35:54.128955Z"}', '{"correlation":"01a1ffd2-9893-7ac4-a4d5-f6cd391a34f7","causation":"c1e7b374-fc1f-52f4-980a-e54213c2d9d5","actor":"analysis","origin":"identity/8dfa18f7-2761-4fce-bdc9-4926f49c3338/1"}', '\xc1e7b374fc1f52f4980ae54213c2d9d5', '2026-11-21 20:35:57.762333+00'),
	(2, 'job-c4128d3b-82b0-5498-b2f0-b9622c202d6b', 1, '8aa29630-c2f4-50dd-825b-94da49d5d191', 'JobQueued', 1, '{"sessionId":"c4128d3b-82b0-5498-b2f0-b9622c202d6b","ownerId":"75365c24-94e0-55af-8523-88fff106a5f1","kind":"mirrormate","media":{"key":"media/75365c24-94e0-55af-8523-88fff106a5f1/c4128d3b-82b0-5498-b2f0-b9622c202d6b/1c5b944b-99db-5e2c-9370-ee3bf5710154","sha256":"a44728954632d3c621f6a2ec04b9c05d71e5fc5f675a8c2d2829e6bc3dcfa71f","sizeBytes":4096,"contentType":"video/mp4"},"maxAttempts":3}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a738-7810-9c2c-d21b2df5352a","causation":"c8cc80b3-9fbb-5e5a-b58f-709658ba4115","actor":"analysis","traceparent":"00-7fbe18bc6b7b48c6904594961ee5f1c6-f60d172e05b1b154-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/5"}', '\xc8cc80b39fbb5e5ab58f709658ba4115', '2026-11-21 20:35:57.9245+00'),
	(3, 'job-c4128d3b-82b0-5498-b2f0-b9622c202d6b', 2, '4502f49c-63f0-53b1-8644-bc6be655b831', 'AttemptStarted', 1, '{"sessionId":"c4128d3b-82b0-5498-b2f0-b9622c202d6b","ownerId":"75365c24-94e0-55af-8523-88fff106a5f1","attempt":1,"worker":"analysis-01a1ffd2-989b-7b12-aeb0-5e80d2a0e223","leaseEndsAt":"2026-11-21T20:36:00.994459Z"}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a738-7810-9c2c-d21b2df5352a","causation":"8aa29630-c2f4-50dd-825b-94da49d5d191","actor":"analysis","traceparent":"00-7fbe18bc6b7b48c6904594961ee5f1c6-f60d172e05b1b154-01"}', '\x01a1ffd2a7aa7968a79ccbb95230b7e2', '2026-11-21 20:35:58.002165+00'),
	(4, 'job-c4128d3b-82b0-5498-b2f0-b9622c202d6b', 3, 'e9100d1c-c96a-5637-a000-6be1539c8483', 'StageReached', 1, '{"sessionId":"c4128d3b-82b0-5498-b2f0-b9622c202d6b","ownerId":"75365c24-94e0-55af-8523-88fff106a5f1","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a738-7810-9c2c-d21b2df5352a","causation":"8aa29630-c2f4-50dd-825b-94da49d5d191","actor":"analysis","traceparent":"00-7fbe18bc6b7b48c6904594961ee5f1c6-f60d172e05b1b154-01"}', '\x01a1ffd2a7e2738dbeb7926b7b2b65fa', '2026-11-21 20:35:58.052029+00'),
	(5, 'job-c4128d3b-82b0-5498-b2f0-b9622c202d6b', 4, '4a2d8116-7ea6-53cd-9a28-537d97743db7', 'StageReached', 1, '{"sessionId":"c4128d3b-82b0-5498-b2f0-b9622c202d6b","ownerId":"75365c24-94e0-55af-8523-88fff106a5f1","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a738-7810-9c2c-d21b2df5352a","causation":"8aa29630-c2f4-50dd-825b-94da49d5d191","actor":"analysis","traceparent":"00-7fbe18bc6b7b48c6904594961ee5f1c6-f60d172e05b1b154-01"}', '\x01a1ffd2a81579d7b9e6ca7fef05ffbf', '2026-11-21 20:35:58.10264+00'),
	(6, 'job-c4128d3b-82b0-5498-b2f0-b9622c202d6b', 5, 'a15b1ee3-88d1-5a02-b45a-dadecd4c5a03', 'StageReached', 1, '{"sessionId":"c4128d3b-82b0-5498-b2f0-b9622c202d6b","ownerId":"75365c24-94e0-55af-8523-88fff106a5f1","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a738-7810-9c2c-d21b2df5352a","causation":"8aa29630-c2f4-50dd-825b-94da49d5d191","actor":"analysis","traceparent":"00-7fbe18bc6b7b48c6904594961ee5f1c6-f60d172e05b1b154-01"}', '\x01a1ffd2a8497e8fb763dec25b94b32d', '2026-11-21 20:35:58.155442+00'),
	(7, 'job-c4128d3b-82b0-5498-b2f0-b9622c202d6b', 6, '90bb770d-b142-5f78-b691-79f6ae0d2d57', 'StageReached', 1, '{"sessionId":"c4128d3b-82b0-5498-b2f0-b9622c202d6b","ownerId":"75365c24-94e0-55af-8523-88fff106a5f1","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a738-7810-9c2c-d21b2df5352a","causation":"8aa29630-c2f4-50dd-825b-94da49d5d191","actor":"analysis","traceparent":"00-7fbe18bc6b7b48c6904594961ee5f1c6-f60d172e05b1b154-01"}', '\x01a1ffd2a8b07bd7ba7dd8828ec8ebb0', '2026-11-21 20:35:58.258474+00'),
	(8, 'job-c4128d3b-82b0-5498-b2f0-b9622c202d6b', 7, '90e8977c-838f-5c2f-88c9-d683f0002dfd', 'JobCompleted', 1, '{"sessionId":"c4128d3b-82b0-5498-b2f0-b9622c202d6b","ownerId":"75365c24-94e0-55af-8523-88fff106a5f1","attempt":1,"document":{"key":"documents/75365c24-94e0-55af-8523-88fff106a5f1/c4128d3b-82b0-5498-b2f0-b9622c202d6b/01a1ffd2-a921-7116-9890-4fe32e8847f4.json","sha256":"1258e11385acf1e0ff1fe5334a354c56397e738aa171d5de27a1fbd3c31fc940","sizeBytes":13290},"durationMs":374,"engines":{"aligner":"pocketsphinx 0.8","asr":"moonshine","face":"dlib-hog 19.24","ffmpeg":"5.1.9-0+deb12u1","model":"tiny-en 0.0.73","thresholds":"1"}}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a738-7810-9c2c-d21b2df5352a","causation":"8aa29630-c2f4-50dd-825b-94da49d5d191","actor":"analysis","traceparent":"00-7fbe18bc6b7b48c6904594961ee5f1c6-f60d172e05b1b154-01"}', '\x01a1ffd2a92b7a93b56ef3607ad5864d', '2026-11-21 20:35:58.383346+00'),
	(9, 'job-4683d60c-4ecf-5f26-b224-ae44b5762002', 1, '64527981-13e9-583b-8c00-dc727fa25369', 'JobQueued', 1, '{"sessionId":"4683d60c-4ecf-5f26-b224-ae44b5762002","ownerId":"5454bc4f-b364-5540-9f86-899d9f5076a1","kind":"mirrormate","media":{"key":"media/5454bc4f-b364-5540-9f86-899d9f5076a1/4683d60c-4ecf-5f26-b224-ae44b5762002/440a04fc-5de8-54cd-a31b-00d9533fa37e","sha256":"f909ca276d885446e20471c7ab2f4ef8599ca9716801eb2cc2ccb8d308513481","sizeBytes":4096,"contentType":"video/mp4"},"maxAttempts":3}', '{"owner":"5454bc4f-b364-5540-9f86-899d9f5076a1","correlation":"01a1ffd2-aa59-79be-a883-6d19b3fd244c","causation":"ad19e37f-bb41-5325-bcd4-4e611c41f417","actor":"analysis","traceparent":"00-2155862512a18cbcd50b4ad1ea14349a-8be09b7e48d3f864-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/15"}', '\xad19e37fbb415325bcd44e611c41f417', '2026-11-21 20:35:58.697408+00'),
	(10, 'job-4683d60c-4ecf-5f26-b224-ae44b5762002', 2, '553b8ca7-b2ef-567a-b652-4f2a9b447d88', 'AttemptStarted', 1, '{"sessionId":"4683d60c-4ecf-5f26-b224-ae44b5762002","ownerId":"5454bc4f-b364-5540-9f86-899d9f5076a1","attempt":1,"worker":"analysis-01a1ffd2-989b-7b12-aeb0-5e80d2a0e223","leaseEndsAt":"2026-11-21T20:36:01.704442Z"}', '{"owner":"5454bc4f-b364-5540-9f86-899d9f5076a1","correlation":"01a1ffd2-aa59-79be-a883-6d19b3fd244c","causation":"64527981-13e9-583b-8c00-dc727fa25369","actor":"analysis","traceparent":"00-2155862512a18cbcd50b4ad1ea14349a-8be09b7e48d3f864-01"}', '\x01a1ffd2aa707810b25470f7527b31fb', '2026-11-21 20:35:58.705201+00'),
	(11, 'job-4683d60c-4ecf-5f26-b224-ae44b5762002', 3, '81625f94-d742-5b4f-9fe6-7bbf481bbc62', 'AttemptFailed', 1, '{"sessionId":"4683d60c-4ecf-5f26-b224-ae44b5762002","ownerId":"5454bc4f-b364-5540-9f86-899d9f5076a1","attempt":1,"code":"unreadable","retryable":false}', '{"owner":"5454bc4f-b364-5540-9f86-899d9f5076a1","correlation":"01a1ffd2-aa59-79be-a883-6d19b3fd244c","causation":"64527981-13e9-583b-8c00-dc727fa25369","actor":"analysis","traceparent":"00-2155862512a18cbcd50b4ad1ea14349a-8be09b7e48d3f864-01"}', '\x01a1ffd2aa7c7a3d9ea038bce28553a5', '2026-11-21 20:35:58.726904+00'),
	(12, 'job-4683d60c-4ecf-5f26-b224-ae44b5762002', 4, '932f3a79-36b3-51ad-8152-2ef97a2b1b22', 'JobFailed', 1, '{"sessionId":"4683d60c-4ecf-5f26-b224-ae44b5762002","ownerId":"5454bc4f-b364-5540-9f86-899d9f5076a1","attempt":1,"code":"unreadable","retryable":false}', '{"owner":"5454bc4f-b364-5540-9f86-899d9f5076a1","correlation":"01a1ffd2-aa59-79be-a883-6d19b3fd244c","causation":"64527981-13e9-583b-8c00-dc727fa25369","actor":"analysis","traceparent":"00-2155862512a18cbcd50b4ad1ea14349a-8be09b7e48d3f864-01"}', NULL, '2026-11-21 20:35:58.726904+00'),
	(13, 'job-70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', 1, 'a67d6c35-d2d1-5822-bd22-40b7be8bf600', 'JobQueued', 1, '{"sessionId":"70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","kind":"mirrormate","media":{"key":"media/851cf01d-c569-599e-a772-d80fe93e9065/70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4/f8cade1a-becd-541e-9a3e-3608d72d102d","sha256":"7da3706f54fe213baf3e900573b362f317b64f9b9a522b911e9f66da0e3abee0","sizeBytes":4096,"contentType":"video/mp4"},"maxAttempts":3}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ab49-7bae-8db0-3b1b32517464","causation":"1c3288e3-179c-5c36-afda-acd957df973d","actor":"analysis","traceparent":"00-856989d73ec86b8cf507a651422b1659-887e218a61389c29-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/21"}', '\x1c3288e3179c5c36afdaacd957df973d', '2026-11-21 20:35:58.93936+00'),
	(14, 'job-70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', 2, '87a4d954-cfec-5ea6-a122-26289a9b7f2c', 'AttemptStarted', 1, '{"sessionId":"70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","attempt":1,"worker":"analysis-01a1ffd2-989b-7b12-aeb0-5e80d2a0e223","leaseEndsAt":"2026-11-21T20:36:01.948794Z"}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ab49-7bae-8db0-3b1b32517464","causation":"a67d6c35-d2d1-5822-bd22-40b7be8bf600","actor":"analysis","traceparent":"00-856989d73ec86b8cf507a651422b1659-887e218a61389c29-01"}', '\x01a1ffd2ab647e979f6b8c874ef18328', '2026-11-21 20:35:58.949766+00'),
	(15, 'job-70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', 3, '6c70cc19-ebf3-557c-91ab-3f7c909ddbfb', 'StageReached', 1, '{"sessionId":"70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ab49-7bae-8db0-3b1b32517464","causation":"a67d6c35-d2d1-5822-bd22-40b7be8bf600","actor":"analysis","traceparent":"00-856989d73ec86b8cf507a651422b1659-887e218a61389c29-01"}', '\x01a1ffd2ab857ab0a87b94a838012b75', '2026-11-21 20:35:58.982714+00'),
	(16, 'job-70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', 4, '398daa50-9ef4-5835-9778-7b3bb5ad2051', 'StageReached', 1, '{"sessionId":"70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ab49-7bae-8db0-3b1b32517464","causation":"a67d6c35-d2d1-5822-bd22-40b7be8bf600","actor":"analysis","traceparent":"00-856989d73ec86b8cf507a651422b1659-887e218a61389c29-01"}', '\x01a1ffd2abba7ff3b1534e87dff1fd8b', '2026-11-21 20:35:59.038127+00'),
	(17, 'job-70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', 5, '2b8d9d5d-2457-5971-a7f9-a533cf2aa232', 'StageReached', 1, '{"sessionId":"70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ab49-7bae-8db0-3b1b32517464","causation":"a67d6c35-d2d1-5822-bd22-40b7be8bf600","actor":"analysis","traceparent":"00-856989d73ec86b8cf507a651422b1659-887e218a61389c29-01"}', '\x01a1ffd2abed769fbd25e1de01edc69a', '2026-11-21 20:35:59.086783+00'),
	(18, 'job-70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', 6, '3fc0860b-47b5-5d05-8d10-1fc60bcfbcb1', 'StageReached', 1, '{"sessionId":"70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ab49-7bae-8db0-3b1b32517464","causation":"a67d6c35-d2d1-5822-bd22-40b7be8bf600","actor":"analysis","traceparent":"00-856989d73ec86b8cf507a651422b1659-887e218a61389c29-01"}', '\x01a1ffd2ac537722ab3778622800e77b', '2026-11-21 20:35:59.18909+00'),
	(19, 'job-70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', 7, '81496575-c7cf-52e3-936e-454c56895ac3', 'JobCompleted', 1, '{"sessionId":"70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","attempt":1,"document":{"key":"documents/851cf01d-c569-599e-a772-d80fe93e9065/70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4/01a1ffd2-acc1-770a-b8f3-b7ce22236f6c.json","sha256":"15a2d0511c391d5db1c4bb7ef47c36593dd04b7dc88a878e6c6f1b6375cd2806","sizeBytes":13290},"durationMs":359,"engines":{"aligner":"pocketsphinx 0.8","asr":"moonshine","face":"dlib-hog 19.24","ffmpeg":"5.1.9-0+deb12u1","model":"tiny-en 0.0.73","thresholds":"1"}}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ab49-7bae-8db0-3b1b32517464","causation":"a67d6c35-d2d1-5822-bd22-40b7be8bf600","actor":"analysis","traceparent":"00-856989d73ec86b8cf507a651422b1659-887e218a61389c29-01"}', '\x01a1ffd2accf7d6c8644bf1baf5b0387', '2026-11-21 20:35:59.312924+00'),
	(20, 'job-e17bb9d5-cb9b-54ad-bc55-2a9f8a5c7d2c', 1, '31b0d225-570d-59f9-a041-5596ddd8ee4a', 'JobCancelled', 1, '{"sessionId":"e17bb9d5-cb9b-54ad-bc55-2a9f8a5c7d2c","ownerId":"dd778d0c-6c98-53c7-b77f-f42626ebf274","reason":"session-cancelled"}', '{"owner":"dd778d0c-6c98-53c7-b77f-f42626ebf274","correlation":"01a1ffd2-ae35-7b78-92cb-254579299e5c","causation":"118a8a2e-9b35-549f-94c1-eed9d5b37ed3","actor":"analysis","traceparent":"00-0f80b022b0af4bd8de360dd845cb786e-4f12a2547e1f0b3c-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/32"}', '\x118a8a2e9b35549f94c1eed9d5b37ed3', '2026-11-21 20:35:59.686463+00'),
	(21, 'job-d324d888-8cb9-5d69-8f54-add8239f3664', 1, '2ce16cb8-f4cd-5151-8c81-da46b3abf8a4', 'JobQueued', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","kind":"mirrormate","media":{"key":"media/6b16b53f-3412-55d4-8eb5-f7e3d9c76825/d324d888-8cb9-5d69-8f54-add8239f3664/d60cb26c-087b-5d80-9c87-98d550a38f9c","sha256":"7c05db894a58e2bc6675ab33db1a4a6bb56db9bbdb953220a1fee849f08c9187","sizeBytes":4096,"contentType":"video/mp4"},"maxAttempts":3}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-aecd-7fce-b0f5-a37f450149d5","causation":"d60a8095-74b3-56cb-9328-d65913056d3b","actor":"analysis","traceparent":"00-87a4325c7fb1c9e36167c9db1518487a-66eca206921192c7-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/36"}', '\xd60a809574b356cb9328d65913056d3b', '2026-11-21 20:35:59.836754+00'),
	(22, 'job-d324d888-8cb9-5d69-8f54-add8239f3664', 2, 'fc286433-10e4-5386-8fd3-1bb8b4da69d6', 'AttemptStarted', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","attempt":1,"worker":"analysis-01a1ffd2-989b-7b12-aeb0-5e80d2a0e223","leaseEndsAt":"2026-11-21T20:36:02.842973Z"}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-aecd-7fce-b0f5-a37f450149d5","causation":"2ce16cb8-f4cd-5151-8c81-da46b3abf8a4","actor":"analysis","traceparent":"00-87a4325c7fb1c9e36167c9db1518487a-66eca206921192c7-01"}', '\x01a1ffd2aee37435b136411087ad65fc', '2026-11-21 20:35:59.844032+00'),
	(23, 'job-d324d888-8cb9-5d69-8f54-add8239f3664', 3, '0f8821d5-424c-581f-aec4-29cfc0397cd9', 'StageReached', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-aecd-7fce-b0f5-a37f450149d5","causation":"2ce16cb8-f4cd-5151-8c81-da46b3abf8a4","actor":"analysis","traceparent":"00-87a4325c7fb1c9e36167c9db1518487a-66eca206921192c7-01"}', '\x01a1ffd2aef17835b5389ad91e1fa233', '2026-11-21 20:35:59.860996+00'),
	(24, 'job-d324d888-8cb9-5d69-8f54-add8239f3664', 4, '0904539a-0b20-5b91-9a3d-98a6d2490057', 'StageReached', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-aecd-7fce-b0f5-a37f450149d5","causation":"2ce16cb8-f4cd-5151-8c81-da46b3abf8a4","actor":"analysis","traceparent":"00-87a4325c7fb1c9e36167c9db1518487a-66eca206921192c7-01"}', '\x01a1ffd2af2570939c6ca126adf88d98', '2026-11-21 20:35:59.91037+00'),
	(25, 'job-d324d888-8cb9-5d69-8f54-add8239f3664', 5, '014496d3-2f14-5e90-b4bd-78df5676b049', 'StageReached', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-aecd-7fce-b0f5-a37f450149d5","causation":"2ce16cb8-f4cd-5151-8c81-da46b3abf8a4","actor":"analysis","traceparent":"00-87a4325c7fb1c9e36167c9db1518487a-66eca206921192c7-01"}', '\x01a1ffd2af597cc8ae408d5ada0a20b9', '2026-11-21 20:35:59.963345+00'),
	(26, 'job-d324d888-8cb9-5d69-8f54-add8239f3664', 6, '8b2f2228-d5c7-502e-80b6-73840c2c7ae4', 'StageReached', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-aecd-7fce-b0f5-a37f450149d5","causation":"2ce16cb8-f4cd-5151-8c81-da46b3abf8a4","actor":"analysis","traceparent":"00-87a4325c7fb1c9e36167c9db1518487a-66eca206921192c7-01"}', '\x01a1ffd2afc176419501f7fc340d7028', '2026-11-21 20:36:00.066562+00'),
	(27, 'job-d324d888-8cb9-5d69-8f54-add8239f3664', 7, '6b4bcb52-5739-5e23-8c07-2521157a8fad', 'JobCompleted', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","attempt":1,"document":{"key":"documents/6b16b53f-3412-55d4-8eb5-f7e3d9c76825/d324d888-8cb9-5d69-8f54-add8239f3664/01a1ffd2-b02e-7e8f-aead-67f01b99443e.json","sha256":"c83207363f458404d54321cdc893d59b6be41c122aff7ae104f7cf23afd0294c","sizeBytes":13290},"durationMs":338,"engines":{"aligner":"pocketsphinx 0.8","asr":"moonshine","face":"dlib-hog 19.24","ffmpeg":"5.1.9-0+deb12u1","model":"tiny-en 0.0.73","thresholds":"1"}}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-aecd-7fce-b0f5-a37f450149d5","causation":"2ce16cb8-f4cd-5151-8c81-da46b3abf8a4","actor":"analysis","traceparent":"00-87a4325c7fb1c9e36167c9db1518487a-66eca206921192c7-01"}', '\x01a1ffd2b0387218a719d81f630e80e6', '2026-11-21 20:36:00.185285+00'),
	(28, 'job-d324d888-8cb9-5d69-8f54-add8239f3664', 8, '75d3e845-d82a-54c1-8314-b6d76424d6b0', 'ResultDiscarded', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","reason":"session-deleted"}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-b06c-76d0-8ce7-518bd77f2786","causation":"f7064ba3-1949-5983-aedb-2b265a2502b2","actor":"analysis","traceparent":"00-cdceaf9f5fb2bb4ba96afecaba1309d9-db21afefeabf6f66-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/43"}', '\xf7064ba319495983aedb2b265a2502b2', '2026-11-21 20:36:00.257977+00'),
	(29, 'job-1d4e75a6-4131-564c-afd6-d0b3b6dce39c', 1, '4bf713cf-2a87-5457-9be6-bc00f118ca15', 'JobQueued', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","kind":"mirrormate","media":{"key":"media/a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f/1d4e75a6-4131-564c-afd6-d0b3b6dce39c/c5473dfb-b49a-5c3f-9219-e11e3001a56c","sha256":"e3d7dd6c19645995a95f47e64878f6979ff7c3197619358479e57e88ae989b22","sizeBytes":4096,"contentType":"video/mp4"},"maxAttempts":3}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b120-7d2b-93bf-74bf46323827","causation":"9af71b19-e075-5f42-9533-33a167f50ba1","actor":"analysis","traceparent":"00-02087a900d7b4a30918a8af1bb1b396c-3f428bcc785e971b-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/47"}', '\x9af71b19e0755f42953333a167f50ba1', '2026-11-21 20:36:00.433829+00'),
	(30, 'job-1d4e75a6-4131-564c-afd6-d0b3b6dce39c', 2, 'e9db19de-65ad-5dbc-8f88-d3cd7ab269f5', 'AttemptStarted', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","attempt":1,"worker":"analysis-01a1ffd2-989b-7b12-aeb0-5e80d2a0e223","leaseEndsAt":"2026-11-21T20:36:03.437829Z"}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b120-7d2b-93bf-74bf46323827","causation":"4bf713cf-2a87-5457-9be6-bc00f118ca15","actor":"analysis","traceparent":"00-02087a900d7b4a30918a8af1bb1b396c-3f428bcc785e971b-01"}', '\x01a1ffd2b1357e8f9c590dae3361937d', '2026-11-21 20:36:00.438767+00'),
	(31, 'job-1d4e75a6-4131-564c-afd6-d0b3b6dce39c', 3, '231a7ce5-56df-5242-849a-6f113ce86029', 'StageReached', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b120-7d2b-93bf-74bf46323827","causation":"4bf713cf-2a87-5457-9be6-bc00f118ca15","actor":"analysis","traceparent":"00-02087a900d7b4a30918a8af1bb1b396c-3f428bcc785e971b-01"}', '\x01a1ffd2b14b758581c2dc09270ebe83', '2026-11-21 20:36:00.461728+00'),
	(32, 'job-1d4e75a6-4131-564c-afd6-d0b3b6dce39c', 4, 'd534d83c-9797-5315-93aa-ada2ae4bf3d2', 'StageReached', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b120-7d2b-93bf-74bf46323827","causation":"4bf713cf-2a87-5457-9be6-bc00f118ca15","actor":"analysis","traceparent":"00-02087a900d7b4a30918a8af1bb1b396c-3f428bcc785e971b-01"}', '\x01a1ffd2b18375ce908e0c4633c63827', '2026-11-21 20:36:00.516478+00'),
	(33, 'job-1d4e75a6-4131-564c-afd6-d0b3b6dce39c', 5, '02ad66f1-6ded-5c55-95da-9ee1642cb448', 'StageReached', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b120-7d2b-93bf-74bf46323827","causation":"4bf713cf-2a87-5457-9be6-bc00f118ca15","actor":"analysis","traceparent":"00-02087a900d7b4a30918a8af1bb1b396c-3f428bcc785e971b-01"}', '\x01a1ffd2b1b67fb6bd6af7b6ca057e2f', '2026-11-21 20:36:00.568511+00'),
	(34, 'job-1d4e75a6-4131-564c-afd6-d0b3b6dce39c', 6, 'b1e24e9b-2b8d-5792-8664-30173cd6b6b2', 'StageReached', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b120-7d2b-93bf-74bf46323827","causation":"4bf713cf-2a87-5457-9be6-bc00f118ca15","actor":"analysis","traceparent":"00-02087a900d7b4a30918a8af1bb1b396c-3f428bcc785e971b-01"}', '\x01a1ffd2b21d77f786d066e5ddd37af3', '2026-11-21 20:36:00.67075+00'),
	(35, 'job-1d4e75a6-4131-564c-afd6-d0b3b6dce39c', 7, '17eb5f73-c5b7-5f9c-9355-66413481bb19', 'JobCompleted', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","attempt":1,"document":{"key":"documents/a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f/1d4e75a6-4131-564c-afd6-d0b3b6dce39c/01a1ffd2-b28b-7266-a8b1-b33945da38b1.json","sha256":"c7c242d02637cb372d78e053bbc23ac0a22862dcfc5152b45230d044ac4c093f","sizeBytes":13290},"durationMs":339,"engines":{"aligner":"pocketsphinx 0.8","asr":"moonshine","face":"dlib-hog 19.24","ffmpeg":"5.1.9-0+deb12u1","model":"tiny-en 0.0.73","thresholds":"1"}}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b120-7d2b-93bf-74bf46323827","causation":"4bf713cf-2a87-5457-9be6-bc00f118ca15","actor":"analysis","traceparent":"00-02087a900d7b4a30918a8af1bb1b396c-3f428bcc785e971b-01"}', '\x01a1ffd2b2917a008e6644717665b1c1', '2026-11-21 20:36:00.78689+00'),
	(36, 'job-1d4e75a6-4131-564c-afd6-d0b3b6dce39c', 8, '37c63869-ebd4-5e16-8996-ae4a5e40a906', 'JobErased', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f"}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b2ce-74a7-9326-d06e245b9d38","causation":"1d46cf5e-70b0-5d90-bb7f-180dc98b34a4","actor":"analysis","traceparent":"00-4b6361ad5084e293d47528180bedf0b1-8d78dc5863a06de6-01","origin":"identity/8dfa18f7-2761-4fce-bdc9-4926f49c3338/15"}', '\x84943969742350b8a8ea313fd134d593', '2026-11-21 20:36:00.913893+00'),
	(37, 'subject-a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f', 1, '25f09c0d-7707-5589-a929-a53e47af6332', 'SubjectErased', 1, '{"subjectId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","removed":{"rows":1,"objects":1}}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b2ce-74a7-9326-d06e245b9d38","causation":"1d46cf5e-70b0-5d90-bb7f-180dc98b34a4","actor":"analysis","traceparent":"00-4b6361ad5084e293d47528180bedf0b1-8d78dc5863a06de6-01","origin":"identity/8dfa18f7-2761-4fce-bdc9-4926f49c3338/15"}', '\x1d46cf5e70b05d90bb7f180dc98b34a4', '2026-11-21 20:36:00.919449+00'),
	(38, 'key-a165f0c4-4136-5817-87bd-b520a679f6a4', 1, 'ffbb554f-313b-52c8-a043-287b58022520', 'SigningKeyLearned', 1, '{"kid":"5f561dc7-dfc5-498c-8774-d3e7a484db9d","x":"lQE-DmwcqyR1y7C4sBJ9EE4k1mijliysCW51yhFGdXg","y":"EHNw38-KrRE530t3gGDJOcszml4aST0pSo03NIBBwG0","notBefore":"2026-11-21T20:41:01.025855Z","expiresAt":"2026-12-21T20:41:01.025855Z"}', '{"correlation":"01a1ffd2-b389-74e5-9437-688ee10b5235","causation":"3007b4e8-e38c-5353-866b-a90cd44af5e1","actor":"analysis","origin":"identity/8dfa18f7-2761-4fce-bdc9-4926f49c3338/21"}', '\x3007b4e8e38c5353866ba90cd44af5e1', '2026-11-21 20:36:01.111374+00');

INSERT INTO analysis.head VALUES
	(true, 'cede896f-913d-4474-85e1-049f96458434', NULL);

INSERT INTO analysis.incarnations VALUES
	('cede896f-913d-4474-85e1-049f96458434', NULL, 0, '2026-11-21 20:35:53.419245+00');

INSERT INTO analysis.job_owners VALUES
	('c4128d3b-82b0-5498-b2f0-b9622c202d6b', '75365c24-94e0-55af-8523-88fff106a5f1'),
	('4683d60c-4ecf-5f26-b224-ae44b5762002', '5454bc4f-b364-5540-9f86-899d9f5076a1'),
	('70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', '851cf01d-c569-599e-a772-d80fe93e9065'),
	('e17bb9d5-cb9b-54ad-bc55-2a9f8a5c7d2c', 'dd778d0c-6c98-53c7-b77f-f42626ebf274'),
	('d324d888-8cb9-5d69-8f54-add8239f3664', '6b16b53f-3412-55d4-8eb5-f7e3d9c76825');

INSERT INTO analysis.job_queue VALUES
	('c4128d3b-82b0-5498-b2f0-b9622c202d6b', 'c4128d3b-82b0-5498-b2f0-b9622c202d6b', '75365c24-94e0-55af-8523-88fff106a5f1', 'done', NULL, NULL, 1),
	('4683d60c-4ecf-5f26-b224-ae44b5762002', '4683d60c-4ecf-5f26-b224-ae44b5762002', '5454bc4f-b364-5540-9f86-899d9f5076a1', 'done', NULL, NULL, 1),
	('70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', '70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', '851cf01d-c569-599e-a772-d80fe93e9065', 'done', NULL, NULL, 1),
	('d324d888-8cb9-5d69-8f54-add8239f3664', 'd324d888-8cb9-5d69-8f54-add8239f3664', '6b16b53f-3412-55d4-8eb5-f7e3d9c76825', 'done', NULL, NULL, 1);

INSERT INTO analysis.migrations VALUES
	('defaults', 'bbbc80e2f22d6c70', '2026-11-21 20:35:53.363767+00'),
	('scope', 'c7d456e957fc1364', '2026-11-21 20:35:53.369658+00'),
	('head', 'e72b49b65dda4c45', '2026-11-21 20:35:53.419748+00'),
	('events', 'bbfd42eb9788a7bd', '2026-11-21 20:35:53.474193+00'),
	('events_immutable', 'e01cf0229e7fd418', '2026-11-21 20:35:53.494795+00'),
	('erased_subjects', '2146bc0c2be40d91', '2026-11-21 20:35:53.535458+00'),
	('append_batch', '9f09a3219dbfffd4', '2026-11-21 20:35:53.543058+00'),
	('privileges', 'fdd9b5951144bb48', '2026-11-21 20:35:53.560064+00'),
	('relay', '1682739c19a064b0', '2026-11-21 20:35:53.613693+00'),
	('incarnation', '7e74a231e02a5b5a', '2026-11-21 20:35:53.657872+00'),
	('consumer_partitions', '48f1e25c7fe5bb7f', '2026-11-21 20:35:53.687425+00'),
	('parked_messages', '7e23a009eb467817', '2026-11-21 20:35:53.709042+00'),
	('projections', 'b60500a61b2cbb97', '2026-11-21 20:35:53.733102+00'),
	('rebuilds', '559cf9ed68b2b3bf', '2026-11-21 20:35:53.764394+00'),
	('rename_read_model', '86e564ba8b91283d', '2026-11-21 20:35:53.772113+00'),
	('begin_rebuild', 'c8cae99280351953', '2026-11-21 20:35:53.779768+00'),
	('complete_rebuild', '121993744112cac9', '2026-11-21 20:35:53.791912+00'),
	('switch_rebuild', 'f03d670e1faaf5bd', '2026-11-21 20:35:53.80987+00'),
	('undo_rebuild', '841c4c38c900d773', '2026-11-21 20:35:53.820187+00'),
	('drop_rebuild', 'cf1b4d618e545b4f', '2026-11-21 20:35:53.825965+00'),
	('request_key', 'eb88c0ad3dfad762', '2026-11-21 20:35:53.847259+00'),
	('signing_keys', 'cf99a50835fd752', '2026-11-21 20:35:53.866615+00'),
	('object_intents', '299a9fee0e13f609', '2026-11-21 20:35:53.933256+00'),
	('object_sweep', '1684e7c2309b09b2', '2026-11-21 20:35:53.942105+00'),
	('reader', '2a6dba18899e3b07', '2026-11-21 20:35:53.946743+00'),
	('job_queue', '3e6a395f4d9e520a', '2026-11-21 20:35:53.980431+00'),
	('job_owners', 'ddffe0c6ff3092d', '2026-11-21 20:35:53.992876+00');

INSERT INTO analysis.object_intents VALUES
	('documents/75365c24-94e0-55af-8523-88fff106a5f1/c4128d3b-82b0-5498-b2f0-b9622c202d6b/01a1ffd2-a921-7116-9890-4fe32e8847f4.json', '75365c24-94e0-55af-8523-88fff106a5f1', 'analysis-document', NULL, false),
	('documents/851cf01d-c569-599e-a772-d80fe93e9065/70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4/01a1ffd2-acc1-770a-b8f3-b7ce22236f6c.json', '851cf01d-c569-599e-a772-d80fe93e9065', 'analysis-document', NULL, false),
	('documents/6b16b53f-3412-55d4-8eb5-f7e3d9c76825/d324d888-8cb9-5d69-8f54-add8239f3664/01a1ffd2-b02e-7e8f-aead-67f01b99443e.json', '6b16b53f-3412-55d4-8eb5-f7e3d9c76825', 'analysis-document', NULL, true);

INSERT INTO analysis.projections VALUES
	('job_queue', 38);

INSERT INTO analysis.relay VALUES
	(true, 1, '01a1ffd2-989b-7da5-9662-fcbd7dee22a2', '2026-11-21 20:36:07.936697+00', 38, NULL);

INSERT INTO analysis.relay_partitions VALUES
	(0, -1, 0, 0),
	(1, -1, 0, 0),
	(2, 7, 37, 1),
	(3, 6, 8, 1),
	(4, -1, 0, 0),
	(5, 8, 19, 1),
	(6, -1, 0, 0),
	(7, 6, 27, 1);

INSERT INTO analysis.request_key VALUES
	(true, '\x05727da8684b442c9a25537c58d48cfb0fc815c70f9b43e0aa9d5c2b8ae75e08');

INSERT INTO analysis.signing_keys VALUES
	('1a913ef4-e2ba-41db-bcf3-f99a3250d402', 'OqAVIdGGkF7xhXZEXcO0UiY1MQt9MXmKEpOiskHZpok', 'Wx6X5UEgLtEp1_TAjrWOMaHQnVJwrdU7CrowZy3KGrs', '2026-11-21 20:35:54.128955+00', '2026-12-21 20:35:54.128955+00', NULL),
	('5f561dc7-dfc5-498c-8774-d3e7a484db9d', 'lQE-DmwcqyR1y7C4sBJ9EE4k1mijliysCW51yhFGdXg', 'EHNw38-KrRE530t3gGDJOcszml4aST0pSo03NIBBwG0', '2026-11-21 20:41:01.025855+00', '2026-12-21 20:41:01.025855+00', NULL);

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

