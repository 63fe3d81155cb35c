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
	('mirrormate.identity.v1', 7, 1, 3, 'fc03a36b-e35c-4bea-9125-ed0840733a55/15', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 15, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 2, 1, 4, '67aa24d3-31b1-443b-a01e-a9981feea048/11', '67aa24d3-31b1-443b-a01e-a9981feea048', 11, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 7, 1, 5, '67aa24d3-31b1-443b-a01e-a9981feea048/55', '67aa24d3-31b1-443b-a01e-a9981feea048', 55, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 4, 1, 5, 'fc03a36b-e35c-4bea-9125-ed0840733a55/21', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 21, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 1, 1, 5, '67aa24d3-31b1-443b-a01e-a9981feea048/28', '67aa24d3-31b1-443b-a01e-a9981feea048', 28, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 1, 1, 3, 'fc03a36b-e35c-4bea-9125-ed0840733a55/8', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 8, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 3, 1, 2, 'fc03a36b-e35c-4bea-9125-ed0840733a55/9', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 9, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 4, 1, 8, '67aa24d3-31b1-443b-a01e-a9981feea048/43', '67aa24d3-31b1-443b-a01e-a9981feea048', 43, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 3, 1, 3, '67aa24d3-31b1-443b-a01e-a9981feea048/32', '67aa24d3-31b1-443b-a01e-a9981feea048', 32, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 2, 1, 2, 'fc03a36b-e35c-4bea-9125-ed0840733a55/2', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 2, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 6, 1, 1, '67aa24d3-31b1-443b-a01e-a9981feea048/lease/1', '67aa24d3-31b1-443b-a01e-a9981feea048', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 5, 1, 1, '67aa24d3-31b1-443b-a01e-a9981feea048/lease/1', '67aa24d3-31b1-443b-a01e-a9981feea048', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 0, 1, 1, '67aa24d3-31b1-443b-a01e-a9981feea048/lease/1', '67aa24d3-31b1-443b-a01e-a9981feea048', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 5, 1, 1, 'fc03a36b-e35c-4bea-9125-ed0840733a55/lease/1', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 6, 1, 1, 'fc03a36b-e35c-4bea-9125-ed0840733a55/lease/1', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 0, 1, 1, 'fc03a36b-e35c-4bea-9125-ed0840733a55/lease/1', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 0, 1, NULL, false, NULL, 0, NULL);

INSERT INTO analysis.erased_subjects VALUES
	('413dc46a-0026-54e9-8df7-08e017108c5f', '2026-11-21 20:48:18.601576+00');

INSERT INTO analysis.events VALUES
	(1, 'key-8b2dd12f-57af-5f59-a8e5-e54b17c1bc5a', 1, '615a5021-794c-5819-ba67-6b0630abc742', 'SigningKeyLearned', 1, '{"kid":"029fd939-d459-49ff-abba-f4b23c2939ce","x":"-oYPS9Ntl4vPRwZa8ZDOhZdbNL3ng-HDzCMYLJ-V2KE","y":"Ps2gQXywZNKywcsf1rHLxUvGAvE_t5ktnSV1u5wlEgs","notBefore":"2026-11-21T20:48:12.921559Z","expiresAt":"2026-12-21T20:48:12.921559Z"}', '{"correlation":"01a1ffdd-de81-76dd-ba8e-704dd790ebdf","causation":"43d24649-08f4-5de9-9b55-8418c722d636","actor":"analysis","origin":"identity/fc03a36b-e35c-4bea-9125-ed0840733a55/1"}', '\x43d2464908f45de99b558418c722d636', '2026-11-21 20:48:14.807584+00'),
	(2, 'job-162adea7-e466-52fa-8144-11f1403ba12c', 1, '6ebe9915-26f0-5b8a-859d-e2e9f21a4955', 'JobQueued', 1, '{"sessionId":"162adea7-e466-52fa-8144-11f1403ba12c","ownerId":"339b3bd7-808b-5447-bdb9-0455de0d9159","kind":"mirrormate","media":{"key":"media/339b3bd7-808b-5447-bdb9-0455de0d9159/162adea7-e466-52fa-8144-11f1403ba12c/6f0d4233-352f-5e41-8a0e-0fc16e40254c","sha256":"ddc75782b001856f56a0cc09b9dcf6b8fededb3df5db580803bb1b0b1dbcaf5a","sizeBytes":4096,"contentType":"video/mp4"},"maxAttempts":3}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e721-7fd7-bce2-2b5046064dee","causation":"1f242d02-2eec-5368-b29a-87d7f8c238d2","actor":"analysis","traceparent":"00-a89260e05782a571458d25e8051eaa18-c571dfa11e650da6-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/5"}', '\x1f242d022eec5368b29a87d7f8c238d2', '2026-11-21 20:48:15.158796+00'),
	(3, 'job-162adea7-e466-52fa-8144-11f1403ba12c', 2, 'a897c2c7-b385-5727-a8bf-a205b6d78445', 'AttemptStarted', 1, '{"sessionId":"162adea7-e466-52fa-8144-11f1403ba12c","ownerId":"339b3bd7-808b-5447-bdb9-0455de0d9159","attempt":1,"worker":"analysis-01a1ffdd-de73-7399-9a57-f10af6d6d311","leaseEndsAt":"2026-11-21T20:48:18.179306Z"}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e721-7fd7-bce2-2b5046064dee","causation":"6ebe9915-26f0-5b8a-859d-e2e9f21a4955","actor":"analysis","traceparent":"00-a89260e05782a571458d25e8051eaa18-c571dfa11e650da6-01"}', '\x01a1ffdde74b75958ca940883c6c49bb', '2026-11-21 20:48:15.180226+00'),
	(4, 'job-162adea7-e466-52fa-8144-11f1403ba12c', 3, '6a34a3fb-2ae4-5506-a638-1acc64adddb4', 'StageReached', 1, '{"sessionId":"162adea7-e466-52fa-8144-11f1403ba12c","ownerId":"339b3bd7-808b-5447-bdb9-0455de0d9159","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e721-7fd7-bce2-2b5046064dee","causation":"6ebe9915-26f0-5b8a-859d-e2e9f21a4955","actor":"analysis","traceparent":"00-a89260e05782a571458d25e8051eaa18-c571dfa11e650da6-01"}', '\x01a1ffdde75f79b692c848f92989a147', '2026-11-21 20:48:15.201291+00'),
	(5, 'job-162adea7-e466-52fa-8144-11f1403ba12c', 4, '00c537a7-a241-5346-abcc-0d6522426616', 'StageReached', 1, '{"sessionId":"162adea7-e466-52fa-8144-11f1403ba12c","ownerId":"339b3bd7-808b-5447-bdb9-0455de0d9159","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e721-7fd7-bce2-2b5046064dee","causation":"6ebe9915-26f0-5b8a-859d-e2e9f21a4955","actor":"analysis","traceparent":"00-a89260e05782a571458d25e8051eaa18-c571dfa11e650da6-01"}', '\x01a1ffdde7937a51ac4277b25a1fa119', '2026-11-21 20:48:15.252948+00'),
	(6, 'job-162adea7-e466-52fa-8144-11f1403ba12c', 5, '130eedf7-1ae3-5100-b514-249099f0f5a9', 'StageReached', 1, '{"sessionId":"162adea7-e466-52fa-8144-11f1403ba12c","ownerId":"339b3bd7-808b-5447-bdb9-0455de0d9159","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e721-7fd7-bce2-2b5046064dee","causation":"6ebe9915-26f0-5b8a-859d-e2e9f21a4955","actor":"analysis","traceparent":"00-a89260e05782a571458d25e8051eaa18-c571dfa11e650da6-01"}', '\x01a1ffdde7c671b2a8d5c6105dbaa9df', '2026-11-21 20:48:15.304288+00'),
	(7, 'job-162adea7-e466-52fa-8144-11f1403ba12c', 6, '005200f8-6c2d-5ea3-93e8-dc620d6cdec7', 'StageReached', 1, '{"sessionId":"162adea7-e466-52fa-8144-11f1403ba12c","ownerId":"339b3bd7-808b-5447-bdb9-0455de0d9159","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e721-7fd7-bce2-2b5046064dee","causation":"6ebe9915-26f0-5b8a-859d-e2e9f21a4955","actor":"analysis","traceparent":"00-a89260e05782a571458d25e8051eaa18-c571dfa11e650da6-01"}', '\x01a1ffdde82c7b2687ca4096557384d3', '2026-11-21 20:48:15.4082+00'),
	(8, 'job-162adea7-e466-52fa-8144-11f1403ba12c', 7, '3bbb42ac-50a9-5760-9df0-1ae44c89b96d', 'JobCompleted', 1, '{"sessionId":"162adea7-e466-52fa-8144-11f1403ba12c","ownerId":"339b3bd7-808b-5447-bdb9-0455de0d9159","attempt":1,"document":{"key":"documents/339b3bd7-808b-5447-bdb9-0455de0d9159/162adea7-e466-52fa-8144-11f1403ba12c/01a1ffdd-e924-7d0a-9ac9-4e36037c2c2b.json","sha256":"4d759b90cda30543df2598e138dd076721bb07998d2f11b8c05d78fb9315396a","sizeBytes":13290},"durationMs":481,"engines":{"aligner":"pocketsphinx 0.8","asr":"moonshine","face":"dlib-hog 19.24","ffmpeg":"5.1.9-0+deb12u1","model":"tiny-en 0.0.73","thresholds":"1"}}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e721-7fd7-bce2-2b5046064dee","causation":"6ebe9915-26f0-5b8a-859d-e2e9f21a4955","actor":"analysis","traceparent":"00-a89260e05782a571458d25e8051eaa18-c571dfa11e650da6-01"}', '\x01a1ffdde92e7f0686f27c5adea38a61', '2026-11-21 20:48:15.664353+00'),
	(9, 'job-490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc', 1, '87a1fae3-1d36-5233-a7dd-5765bf868369', 'JobQueued', 1, '{"sessionId":"490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc","ownerId":"e88f6646-fa20-5866-a935-0384095b5309","kind":"mirrormate","media":{"key":"media/e88f6646-fa20-5866-a935-0384095b5309/490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc/feeaed55-afff-5a24-8ec2-224f47905f4a","sha256":"e979504d0efec044229a4f07f6f2e63e6a882c57a67f8091806c95208b9b5c7e","sizeBytes":4096,"contentType":"video/mp4"},"maxAttempts":3}', '{"owner":"e88f6646-fa20-5866-a935-0384095b5309","correlation":"01a1ffdd-eaaf-7fe7-83d1-dec2198b2c37","causation":"62521e74-8766-5dc0-97f5-3757684d2a94","actor":"analysis","traceparent":"00-fb920479a25144228f27b5abd774ba44-e1a1321f67d233e0-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/15"}', '\x62521e7487665dc097f53757684d2a94', '2026-11-21 20:48:16.067867+00'),
	(10, 'job-490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc', 2, 'f9bf7f52-b83f-577c-9a33-61c0a983fe05', 'AttemptStarted', 1, '{"sessionId":"490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc","ownerId":"e88f6646-fa20-5866-a935-0384095b5309","attempt":1,"worker":"analysis-01a1ffdd-de73-7399-9a57-f10af6d6d311","leaseEndsAt":"2026-11-21T20:48:19.075298Z"}', '{"owner":"e88f6646-fa20-5866-a935-0384095b5309","correlation":"01a1ffdd-eaaf-7fe7-83d1-dec2198b2c37","causation":"87a1fae3-1d36-5233-a7dd-5765bf868369","actor":"analysis","traceparent":"00-fb920479a25144228f27b5abd774ba44-e1a1321f67d233e0-01"}', '\x01a1ffddeacb757cb08496aea4320602', '2026-11-21 20:48:16.076338+00'),
	(11, 'job-490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc', 3, '10b7a6ea-4d4e-5459-8fea-784e0c8f7816', 'AttemptFailed', 1, '{"sessionId":"490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc","ownerId":"e88f6646-fa20-5866-a935-0384095b5309","attempt":1,"code":"unreadable","retryable":false}', '{"owner":"e88f6646-fa20-5866-a935-0384095b5309","correlation":"01a1ffdd-eaaf-7fe7-83d1-dec2198b2c37","causation":"87a1fae3-1d36-5233-a7dd-5765bf868369","actor":"analysis","traceparent":"00-fb920479a25144228f27b5abd774ba44-e1a1321f67d233e0-01"}', '\x01a1ffddeadf74bcb76fa9d215b0ae51', '2026-11-21 20:48:16.09861+00'),
	(12, 'job-490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc', 4, '698fde7a-98fa-50d3-a577-ffb6a8ed6fb1', 'JobFailed', 1, '{"sessionId":"490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc","ownerId":"e88f6646-fa20-5866-a935-0384095b5309","attempt":1,"code":"unreadable","retryable":false}', '{"owner":"e88f6646-fa20-5866-a935-0384095b5309","correlation":"01a1ffdd-eaaf-7fe7-83d1-dec2198b2c37","causation":"87a1fae3-1d36-5233-a7dd-5765bf868369","actor":"analysis","traceparent":"00-fb920479a25144228f27b5abd774ba44-e1a1321f67d233e0-01"}', NULL, '2026-11-21 20:48:16.09861+00'),
	(13, 'job-1c3445d2-bc71-50b7-8956-6da9388132e5', 1, 'aba6f925-aac5-582e-b47a-9e4ebaa4d18d', 'JobQueued', 1, '{"sessionId":"1c3445d2-bc71-50b7-8956-6da9388132e5","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","kind":"mirrormate","media":{"key":"media/c07d663c-8788-5a68-a5a6-4841a4503f57/1c3445d2-bc71-50b7-8956-6da9388132e5/3668a514-351e-5253-a799-e06413faabc1","sha256":"b5f1a814e6830066a3ac18d577fabcf30d4b0cd53f58b5847a4efce306c16da4","sizeBytes":4096,"contentType":"video/mp4"},"maxAttempts":3}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ec2e-75b6-a0e5-d0667982df97","causation":"2c01374d-049f-56fa-acda-8242c4309130","actor":"analysis","traceparent":"00-27dfffbe06afe3bbb7e02e002ff1c949-79ad7d95f170bf47-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/21"}', '\x2c01374d049f56faacda8242c4309130', '2026-11-21 20:48:16.441738+00'),
	(14, 'job-1c3445d2-bc71-50b7-8956-6da9388132e5', 2, '399d6675-40d7-5c16-94f5-3b8f1ee572b6', 'AttemptStarted', 1, '{"sessionId":"1c3445d2-bc71-50b7-8956-6da9388132e5","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","attempt":1,"worker":"analysis-01a1ffdd-de73-7399-9a57-f10af6d6d311","leaseEndsAt":"2026-11-21T20:48:19.449085Z"}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ec2e-75b6-a0e5-d0667982df97","causation":"aba6f925-aac5-582e-b47a-9e4ebaa4d18d","actor":"analysis","traceparent":"00-27dfffbe06afe3bbb7e02e002ff1c949-79ad7d95f170bf47-01"}', '\x01a1ffddec4171df93b9a5150fb2b02a', '2026-11-21 20:48:16.449817+00'),
	(15, 'job-1c3445d2-bc71-50b7-8956-6da9388132e5', 3, 'aea7ee30-8432-52af-8238-60a26f23f94b', 'StageReached', 1, '{"sessionId":"1c3445d2-bc71-50b7-8956-6da9388132e5","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ec2e-75b6-a0e5-d0667982df97","causation":"aba6f925-aac5-582e-b47a-9e4ebaa4d18d","actor":"analysis","traceparent":"00-27dfffbe06afe3bbb7e02e002ff1c949-79ad7d95f170bf47-01"}', '\x01a1ffddec5e786eb9b0ea2e5dda2c47', '2026-11-21 20:48:16.4807+00'),
	(16, 'job-1c3445d2-bc71-50b7-8956-6da9388132e5', 4, 'dc227eb3-baf3-5e31-b7c8-a8acdcaeabf7', 'StageReached', 1, '{"sessionId":"1c3445d2-bc71-50b7-8956-6da9388132e5","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ec2e-75b6-a0e5-d0667982df97","causation":"aba6f925-aac5-582e-b47a-9e4ebaa4d18d","actor":"analysis","traceparent":"00-27dfffbe06afe3bbb7e02e002ff1c949-79ad7d95f170bf47-01"}', '\x01a1ffddec9275dfaad963700efc0062', '2026-11-21 20:48:16.531367+00'),
	(17, 'job-1c3445d2-bc71-50b7-8956-6da9388132e5', 5, '88d77d7e-1f4f-545f-b85d-5b99f9d324be', 'StageReached', 1, '{"sessionId":"1c3445d2-bc71-50b7-8956-6da9388132e5","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ec2e-75b6-a0e5-d0667982df97","causation":"aba6f925-aac5-582e-b47a-9e4ebaa4d18d","actor":"analysis","traceparent":"00-27dfffbe06afe3bbb7e02e002ff1c949-79ad7d95f170bf47-01"}', '\x01a1ffddecc57781a98da129b94ccd8f', '2026-11-21 20:48:16.582688+00'),
	(18, 'job-1c3445d2-bc71-50b7-8956-6da9388132e5', 6, '84a4ceef-98a4-5fa1-b3d2-9b1f2a11d01d', 'StageReached', 1, '{"sessionId":"1c3445d2-bc71-50b7-8956-6da9388132e5","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ec2e-75b6-a0e5-d0667982df97","causation":"aba6f925-aac5-582e-b47a-9e4ebaa4d18d","actor":"analysis","traceparent":"00-27dfffbe06afe3bbb7e02e002ff1c949-79ad7d95f170bf47-01"}', '\x01a1ffdded447dd288ed7eed87d40ad6', '2026-11-21 20:48:16.710359+00'),
	(19, 'job-1c3445d2-bc71-50b7-8956-6da9388132e5', 7, 'a4ae8cc1-b078-5f4f-97da-480b0841d14f', 'JobCompleted', 1, '{"sessionId":"1c3445d2-bc71-50b7-8956-6da9388132e5","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","attempt":1,"document":{"key":"documents/c07d663c-8788-5a68-a5a6-4841a4503f57/1c3445d2-bc71-50b7-8956-6da9388132e5/01a1ffdd-ee17-7564-85f8-ce5c0846dded.json","sha256":"2e6ffe6d0f455aee23e88c76e9fc568e6ab365b421dbf7786ead764dc71d5d3c","sizeBytes":13290},"durationMs":475,"engines":{"aligner":"pocketsphinx 0.8","asr":"moonshine","face":"dlib-hog 19.24","ffmpeg":"5.1.9-0+deb12u1","model":"tiny-en 0.0.73","thresholds":"1"}}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ec2e-75b6-a0e5-d0667982df97","causation":"aba6f925-aac5-582e-b47a-9e4ebaa4d18d","actor":"analysis","traceparent":"00-27dfffbe06afe3bbb7e02e002ff1c949-79ad7d95f170bf47-01"}', '\x01a1ffddee1e762086b198a163eee13d', '2026-11-21 20:48:16.927799+00'),
	(20, 'job-8bfbf10c-424e-5c21-9f1b-1ecc95c23461', 1, 'bb2e8c79-a7ff-55a1-b1e9-062d375dd4bc', 'JobCancelled', 1, '{"sessionId":"8bfbf10c-424e-5c21-9f1b-1ecc95c23461","ownerId":"f4674116-33e2-5e03-a073-ba1d7cae582c","reason":"session-cancelled"}', '{"owner":"f4674116-33e2-5e03-a073-ba1d7cae582c","correlation":"01a1ffdd-ef5a-7441-a79c-8d43985ab11f","causation":"d39a4212-10d5-55ef-89d7-a2c385e87dc4","actor":"analysis","traceparent":"00-b4a4f517277dbd090d6805849a8eb207-18f035fc354ba2f4-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/32"}', '\xd39a421210d555ef89d7a2c385e87dc4', '2026-11-21 20:48:17.255987+00'),
	(21, 'job-28684897-bcdc-53e2-9aee-4de0bf656a78', 1, 'a542dfe6-664c-5480-ba0e-f97fe761100f', 'JobQueued', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","kind":"mirrormate","media":{"key":"media/2d5bfaaf-c171-5bc0-a03a-27923c66fa59/28684897-bcdc-53e2-9aee-4de0bf656a78/cb0479d6-55f8-5f24-9ec4-566b7124698f","sha256":"d7d5e80e1f89586ee23f40f93d3d73e6160c61bac8f1bed6181715713d21aec5","sizeBytes":4096,"contentType":"video/mp4"},"maxAttempts":3}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-f035-7cbc-81ee-6bfd7312e2d9","causation":"121a356d-6cd5-5e43-b4d0-fd4d6049790e","actor":"analysis","traceparent":"00-2094120d97d509ea9ed93f86f6574d5c-2217bef52074c79e-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/36"}', '\x121a356d6cd55e43b4d0fd4d6049790e', '2026-11-21 20:48:17.479077+00'),
	(22, 'job-28684897-bcdc-53e2-9aee-4de0bf656a78', 2, 'e62cdcd8-718a-578d-b221-4496e41c041a', 'AttemptStarted', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","attempt":1,"worker":"analysis-01a1ffdd-de73-7399-9a57-f10af6d6d311","leaseEndsAt":"2026-11-21T20:48:20.486000Z"}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-f035-7cbc-81ee-6bfd7312e2d9","causation":"a542dfe6-664c-5480-ba0e-f97fe761100f","actor":"analysis","traceparent":"00-2094120d97d509ea9ed93f86f6574d5c-2217bef52074c79e-01"}', '\x01a1ffddf04e7083b1e98b528f243855', '2026-11-21 20:48:17.486863+00'),
	(23, 'job-28684897-bcdc-53e2-9aee-4de0bf656a78', 3, 'd55ab026-ef39-5521-b042-378d23b7c64a', 'StageReached', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-f035-7cbc-81ee-6bfd7312e2d9","causation":"a542dfe6-664c-5480-ba0e-f97fe761100f","actor":"analysis","traceparent":"00-2094120d97d509ea9ed93f86f6574d5c-2217bef52074c79e-01"}', '\x01a1ffddf06a7ad4aa7b1632b6bb2932', '2026-11-21 20:48:17.515924+00'),
	(24, 'job-28684897-bcdc-53e2-9aee-4de0bf656a78', 4, '40a4727e-8717-5b4c-b962-560a1d619053', 'StageReached', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-f035-7cbc-81ee-6bfd7312e2d9","causation":"a542dfe6-664c-5480-ba0e-f97fe761100f","actor":"analysis","traceparent":"00-2094120d97d509ea9ed93f86f6574d5c-2217bef52074c79e-01"}', '\x01a1ffddf0a3730aa1ca668ec4a59d93', '2026-11-21 20:48:17.572278+00'),
	(25, 'job-28684897-bcdc-53e2-9aee-4de0bf656a78', 5, 'c062657e-e018-595c-af84-2c6d0e86016e', 'StageReached', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-f035-7cbc-81ee-6bfd7312e2d9","causation":"a542dfe6-664c-5480-ba0e-f97fe761100f","actor":"analysis","traceparent":"00-2094120d97d509ea9ed93f86f6574d5c-2217bef52074c79e-01"}', '\x01a1ffddf0d87666b26004180676f899', '2026-11-21 20:48:17.626263+00'),
	(26, 'job-28684897-bcdc-53e2-9aee-4de0bf656a78', 6, '834fa7d3-4f26-5f58-881d-13fba5e100cf', 'StageReached', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-f035-7cbc-81ee-6bfd7312e2d9","causation":"a542dfe6-664c-5480-ba0e-f97fe761100f","actor":"analysis","traceparent":"00-2094120d97d509ea9ed93f86f6574d5c-2217bef52074c79e-01"}', '\x01a1ffddf146777c8e871df24d8b1fd9', '2026-11-21 20:48:17.735746+00'),
	(27, 'job-28684897-bcdc-53e2-9aee-4de0bf656a78', 7, '072fafd3-20fe-5082-8273-940e04cf1cbb', 'JobCompleted', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","attempt":1,"document":{"key":"documents/2d5bfaaf-c171-5bc0-a03a-27923c66fa59/28684897-bcdc-53e2-9aee-4de0bf656a78/01a1ffdd-f1b6-7f02-8628-e46d6cd16468.json","sha256":"80f16396335d94983192e19a8f705dc32de807ef31957edba4b17011a1758cf1","sizeBytes":13290},"durationMs":365,"engines":{"aligner":"pocketsphinx 0.8","asr":"moonshine","face":"dlib-hog 19.24","ffmpeg":"5.1.9-0+deb12u1","model":"tiny-en 0.0.73","thresholds":"1"}}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-f035-7cbc-81ee-6bfd7312e2d9","causation":"a542dfe6-664c-5480-ba0e-f97fe761100f","actor":"analysis","traceparent":"00-2094120d97d509ea9ed93f86f6574d5c-2217bef52074c79e-01"}', '\x01a1ffddf1c075e7849742aec035ec7f', '2026-11-21 20:48:17.857716+00'),
	(28, 'job-28684897-bcdc-53e2-9aee-4de0bf656a78', 8, '097aa6b7-97bb-5e47-8330-02070a2fac8c', 'ResultDiscarded', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","reason":"session-deleted"}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-f1f5-73ca-af7b-90fea75b4ff4","causation":"1542ff8a-be0b-57d3-8442-835e3471c1b7","actor":"analysis","traceparent":"00-d68bc97d984969fd95d02b601ce69f6b-938c4f47b61b5944-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/43"}', '\x1542ff8abe0b57d38442835e3471c1b7', '2026-11-21 20:48:17.933316+00'),
	(29, 'job-ce73bd66-c63a-5989-83c1-a9b71067f90e', 1, '421054cc-e5e8-5a9b-9126-7fe99f002710', 'JobQueued', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f","kind":"mirrormate","media":{"key":"media/413dc46a-0026-54e9-8df7-08e017108c5f/ce73bd66-c63a-5989-83c1-a9b71067f90e/602c491c-2c75-5c31-88f7-2e1880f50b0f","sha256":"657bb285d2728693b13544494b8da332b2cdebd87e47a566064cf3b2b63214c8","sizeBytes":4096,"contentType":"video/mp4"},"maxAttempts":3}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f2b1-7547-aa59-7af643625a02","causation":"5488c055-4ab1-5e26-a304-f7e54bc2111d","actor":"analysis","traceparent":"00-13ecc029f70668c81fa55cfbee6bd535-042b10976de3b80a-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/47"}', '\x5488c0554ab15e26a304f7e54bc2111d', '2026-11-21 20:48:18.122299+00'),
	(30, 'job-ce73bd66-c63a-5989-83c1-a9b71067f90e', 2, '4c52637f-7947-5c3c-bdba-0cbf58daf311', 'AttemptStarted', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f","attempt":1,"worker":"analysis-01a1ffdd-de73-7399-9a57-f10af6d6d311","leaseEndsAt":"2026-11-21T20:48:21.136517Z"}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f2b1-7547-aa59-7af643625a02","causation":"421054cc-e5e8-5a9b-9126-7fe99f002710","actor":"analysis","traceparent":"00-13ecc029f70668c81fa55cfbee6bd535-042b10976de3b80a-01"}', '\x01a1ffddf2d879be96cf009281496f3c', '2026-11-21 20:48:18.137317+00'),
	(31, 'job-ce73bd66-c63a-5989-83c1-a9b71067f90e', 3, '3f6e3e76-36a0-54a2-9a16-8d19191164af', 'StageReached', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f2b1-7547-aa59-7af643625a02","causation":"421054cc-e5e8-5a9b-9126-7fe99f002710","actor":"analysis","traceparent":"00-13ecc029f70668c81fa55cfbee6bd535-042b10976de3b80a-01"}', '\x01a1ffddf2f27de7a38eaddde3b701e5', '2026-11-21 20:48:18.167617+00'),
	(32, 'job-ce73bd66-c63a-5989-83c1-a9b71067f90e', 4, '420d8c04-1276-5f37-afe8-3deb9481ad25', 'StageReached', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f2b1-7547-aa59-7af643625a02","causation":"421054cc-e5e8-5a9b-9126-7fe99f002710","actor":"analysis","traceparent":"00-13ecc029f70668c81fa55cfbee6bd535-042b10976de3b80a-01"}', '\x01a1ffddf322784d909d1940e7d67f47', '2026-11-21 20:48:18.211705+00'),
	(33, 'job-ce73bd66-c63a-5989-83c1-a9b71067f90e', 5, '71432293-896c-5ae3-ac34-858efb26fd8f', 'StageReached', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f2b1-7547-aa59-7af643625a02","causation":"421054cc-e5e8-5a9b-9126-7fe99f002710","actor":"analysis","traceparent":"00-13ecc029f70668c81fa55cfbee6bd535-042b10976de3b80a-01"}', '\x01a1ffddf35a714bb7514ddb21b3307f', '2026-11-21 20:48:18.267482+00'),
	(34, 'job-ce73bd66-c63a-5989-83c1-a9b71067f90e', 6, 'ebe3a763-e8bf-5fb3-a71b-9a335a03b4a5', 'StageReached', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f2b1-7547-aa59-7af643625a02","causation":"421054cc-e5e8-5a9b-9126-7fe99f002710","actor":"analysis","traceparent":"00-13ecc029f70668c81fa55cfbee6bd535-042b10976de3b80a-01"}', '\x01a1ffddf3c07978a4f61d0d257d6895', '2026-11-21 20:48:18.370506+00'),
	(35, 'job-ce73bd66-c63a-5989-83c1-a9b71067f90e', 7, '98e0997e-8c70-5c5a-a901-08b6dec72d30', 'JobCompleted', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f","attempt":1,"document":{"key":"documents/413dc46a-0026-54e9-8df7-08e017108c5f/ce73bd66-c63a-5989-83c1-a9b71067f90e/01a1ffdd-f42e-7fe7-a046-42820dccd4df.json","sha256":"1e2deab9c654f94424a0f0294069b6600ba86745ba4ff735f773fbe704ac3b32","sizeBytes":13290},"durationMs":353,"engines":{"aligner":"pocketsphinx 0.8","asr":"moonshine","face":"dlib-hog 19.24","ffmpeg":"5.1.9-0+deb12u1","model":"tiny-en 0.0.73","thresholds":"1"}}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f2b1-7547-aa59-7af643625a02","causation":"421054cc-e5e8-5a9b-9126-7fe99f002710","actor":"analysis","traceparent":"00-13ecc029f70668c81fa55cfbee6bd535-042b10976de3b80a-01"}', '\x01a1ffddf43c745ebef382ade377b29b', '2026-11-21 20:48:18.493726+00'),
	(36, 'job-ce73bd66-c63a-5989-83c1-a9b71067f90e', 8, '5bbce8fb-9d08-55f9-9f59-6ebfbb6eb95d', 'JobErased', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f"}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f48e-7a5e-9431-e192160e95ce","causation":"5f9accf3-649d-5407-9edb-ca71601e3e41","actor":"analysis","traceparent":"00-f5533794e3c7b78bdc7343d8157df5bc-6ed31f75bd8e228b-01","origin":"identity/fc03a36b-e35c-4bea-9125-ed0840733a55/15"}', '\x4b00f476525d551d8eb6278f25824d2f', '2026-11-21 20:48:18.626562+00'),
	(37, 'subject-413dc46a-0026-54e9-8df7-08e017108c5f', 1, 'a35bbef0-11bf-5ad5-a918-6e860202045a', 'SubjectErased', 1, '{"subjectId":"413dc46a-0026-54e9-8df7-08e017108c5f","removed":{"rows":1,"objects":1}}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f48e-7a5e-9431-e192160e95ce","causation":"5f9accf3-649d-5407-9edb-ca71601e3e41","actor":"analysis","traceparent":"00-f5533794e3c7b78bdc7343d8157df5bc-6ed31f75bd8e228b-01","origin":"identity/fc03a36b-e35c-4bea-9125-ed0840733a55/15"}', '\x5f9accf3649d54079edbca71601e3e41', '2026-11-21 20:48:18.642731+00'),
	(38, 'key-09a2d019-875c-523b-abe1-ac0ca8d6b43b', 1, '130d0920-1842-5f7e-8851-6b4f0f78e619', 'SigningKeyLearned', 1, '{"kid":"6471d4c3-f9ed-4460-8137-839dbe85fa83","x":"Qf-xU1RcGa56OfwR0XVVC8vZe5xmvbaS9ixgs-qgeFM","y":"HOFIrexT60scyfYu-9Km3WBX8jSnDykoXs0U_uoDjrI","notBefore":"2026-11-21T20:53:18.811814Z","expiresAt":"2026-12-21T20:53:18.811814Z"}', '{"correlation":"01a1ffdd-f580-742d-be8b-49707867ef9d","causation":"c0ce623a-86b2-50f6-866f-d5b5cc0a6ce6","actor":"analysis","origin":"identity/fc03a36b-e35c-4bea-9125-ed0840733a55/21"}', '\xc0ce623a86b250f6866fd5b5cc0a6ce6', '2026-11-21 20:48:18.869843+00');

INSERT INTO analysis.head VALUES
	(true, 'a5544583-04ab-48ee-a3c7-075daeebcbea', NULL);

INSERT INTO analysis.incarnations VALUES
	('a5544583-04ab-48ee-a3c7-075daeebcbea', NULL, 0, '2026-11-21 20:48:11.908373+00');

INSERT INTO analysis.job_owners VALUES
	('162adea7-e466-52fa-8144-11f1403ba12c', '339b3bd7-808b-5447-bdb9-0455de0d9159'),
	('490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc', 'e88f6646-fa20-5866-a935-0384095b5309'),
	('1c3445d2-bc71-50b7-8956-6da9388132e5', 'c07d663c-8788-5a68-a5a6-4841a4503f57'),
	('8bfbf10c-424e-5c21-9f1b-1ecc95c23461', 'f4674116-33e2-5e03-a073-ba1d7cae582c'),
	('28684897-bcdc-53e2-9aee-4de0bf656a78', '2d5bfaaf-c171-5bc0-a03a-27923c66fa59');

INSERT INTO analysis.job_queue VALUES
	('162adea7-e466-52fa-8144-11f1403ba12c', '162adea7-e466-52fa-8144-11f1403ba12c', '339b3bd7-808b-5447-bdb9-0455de0d9159', 'done', NULL, NULL, 1),
	('490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc', '490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc', 'e88f6646-fa20-5866-a935-0384095b5309', 'done', NULL, NULL, 1),
	('1c3445d2-bc71-50b7-8956-6da9388132e5', '1c3445d2-bc71-50b7-8956-6da9388132e5', 'c07d663c-8788-5a68-a5a6-4841a4503f57', 'done', NULL, NULL, 1),
	('28684897-bcdc-53e2-9aee-4de0bf656a78', '28684897-bcdc-53e2-9aee-4de0bf656a78', '2d5bfaaf-c171-5bc0-a03a-27923c66fa59', 'done', NULL, NULL, 1);

INSERT INTO analysis.migrations VALUES
	('defaults', 'bbbc80e2f22d6c70', '2026-11-21 20:48:11.828105+00'),
	('scope', 'c7d456e957fc1364', '2026-11-21 20:48:11.840175+00'),
	('head', 'e72b49b65dda4c45', '2026-11-21 20:48:11.909173+00'),
	('events', 'bbfd42eb9788a7bd', '2026-11-21 20:48:11.933164+00'),
	('events_immutable', 'e01cf0229e7fd418', '2026-11-21 20:48:11.937996+00'),
	('erased_subjects', '2146bc0c2be40d91', '2026-11-21 20:48:11.960766+00'),
	('append_batch', '9f09a3219dbfffd4', '2026-11-21 20:48:11.978432+00'),
	('privileges', 'fdd9b5951144bb48', '2026-11-21 20:48:11.989092+00'),
	('relay', '1682739c19a064b0', '2026-11-21 20:48:12.016249+00'),
	('incarnation', '7e74a231e02a5b5a', '2026-11-21 20:48:12.039715+00'),
	('consumer_partitions', '48f1e25c7fe5bb7f', '2026-11-21 20:48:12.06626+00'),
	('parked_messages', '7e23a009eb467817', '2026-11-21 20:48:12.116393+00'),
	('projections', 'b60500a61b2cbb97', '2026-11-21 20:48:12.160471+00'),
	('rebuilds', '559cf9ed68b2b3bf', '2026-11-21 20:48:12.176968+00'),
	('rename_read_model', '86e564ba8b91283d', '2026-11-21 20:48:12.178829+00'),
	('begin_rebuild', 'c8cae99280351953', '2026-11-21 20:48:12.180712+00'),
	('complete_rebuild', '121993744112cac9', '2026-11-21 20:48:12.184188+00'),
	('switch_rebuild', 'f03d670e1faaf5bd', '2026-11-21 20:48:12.194676+00'),
	('undo_rebuild', '841c4c38c900d773', '2026-11-21 20:48:12.198798+00'),
	('drop_rebuild', 'cf1b4d618e545b4f', '2026-11-21 20:48:12.209022+00'),
	('request_key', 'eb88c0ad3dfad762', '2026-11-21 20:48:12.222249+00'),
	('signing_keys', 'cf99a50835fd752', '2026-11-21 20:48:12.237489+00'),
	('object_intents', '299a9fee0e13f609', '2026-11-21 20:48:12.256461+00'),
	('object_sweep', '1684e7c2309b09b2', '2026-11-21 20:48:12.260709+00'),
	('reader', '2a6dba18899e3b07', '2026-11-21 20:48:12.261985+00'),
	('job_queue', '3e6a395f4d9e520a', '2026-11-21 20:48:12.271677+00'),
	('job_owners', 'ddffe0c6ff3092d', '2026-11-21 20:48:12.279276+00');

INSERT INTO analysis.object_intents VALUES
	('documents/339b3bd7-808b-5447-bdb9-0455de0d9159/162adea7-e466-52fa-8144-11f1403ba12c/01a1ffdd-e924-7d0a-9ac9-4e36037c2c2b.json', '339b3bd7-808b-5447-bdb9-0455de0d9159', 'analysis-document', NULL, false),
	('documents/c07d663c-8788-5a68-a5a6-4841a4503f57/1c3445d2-bc71-50b7-8956-6da9388132e5/01a1ffdd-ee17-7564-85f8-ce5c0846dded.json', 'c07d663c-8788-5a68-a5a6-4841a4503f57', 'analysis-document', NULL, false);

INSERT INTO analysis.projections VALUES
	('job_queue', 38);

INSERT INTO analysis.relay VALUES
	(true, 1, '01a1ffdd-de79-7d22-b7a1-64a2c108890a', '2026-11-21 20:48:25.1625+00', 38, NULL);

INSERT INTO analysis.relay_partitions VALUES
	(0, -1, 0, 0),
	(1, 6, 19, 1),
	(2, 6, 8, 1),
	(3, -1, 0, 0),
	(4, 8, 27, 1),
	(5, -1, 0, 0),
	(6, -1, 0, 0),
	(7, 7, 37, 1);

INSERT INTO analysis.request_key VALUES
	(true, '\x1b61c0a78bfc4e2a9e3aca3c42c5250b721fce70b34c4c5d9439ced411da52cb');

INSERT INTO analysis.signing_keys VALUES
	('029fd939-d459-49ff-abba-f4b23c2939ce', '-oYPS9Ntl4vPRwZa8ZDOhZdbNL3ng-HDzCMYLJ-V2KE', 'Ps2gQXywZNKywcsf1rHLxUvGAvE_t5ktnSV1u5wlEgs', '2026-11-21 20:48:12.921559+00', '2026-12-21 20:48:12.921559+00', NULL),
	('6471d4c3-f9ed-4460-8137-839dbe85fa83', 'Qf-xU1RcGa56OfwR0XVVC8vZe5xmvbaS9ixgs-qgeFM', 'HOFIrexT60scyfYu-9Km3WBX8jSnDykoXs0U_uoDjrI', '2026-11-21 20:53:18.811814+00', '2026-12-21 20:53:18.811814+00', NULL);

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

