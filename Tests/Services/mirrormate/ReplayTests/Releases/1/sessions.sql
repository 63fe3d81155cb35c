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

CREATE FUNCTION sessions.abandon_rebuild(rebuild bigint) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'sessions', 'pg_temp'
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

CREATE FUNCTION sessions.append_batch(first_ids uuid[], hashes bytea[], owners uuid[], though_erased boolean[], metadatas json[], calls json[], groups bigint[], streams text[], write_appends bigint[], write_streams bigint[], write_expected bigint[], write_sizes bigint[], event_writes bigint[], event_ids uuid[], event_types text[], event_schema_versions bigint[], event_datas json[]) RETURNS TABLE(verdict text, at_position bigint, at_time timestamp with time zone, stream_found text, version_found bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'sessions', 'pg_temp'
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

CREATE FUNCTION sessions.begin_incarnation(next uuid, fork bigint, published bigint, top_epoch bigint, cut uuid[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'sessions', 'pg_temp'
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

CREATE FUNCTION sessions.begin_rebuild(model_name text, by_whom text, code_version text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'sessions', 'pg_temp'
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

CREATE FUNCTION sessions.complete_rebuild(model_name text, keys_only boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'sessions', 'pg_temp'
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

CREATE FUNCTION sessions.drop_rebuild(model_name text) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'sessions', 'pg_temp'
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

CREATE FUNCTION sessions.in_scope(owner uuid) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    select coalesce(
        nullif(current_setting('mirrormate.scope', true), '') in ('system', owner::text), false)
$$;

CREATE FUNCTION sessions.overdue_sessions() RETURNS TABLE(session_id uuid, owner_id uuid, is_work boolean)
    LANGUAGE sql STABLE
    AS $$
    select key::uuid, owner_id, status = 'processing' from session_list
    where status in ('queued', 'awaitingUpload', 'processing') and least(expires_at, deadline) <= now()
        and case status when 'processing' then deadline else expires_at end <= now()
    limit 100;
$$;

CREATE FUNCTION sessions.refuse_appends(reason text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'sessions', 'pg_temp'
    AS $$
    update head set refused = reason where refused is distinct from reason;
$$;

CREATE FUNCTION sessions.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    raise exception 'events are immutable: append a new event that corrects the old one' using errcode = '42501';
end $$;

CREATE FUNCTION sessions.rename_read_model(from_name text, to_name text, ending text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'sessions', 'pg_temp'
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

CREATE FUNCTION sessions.row_discard_object(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update object_intents set unwanted = true where object_key = args ->> 'key';
    select null::text;
$$;

CREATE FUNCTION sessions.row_discard_objects(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update object_intents set unwanted = true where subject = (args ->> 'subject')::uuid;
    select null::text;
$$;

CREATE FUNCTION sessions.row_discard_overdue(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update object_intents set unwanted = true where deadline < clock_timestamp() and not unwanted;
    select null::text;
$$;

CREATE FUNCTION sessions.row_discard_session_objects(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update object_intents set unwanted = true where purpose = 'session ' || (args ->> 'sessionId');
    select null::text;
$$;

CREATE FUNCTION sessions.row_erase_subject(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into erased_subjects (subject) values ((args ->> 'subject')::uuid) on conflict do nothing;
    select null::text;
$$;

CREATE FUNCTION sessions.row_intend_object(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into object_intents (object_key, subject, purpose, deadline)
    values (args ->> 'key', (args ->> 'subject')::uuid, args ->> 'purpose', (args ->> 'deadline')::timestamptz)
    -- A repeat after a crash announces the same object again.
    on conflict (object_key) do update set deadline = excluded.deadline where not object_intents.unwanted;
    select null::text;
$$;

CREATE FUNCTION sessions.row_keep_object(args json) RETURNS text
    LANGUAGE plpgsql
    AS $$
begin
    update object_intents set deadline = null where object_key = args ->> 'key' and not unwanted;
    return case when found then null else 'object-not-intended' end;
end $$;

CREATE FUNCTION sessions.row_learn_key(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into signing_keys (kid, x, y, not_before, expires_at)
    values (args ->> 'kid', args ->> 'x', args ->> 'y', (args ->> 'notBefore')::timestamptz,
        (args ->> 'expiresAt')::timestamptz)
    on conflict (kid) do nothing;
    select null::text;
$$;

CREATE FUNCTION sessions.row_move_watermark(args json) RETURNS text
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

CREATE FUNCTION sessions.row_park(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into parked_messages (topic, partition, record_offset, key, identity, type, reason, headers, value)
    values (args ->> 'topic', (args ->> 'partition')::integer, (args ->> 'offset')::bigint, args ->> 'key',
        args ->> 'identity', args ->> 'type', args ->> 'reason', args -> 'headers', decode(args ->> 'value', 'hex'))
    on conflict (topic, partition, identity) do nothing;
    select null::text;
$$;

CREATE FUNCTION sessions.row_retire_key(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update signing_keys set retired_at = (args ->> 'retiredAt')::timestamptz where kid = args ->> 'kid';
    select null::text;
$$;

CREATE FUNCTION sessions.row_unpark(args json) RETURNS text
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

CREATE FUNCTION sessions.switch_rebuild(rebuild bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'sessions', 'pg_temp'
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

CREATE FUNCTION sessions.undo_rebuild(model_name text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'sessions', 'pg_temp'
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

CREATE TABLE sessions.consumer_partitions (
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

CREATE TABLE sessions.cut_incarnations (
    incarnation uuid NOT NULL,
    successor uuid NOT NULL
);

CREATE TABLE sessions.erased_subjects (
    subject uuid NOT NULL,
    erased_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE sessions.events (
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

CREATE TABLE sessions.head (
    singleton boolean DEFAULT true NOT NULL,
    incarnation uuid NOT NULL,
    refused text,
    CONSTRAINT head_singleton_check CHECK (singleton)
);

CREATE TABLE sessions.incarnations (
    incarnation uuid NOT NULL,
    parent uuid,
    fork bigint NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT incarnations_check CHECK ((((parent IS NULL) = (fork = 0)) OR (parent IS NOT NULL))),
    CONSTRAINT incarnations_fork_check CHECK ((fork >= 0))
);

CREATE TABLE sessions.migrations (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE sessions.object_intents (
    object_key text NOT NULL,
    subject uuid NOT NULL,
    purpose text NOT NULL,
    deadline timestamp with time zone,
    unwanted boolean DEFAULT false NOT NULL
);

CREATE TABLE sessions.parked_messages (
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

ALTER TABLE sessions.parked_messages ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME sessions.parked_messages_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE sessions.projections (
    name text NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    CONSTRAINT projections_position_check CHECK (("position" >= 0))
)
WITH (fillfactor='50');

CREATE TABLE sessions.rebuilds (
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

ALTER TABLE sessions.rebuilds ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME sessions.rebuilds_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE sessions.relay (
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

CREATE TABLE sessions.relay_partitions (
    partition integer NOT NULL,
    last_offset bigint NOT NULL,
    last_position bigint NOT NULL,
    last_epoch bigint NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE sessions.request_key (
    singleton boolean DEFAULT true NOT NULL,
    key bytea NOT NULL,
    CONSTRAINT request_key_singleton_check CHECK (singleton)
);

CREATE TABLE sessions.session_list (
    key text NOT NULL,
    owner_id uuid NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    progress integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    deadline timestamp with time zone,
    report_id uuid,
    error_code text,
    error_retryable boolean,
    refusal json,
    CONSTRAINT session_list_check CHECK (((status = 'error'::text) = (error_code IS NOT NULL))),
    CONSTRAINT session_list_check1 CHECK (((status = 'refused'::text) = (refusal IS NOT NULL))),
    CONSTRAINT session_list_progress_check CHECK (((progress >= 0) AND (progress <= 100))),
    CONSTRAINT session_list_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'awaitingUpload'::text, 'processing'::text, 'complete'::text, 'error'::text, 'cancelled'::text, 'expired'::text, 'refused'::text])))
);

CREATE TABLE sessions.signing_keys (
    kid text NOT NULL,
    x text NOT NULL,
    y text NOT NULL,
    not_before timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    retired_at timestamp with time zone
);

INSERT INTO sessions.consumer_partitions VALUES
	('mirrormate.quota.v1', 2, 1, 3, 'd57b72ad-5d05-4830-afac-0e432969a86f/12', 'd57b72ad-5d05-4830-afac-0e432969a86f', 12, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 4, 1, 7, '35fd88a4-9023-4e6f-81f2-645649afa417/8', '35fd88a4-9023-4e6f-81f2-645649afa417', 8, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 6, 1, 2, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/11', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 11, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 7, 1, 9, '35fd88a4-9023-4e6f-81f2-645649afa417/19', '35fd88a4-9023-4e6f-81f2-645649afa417', 19, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 7, 1, 4, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/8', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 8, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 2, 1, 2, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/9', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 9, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 5, 1, 3, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/15', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 15, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 5, 1, 8, '35fd88a4-9023-4e6f-81f2-645649afa417/37', '35fd88a4-9023-4e6f-81f2-645649afa417', 37, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 6, 1, 7, '35fd88a4-9023-4e6f-81f2-645649afa417/27', '35fd88a4-9023-4e6f-81f2-645649afa417', 27, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 4, 1, 4, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/21', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 21, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 1, 1, 1, 'd57b72ad-5d05-4830-afac-0e432969a86f/lease/1', 'd57b72ad-5d05-4830-afac-0e432969a86f', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 0, 1, 1, 'd57b72ad-5d05-4830-afac-0e432969a86f/lease/1', 'd57b72ad-5d05-4830-afac-0e432969a86f', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 3, 1, 1, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/lease/1', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 1, 1, 1, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/lease/1', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 3, 1, 1, '35fd88a4-9023-4e6f-81f2-645649afa417/lease/1', '35fd88a4-9023-4e6f-81f2-645649afa417', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 0, 1, 1, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/lease/1', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 2, 1, 1, '35fd88a4-9023-4e6f-81f2-645649afa417/lease/1', '35fd88a4-9023-4e6f-81f2-645649afa417', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 1, 1, 1, '35fd88a4-9023-4e6f-81f2-645649afa417/lease/1', '35fd88a4-9023-4e6f-81f2-645649afa417', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 0, 1, 1, '35fd88a4-9023-4e6f-81f2-645649afa417/lease/1', '35fd88a4-9023-4e6f-81f2-645649afa417', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 5, 1, 3, '12659c8a-568b-49f0-90a9-912dd5edd100/10', '12659c8a-568b-49f0-90a9-912dd5edd100', 10, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 7, 1, 2, '12659c8a-568b-49f0-90a9-912dd5edd100/4', '12659c8a-568b-49f0-90a9-912dd5edd100', 4, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 5, 1, 4, 'd57b72ad-5d05-4830-afac-0e432969a86f/17', 'd57b72ad-5d05-4830-afac-0e432969a86f', 17, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 7, 1, 7, 'd57b72ad-5d05-4830-afac-0e432969a86f/9', 'd57b72ad-5d05-4830-afac-0e432969a86f', 9, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 6, 1, 3, '12659c8a-568b-49f0-90a9-912dd5edd100/7', '12659c8a-568b-49f0-90a9-912dd5edd100', 7, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 6, 1, 3, 'd57b72ad-5d05-4830-afac-0e432969a86f/14', 'd57b72ad-5d05-4830-afac-0e432969a86f', 14, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 3, 1, 1, '12659c8a-568b-49f0-90a9-912dd5edd100/lease/1', '12659c8a-568b-49f0-90a9-912dd5edd100', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 2, 1, 1, '12659c8a-568b-49f0-90a9-912dd5edd100/lease/1', '12659c8a-568b-49f0-90a9-912dd5edd100', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 1, 1, 1, '12659c8a-568b-49f0-90a9-912dd5edd100/lease/1', '12659c8a-568b-49f0-90a9-912dd5edd100', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 0, 1, 1, '12659c8a-568b-49f0-90a9-912dd5edd100/lease/1', '12659c8a-568b-49f0-90a9-912dd5edd100', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 3, 1, 1, 'd57b72ad-5d05-4830-afac-0e432969a86f/lease/1', 'd57b72ad-5d05-4830-afac-0e432969a86f', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 4, 1, 2, '12659c8a-568b-49f0-90a9-912dd5edd100/2', '12659c8a-568b-49f0-90a9-912dd5edd100', 2, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 4, 1, 3, 'd57b72ad-5d05-4830-afac-0e432969a86f/3', 'd57b72ad-5d05-4830-afac-0e432969a86f', 3, 1, NULL, false, NULL, 0, NULL);

INSERT INTO sessions.erased_subjects VALUES
	('6e144c54-6352-537b-a7a5-64a7c8d05a75', '2026-11-21 21:51:29.375958+00');

INSERT INTO sessions.events VALUES
	(1, 'key-b3186284-c41b-5d2d-b780-6e9b0a7bc878', 1, 'b327acaa-8e09-5c74-89ef-2e1cd189a161', 'SigningKeyLearned', 1, '{"kid":"978cf6f9-1116-4f0f-ad98-c58040a49f04","x":"C-lhg3em3brJ_JDnie43Gr-tp3D6aSkH38cHrt0DaqE","y":"WEE_UYX86gcqqFXLhjaoAcsKRNWZk6eyvGXIo_InGfc","notBefore":"2026-11-21T21:51:25.138229Z","expiresAt":"2026-12-21T21:51:25.138229Z"}', '{"correlation":"01a20017-bbd4-76e5-8da5-9a1327a33882","causation":"b5b37db9-5324-59b3-97b0-69ec408a3791","actor":"sessions","origin":"identity/b48e3326-9fdb-4e7a-87d2-a583316e8b08/1"}', '\xb5b37db9532459b397b069ec408a3791', '2026-11-21 21:51:26.237948+00'),
	(2, 'session-7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 1, 'acf8fa5b-58c4-5905-810a-1c9cf8853061', 'SessionCreated', 1, '{"sessionId":"7fa04ff6-f9b9-527e-aa12-2e2bf6470c30","ownerId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","kind":"mirrormate","timeZone":"Europe/Berlin","createdAt":"2026-11-21T21:51:26.555178Z","expiresAt":"2026-11-21T22:51:26.555178Z","contentType":"video/mp4","contentLength":4096}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c15b-7e35-ae51-4675887bd320","actor":"b5ea4545-d224-5d3e-9c87-7905d7303a18","traceparent":"00-eab452ebf0efe86fdd67cd77b4b7edd1-830157bf4ed33bb9-01"}', '\x754d025b1331df46f21be1671f4b122e82068cf57dd14859819e08ea3dafa639', '2026-11-21 21:51:26.55642+00'),
	(3, 'session-7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 2, 'edc8152a-6a81-568b-8c1d-f561125a5f52', 'SessionAdmitted', 1, '{"sessionId":"7fa04ff6-f9b9-527e-aa12-2e2bf6470c30","ownerId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","kind":"mirrormate"}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c15b-7e35-ae51-4675887bd320","causation":"d6f73e04-9fd3-57d3-bc74-fe519c747011","actor":"sessions","traceparent":"00-eab452ebf0efe86fdd67cd77b4b7edd1-830157bf4ed33bb9-01","origin":"quota/d57b72ad-5d05-4830-afac-0e432969a86f/2"}', '\xd6f73e049fd357d3bc74fe519c747011', '2026-11-21 21:51:26.627585+00'),
	(4, 'session-7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 3, '2114c1e1-2ef9-5b6c-898c-cbdcdab6586f', 'UploadStored', 1, '{"sessionId":"7fa04ff6-f9b9-527e-aa12-2e2bf6470c30","ownerId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","kind":"mirrormate","media":{"key":"uploads/b5ea4545-d224-5d3e-9c87-7905d7303a18/7fa04ff6-f9b9-527e-aa12-2e2bf6470c30/01a20017-c1b0-78b8-8ebd-d8b30e7d6e86","sha256":"677fe82d70360c4a13bd625d820b64589942e2fd1451c4a1ddcc0baf21a007a1","sizeBytes":4096,"contentType":"video/mp4"}}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c1b6-7374-99b9-535d8332ce05","actor":"b5ea4545-d224-5d3e-9c87-7905d7303a18","traceparent":"00-cb787efe84a01f4455053ba4c89551cc-d43ad07dd1a119d9-01"}', '\x', '2026-11-21 21:51:26.647126+00'),
	(5, 'session-7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 4, 'd36e159b-cbb6-5f88-84af-1bae98a85d84', 'UploadFinalized', 1, '{"sessionId":"7fa04ff6-f9b9-527e-aa12-2e2bf6470c30","ownerId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","kind":"mirrormate","media":{"key":"media/b5ea4545-d224-5d3e-9c87-7905d7303a18/7fa04ff6-f9b9-527e-aa12-2e2bf6470c30/1ca4ff1c-bf0a-5c2b-8cc9-832f22678788","sha256":"677fe82d70360c4a13bd625d820b64589942e2fd1451c4a1ddcc0baf21a007a1","sizeBytes":4096,"contentType":"video/mp4"},"deadline":"2026-11-21T22:06:26.652787Z"}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c1c0-7883-89b4-fbe371d52e04","actor":"b5ea4545-d224-5d3e-9c87-7905d7303a18","traceparent":"00-8e25e8f16227384bffb057250046549d-4bc7d6a9b664020e-01"}', '\x', '2026-11-21 21:51:26.657427+00'),
	(6, 'session-7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 5, 'ffd0b9d4-5bcd-56d3-84f6-a3bc504c50fb', 'AnalysisStarted', 1, '{"sessionId":"7fa04ff6-f9b9-527e-aa12-2e2bf6470c30","ownerId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","kind":"mirrormate","attempt":1}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c1c0-7883-89b4-fbe371d52e04","causation":"b0591e5d-b951-55c8-90fd-113ac5cfd205","actor":"sessions","traceparent":"00-8e25e8f16227384bffb057250046549d-4bc7d6a9b664020e-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/3"}', '\xb0591e5db95155c890fd113ac5cfd205', '2026-11-21 21:51:26.784442+00'),
	(7, 'session-7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 6, '41218e9c-da7e-58bc-8af8-798033428251', 'AnalysisProgressed', 1, '{"sessionId":"7fa04ff6-f9b9-527e-aa12-2e2bf6470c30","ownerId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","kind":"mirrormate","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c1c0-7883-89b4-fbe371d52e04","causation":"2ab12469-380a-5beb-8d23-28aabb2266e4","actor":"sessions","traceparent":"00-8e25e8f16227384bffb057250046549d-4bc7d6a9b664020e-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/4"}', '\x2ab12469380a5beb8d2328aabb2266e4', '2026-11-21 21:51:26.804509+00'),
	(8, 'session-7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 7, 'eefc5305-4e78-50f9-a3c8-63c29f3ac855', 'AnalysisProgressed', 1, '{"sessionId":"7fa04ff6-f9b9-527e-aa12-2e2bf6470c30","ownerId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","kind":"mirrormate","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c1c0-7883-89b4-fbe371d52e04","causation":"b8a7e3fc-fae1-59af-ab37-262959c702f4","actor":"sessions","traceparent":"00-8e25e8f16227384bffb057250046549d-4bc7d6a9b664020e-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/5"}', '\xb8a7e3fcfae159afab37262959c702f4', '2026-11-21 21:51:26.85327+00'),
	(9, 'session-7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 8, '85828b8c-8410-5b95-a0e0-729cc695464d', 'AnalysisProgressed', 1, '{"sessionId":"7fa04ff6-f9b9-527e-aa12-2e2bf6470c30","ownerId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","kind":"mirrormate","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c1c0-7883-89b4-fbe371d52e04","causation":"0618ed79-5d7c-54b2-885e-292b1d58f28f","actor":"sessions","traceparent":"00-8e25e8f16227384bffb057250046549d-4bc7d6a9b664020e-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/6"}', '\x0618ed795d7c54b2885e292b1d58f28f', '2026-11-21 21:51:26.90508+00'),
	(10, 'session-7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 9, '4e56c6b8-20d9-5feb-8167-d034ff8ffbba', 'AnalysisProgressed', 1, '{"sessionId":"7fa04ff6-f9b9-527e-aa12-2e2bf6470c30","ownerId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","kind":"mirrormate","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c1c0-7883-89b4-fbe371d52e04","causation":"5b3efa01-b51b-5ee0-b33c-da0fc20bcb14","actor":"sessions","traceparent":"00-8e25e8f16227384bffb057250046549d-4bc7d6a9b664020e-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/7"}', '\x5b3efa01b51b5ee0b33cda0fc20bcb14', '2026-11-21 21:51:27.005102+00'),
	(11, 'session-7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 10, 'd4a86278-65c6-519a-b287-06ce195507d6', 'SessionCompleted', 1, '{"sessionId":"7fa04ff6-f9b9-527e-aa12-2e2bf6470c30","ownerId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","kind":"mirrormate","reportId":"ce0054f1-9d32-5841-82fc-6cb56a23b5da"}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c1c0-7883-89b4-fbe371d52e04","causation":"7339b57a-65b6-5566-b855-d0b9d7cea650","actor":"sessions","traceparent":"00-8e25e8f16227384bffb057250046549d-4bc7d6a9b664020e-01","origin":"reporting/12659c8a-568b-49f0-90a9-912dd5edd100/2"}', '\x7339b57a65b65566b855d0b9d7cea650', '2026-11-21 21:51:27.175801+00'),
	(12, 'session-f345ebfe-426c-5ebe-bfca-9d132104ac8b', 1, '810293b2-1a4f-57a6-a19c-32eec57cbf6d', 'SessionCreated', 1, '{"sessionId":"f345ebfe-426c-5ebe-bfca-9d132104ac8b","ownerId":"42b88df0-9b40-53c1-898f-14797a6c2ead","kind":"mirrormate","timeZone":"Europe/Berlin","createdAt":"2026-11-21T21:51:27.293782Z","expiresAt":"2026-11-21T22:51:27.293782Z","contentType":"video/mp4","contentLength":4096}', '{"owner":"42b88df0-9b40-53c1-898f-14797a6c2ead","correlation":"01a20017-c43e-76c0-839a-d938107fd323","actor":"42b88df0-9b40-53c1-898f-14797a6c2ead","traceparent":"00-691b05536b82f74fcd412c36537e6e57-05385409a66807b4-01"}', '\x754d025b1331df46f21be1671f4b122e82068cf57dd14859819e08ea3dafa639', '2026-11-21 21:51:27.296925+00'),
	(13, 'session-f345ebfe-426c-5ebe-bfca-9d132104ac8b', 2, '8fee803b-067a-5ccf-a68e-f3f42f368819', 'SessionAdmitted', 1, '{"sessionId":"f345ebfe-426c-5ebe-bfca-9d132104ac8b","ownerId":"42b88df0-9b40-53c1-898f-14797a6c2ead","kind":"mirrormate"}', '{"owner":"42b88df0-9b40-53c1-898f-14797a6c2ead","correlation":"01a20017-c43e-76c0-839a-d938107fd323","causation":"96b13dd1-099b-585b-9e6e-068049c3e762","actor":"sessions","traceparent":"00-691b05536b82f74fcd412c36537e6e57-05385409a66807b4-01","origin":"quota/d57b72ad-5d05-4830-afac-0e432969a86f/4"}', '\x96b13dd1099b585b9e6e068049c3e762', '2026-11-21 21:51:27.336618+00'),
	(14, 'session-f345ebfe-426c-5ebe-bfca-9d132104ac8b', 3, '025d83a8-7fcb-569d-88db-8cb2285e6438', 'UploadStored', 1, '{"sessionId":"f345ebfe-426c-5ebe-bfca-9d132104ac8b","ownerId":"42b88df0-9b40-53c1-898f-14797a6c2ead","kind":"mirrormate","media":{"key":"uploads/42b88df0-9b40-53c1-898f-14797a6c2ead/f345ebfe-426c-5ebe-bfca-9d132104ac8b/01a20017-c475-7d4f-b643-2004c92ca0e9","sha256":"ad4e7f3d03001c1e109ac50c4b5262b5ea454c43488573ade43ecdcae19df8a9","sizeBytes":4096,"contentType":"video/mp4"}}', '{"owner":"42b88df0-9b40-53c1-898f-14797a6c2ead","correlation":"01a20017-c47b-7c56-9010-2c2348ef6b4d","actor":"42b88df0-9b40-53c1-898f-14797a6c2ead","traceparent":"00-24b12e76e9a12e235a9f3c9c3eda4c39-78d74488e34acc87-01"}', '\x', '2026-11-21 21:51:27.357692+00'),
	(15, 'session-f345ebfe-426c-5ebe-bfca-9d132104ac8b', 4, 'e88b5a14-eea5-53ad-988b-32d5adfc53df', 'UploadFinalized', 1, '{"sessionId":"f345ebfe-426c-5ebe-bfca-9d132104ac8b","ownerId":"42b88df0-9b40-53c1-898f-14797a6c2ead","kind":"mirrormate","media":{"key":"media/42b88df0-9b40-53c1-898f-14797a6c2ead/f345ebfe-426c-5ebe-bfca-9d132104ac8b/5dde807c-d035-5ebc-914a-aeeabef8643d","sha256":"ad4e7f3d03001c1e109ac50c4b5262b5ea454c43488573ade43ecdcae19df8a9","sizeBytes":4096,"contentType":"video/mp4"},"deadline":"2026-11-21T22:06:27.363773Z"}', '{"owner":"42b88df0-9b40-53c1-898f-14797a6c2ead","correlation":"01a20017-c487-7a7a-81f4-9ab472d0f406","actor":"42b88df0-9b40-53c1-898f-14797a6c2ead","traceparent":"00-bd58dc7ff186d6528d8900ab321a4d74-b10bc7e958df94ee-01"}', '\x', '2026-11-21 21:51:27.369106+00'),
	(16, 'session-f345ebfe-426c-5ebe-bfca-9d132104ac8b', 5, 'c51d9e90-ab14-55c6-a612-157f3957f073', 'AnalysisStarted', 1, '{"sessionId":"f345ebfe-426c-5ebe-bfca-9d132104ac8b","ownerId":"42b88df0-9b40-53c1-898f-14797a6c2ead","kind":"mirrormate","attempt":1}', '{"owner":"42b88df0-9b40-53c1-898f-14797a6c2ead","correlation":"01a20017-c487-7a7a-81f4-9ab472d0f406","causation":"d36d33f8-a1bf-569b-92f9-dcbb83806d10","actor":"sessions","traceparent":"00-bd58dc7ff186d6528d8900ab321a4d74-b10bc7e958df94ee-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/10"}', '\xd36d33f8a1bf569b92f9dcbb83806d10', '2026-11-21 21:51:27.411993+00'),
	(17, 'session-f345ebfe-426c-5ebe-bfca-9d132104ac8b', 6, '3664a111-6fc5-5e2d-8649-b33bf9159fd8', 'SessionFailed', 1, '{"sessionId":"f345ebfe-426c-5ebe-bfca-9d132104ac8b","ownerId":"42b88df0-9b40-53c1-898f-14797a6c2ead","kind":"mirrormate","code":"unreadable","retryable":false}', '{"owner":"42b88df0-9b40-53c1-898f-14797a6c2ead","correlation":"01a20017-c487-7a7a-81f4-9ab472d0f406","causation":"401d8328-08df-5baf-998b-e70917cac932","actor":"sessions","traceparent":"00-bd58dc7ff186d6528d8900ab321a4d74-b10bc7e958df94ee-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/12"}', '\x401d832808df5baf998be70917cac932', '2026-11-21 21:51:27.429756+00'),
	(18, 'session-051b44d1-f7e6-5700-ad3e-5a671c3da351', 1, '066ff4aa-932f-538e-bfdb-9056dfa1cc8c', 'SessionCreated', 1, '{"sessionId":"051b44d1-f7e6-5700-ad3e-5a671c3da351","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","kind":"mirrormate","timeZone":"Europe/Berlin","createdAt":"2026-11-21T21:51:27.516835Z","expiresAt":"2026-11-21T22:51:27.516835Z","contentType":"video/mp4","contentLength":4096}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c51d-7cfd-a022-0c31bc6ea453","actor":"ffde2b98-0a39-51b7-ac3d-18f19946d461","traceparent":"00-085be0cdca6f5447e2f3359bf3abe6a7-89fa3713b697f341-01"}', '\x754d025b1331df46f21be1671f4b122e82068cf57dd14859819e08ea3dafa639', '2026-11-21 21:51:27.518758+00'),
	(19, 'session-051b44d1-f7e6-5700-ad3e-5a671c3da351', 2, '80ccbfc2-0c0e-55b5-85ac-d8b987bc17b6', 'SessionAdmitted', 1, '{"sessionId":"051b44d1-f7e6-5700-ad3e-5a671c3da351","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","kind":"mirrormate"}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c51d-7cfd-a022-0c31bc6ea453","causation":"810b2bf5-0acb-5fa4-a8dc-e0305347e9f3","actor":"sessions","traceparent":"00-085be0cdca6f5447e2f3359bf3abe6a7-89fa3713b697f341-01","origin":"quota/d57b72ad-5d05-4830-afac-0e432969a86f/6"}', '\x810b2bf50acb5fa4a8dce0305347e9f3', '2026-11-21 21:51:27.548175+00'),
	(20, 'session-051b44d1-f7e6-5700-ad3e-5a671c3da351', 3, '924af851-e827-5041-8764-2620e7b275dc', 'UploadStored', 1, '{"sessionId":"051b44d1-f7e6-5700-ad3e-5a671c3da351","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","kind":"mirrormate","media":{"key":"uploads/ffde2b98-0a39-51b7-ac3d-18f19946d461/051b44d1-f7e6-5700-ad3e-5a671c3da351/01a20017-c546-77be-86b8-6513e0bd2098","sha256":"5f7a25fdc4d2f0431f600038ed7836637d611f284d50ed2ffd723625a2be3aa8","sizeBytes":4096,"contentType":"video/mp4"}}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c54a-71d2-8be0-9cfddf488467","actor":"ffde2b98-0a39-51b7-ac3d-18f19946d461","traceparent":"00-b936a6d4c1103cb81ee5312645c2e0e6-c49da2d71b4215ee-01"}', '\x', '2026-11-21 21:51:27.563157+00'),
	(21, 'session-051b44d1-f7e6-5700-ad3e-5a671c3da351', 4, 'e3a47d07-ab8e-561b-9c8b-b0c61a823ad0', 'UploadFinalized', 1, '{"sessionId":"051b44d1-f7e6-5700-ad3e-5a671c3da351","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","kind":"mirrormate","media":{"key":"media/ffde2b98-0a39-51b7-ac3d-18f19946d461/051b44d1-f7e6-5700-ad3e-5a671c3da351/be3adf5a-ee6f-5029-a5b4-32af3d21f210","sha256":"5f7a25fdc4d2f0431f600038ed7836637d611f284d50ed2ffd723625a2be3aa8","sizeBytes":4096,"contentType":"video/mp4"},"deadline":"2026-11-21T22:06:27.567841Z"}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c553-777c-8b1d-382cf272e35e","actor":"ffde2b98-0a39-51b7-ac3d-18f19946d461","traceparent":"00-8022957833a111bbb4ef87ed716cdae2-7d8fcec8705ec3f7-01"}', '\x', '2026-11-21 21:51:27.572392+00'),
	(22, 'session-051b44d1-f7e6-5700-ad3e-5a671c3da351', 5, '7acf112e-7270-5829-bbb4-ff74d9936bbe', 'AnalysisStarted', 1, '{"sessionId":"051b44d1-f7e6-5700-ad3e-5a671c3da351","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","kind":"mirrormate","attempt":1}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c553-777c-8b1d-382cf272e35e","causation":"113c9749-21c0-5940-add7-d6b0e3b8b4d0","actor":"sessions","traceparent":"00-8022957833a111bbb4ef87ed716cdae2-7d8fcec8705ec3f7-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/14"}', '\x113c974921c05940add7d6b0e3b8b4d0', '2026-11-21 21:51:27.602564+00'),
	(23, 'session-051b44d1-f7e6-5700-ad3e-5a671c3da351', 6, 'ff59038f-b2bb-5dfe-a7d7-d46f5eb21baf', 'AnalysisProgressed', 1, '{"sessionId":"051b44d1-f7e6-5700-ad3e-5a671c3da351","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","kind":"mirrormate","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c553-777c-8b1d-382cf272e35e","causation":"d4a99c10-4503-5d47-86a9-ce5341e4246e","actor":"sessions","traceparent":"00-8022957833a111bbb4ef87ed716cdae2-7d8fcec8705ec3f7-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/15"}', '\xd4a99c1045035d4786a9ce5341e4246e', '2026-11-21 21:51:27.619645+00'),
	(24, 'session-051b44d1-f7e6-5700-ad3e-5a671c3da351', 7, '3a12763b-6b71-5a9c-9881-e78f40c86dc4', 'AnalysisProgressed', 1, '{"sessionId":"051b44d1-f7e6-5700-ad3e-5a671c3da351","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","kind":"mirrormate","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c553-777c-8b1d-382cf272e35e","causation":"a5185d5e-8e70-56da-9512-9d09c4584568","actor":"sessions","traceparent":"00-8022957833a111bbb4ef87ed716cdae2-7d8fcec8705ec3f7-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/16"}', '\xa5185d5e8e7056da95129d09c4584568', '2026-11-21 21:51:27.671233+00'),
	(25, 'session-051b44d1-f7e6-5700-ad3e-5a671c3da351', 8, 'a5456ddd-bdb1-5f29-ae60-588dfee6b49b', 'AnalysisProgressed', 1, '{"sessionId":"051b44d1-f7e6-5700-ad3e-5a671c3da351","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","kind":"mirrormate","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c553-777c-8b1d-382cf272e35e","causation":"094bef31-e73f-5c02-9979-ac8c4e167869","actor":"sessions","traceparent":"00-8022957833a111bbb4ef87ed716cdae2-7d8fcec8705ec3f7-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/17"}', '\x094bef31e73f5c029979ac8c4e167869', '2026-11-21 21:51:27.731725+00'),
	(26, 'session-051b44d1-f7e6-5700-ad3e-5a671c3da351', 9, '627f8bc3-b1bf-5319-979b-2114eaf57a7f', 'AnalysisProgressed', 1, '{"sessionId":"051b44d1-f7e6-5700-ad3e-5a671c3da351","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","kind":"mirrormate","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c553-777c-8b1d-382cf272e35e","causation":"6a7f37a9-bfd2-5cb6-8275-3c195dcc54be","actor":"sessions","traceparent":"00-8022957833a111bbb4ef87ed716cdae2-7d8fcec8705ec3f7-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/18"}', '\x6a7f37a9bfd25cb682753c195dcc54be', '2026-11-21 21:51:27.835043+00'),
	(27, 'session-051b44d1-f7e6-5700-ad3e-5a671c3da351', 10, '48420741-c932-59eb-b175-f5620c18ea06', 'SessionCompleted', 1, '{"sessionId":"051b44d1-f7e6-5700-ad3e-5a671c3da351","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","kind":"mirrormate","reportId":"59c2ae81-46f8-5703-9b6f-6b60878cfe23"}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c553-777c-8b1d-382cf272e35e","causation":"72b11264-1d2a-5209-8038-d6129dabb86f","actor":"sessions","traceparent":"00-8022957833a111bbb4ef87ed716cdae2-7d8fcec8705ec3f7-01","origin":"reporting/12659c8a-568b-49f0-90a9-912dd5edd100/4"}', '\x72b112641d2a52098038d6129dabb86f', '2026-11-21 21:51:27.959994+00'),
	(28, 'session-275f4a5c-3008-5f61-bfae-af6f0a00d01f', 1, 'd3df0053-2aeb-5e80-80cf-9f436654d580', 'SessionCreated', 1, '{"sessionId":"275f4a5c-3008-5f61-bfae-af6f0a00d01f","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","kind":"mirrormate","timeZone":"Europe/Berlin","createdAt":"2026-11-21T21:51:27.965198Z","expiresAt":"2026-11-21T22:51:27.965198Z","contentType":"video/mp4","contentLength":4096}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c6dd-7ee9-8f79-8d18c72a58a9","actor":"ffde2b98-0a39-51b7-ac3d-18f19946d461","traceparent":"00-2948e3587c4f0b635f3a1e3de6ed638c-b9cbff76645df881-01"}', '\x754d025b1331df46f21be1671f4b122e82068cf57dd14859819e08ea3dafa639', '2026-11-21 21:51:27.966962+00'),
	(29, 'session-275f4a5c-3008-5f61-bfae-af6f0a00d01f', 2, 'ca36d9ee-d2e2-5ece-a9b7-ba28f9441b55', 'SessionRefused', 1, '{"sessionId":"275f4a5c-3008-5f61-bfae-af6f0a00d01f","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","kind":"mirrormate","code":"quota-exceeded","resetsAt":"2026-11-21T23:00:00.000000Z"}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c6dd-7ee9-8f79-8d18c72a58a9","causation":"661b4ff6-dfc5-5795-b765-88db65e76a8c","actor":"sessions","traceparent":"00-2948e3587c4f0b635f3a1e3de6ed638c-b9cbff76645df881-01","origin":"quota/d57b72ad-5d05-4830-afac-0e432969a86f/8"}', '\x661b4ff6dfc55795b76588db65e76a8c', '2026-11-21 21:51:28.020141+00'),
	(30, 'session-6054a724-79a0-5052-9b56-1a1758a28bcf', 1, 'ea9ea548-8ddd-544e-a69f-5d869fa53535', 'SessionCreated', 1, '{"sessionId":"6054a724-79a0-5052-9b56-1a1758a28bcf","ownerId":"3add8261-20c4-5992-917c-9341a527d64f","kind":"mirrormate","timeZone":"Europe/Berlin","createdAt":"2026-11-21T21:51:28.187815Z","expiresAt":"2026-11-21T22:51:28.187815Z","contentType":"video/mp4","contentLength":4096}', '{"owner":"3add8261-20c4-5992-917c-9341a527d64f","correlation":"01a20017-c7bd-7947-91c4-c99dd06c7e31","actor":"3add8261-20c4-5992-917c-9341a527d64f","traceparent":"00-15a0e2fca4f4a85a55c1fa0d57c428c2-dae174ba630d09fd-01"}', '\x754d025b1331df46f21be1671f4b122e82068cf57dd14859819e08ea3dafa639', '2026-11-21 21:51:28.191132+00'),
	(31, 'session-6054a724-79a0-5052-9b56-1a1758a28bcf', 2, '6bfe26af-266e-5b92-a917-d093f0396264', 'SessionAdmitted', 1, '{"sessionId":"6054a724-79a0-5052-9b56-1a1758a28bcf","ownerId":"3add8261-20c4-5992-917c-9341a527d64f","kind":"mirrormate"}', '{"owner":"3add8261-20c4-5992-917c-9341a527d64f","correlation":"01a20017-c7bd-7947-91c4-c99dd06c7e31","causation":"55aacbde-8e47-5374-b4e7-1cf21f3b8fe1","actor":"sessions","traceparent":"00-15a0e2fca4f4a85a55c1fa0d57c428c2-dae174ba630d09fd-01","origin":"quota/d57b72ad-5d05-4830-afac-0e432969a86f/11"}', '\x55aacbde8e475374b4e71cf21f3b8fe1', '2026-11-21 21:51:28.22534+00'),
	(32, 'session-6054a724-79a0-5052-9b56-1a1758a28bcf', 3, '21874701-75d4-5b21-9fd1-7977de5ec5aa', 'SessionCancelled', 1, '{"sessionId":"6054a724-79a0-5052-9b56-1a1758a28bcf","ownerId":"3add8261-20c4-5992-917c-9341a527d64f","kind":"mirrormate","analysisStarted":false}', '{"owner":"3add8261-20c4-5992-917c-9341a527d64f","correlation":"01a20017-c7e6-7726-909c-8c1685cb309d","actor":"3add8261-20c4-5992-917c-9341a527d64f","traceparent":"00-96761efd46dbebdde83daacbf1b71a2c-86b081b831107ff1-01"}', '\x', '2026-11-21 21:51:28.231658+00'),
	(33, 'session-2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 1, 'cd627692-7de5-50bc-99b9-5740191588d7', 'SessionCreated', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","kind":"mirrormate","timeZone":"Europe/Berlin","createdAt":"2026-11-21T21:51:28.334323Z","expiresAt":"2026-11-21T22:51:28.334323Z","contentType":"video/mp4","contentLength":4096}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c851-7a8f-b3b6-0a695c875a1f","actor":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","traceparent":"00-048317351676f11eabb33a0826afea82-bd890dfabce5d970-01"}', '\x754d025b1331df46f21be1671f4b122e82068cf57dd14859819e08ea3dafa639', '2026-11-21 21:51:28.338807+00'),
	(34, 'session-2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 2, '41771866-1511-5ef7-95b1-abfef2cdc0bd', 'SessionAdmitted', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","kind":"mirrormate"}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c851-7a8f-b3b6-0a695c875a1f","causation":"1c032959-ab3f-512d-bd48-5f5a8ff6d0be","actor":"sessions","traceparent":"00-048317351676f11eabb33a0826afea82-bd890dfabce5d970-01","origin":"quota/d57b72ad-5d05-4830-afac-0e432969a86f/13"}', '\x1c032959ab3f512dbd485f5a8ff6d0be', '2026-11-21 21:51:28.37603+00'),
	(35, 'session-2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 3, '6ff75f33-8441-5e48-9a26-e015beac9b22', 'UploadStored', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","kind":"mirrormate","media":{"key":"uploads/fd783f21-4d67-5dff-ab61-83d2fa0eab82/2192cbf4-783e-50e6-9b5a-d08d2eb3bb38/01a20017-c884-782d-bf70-6c3e53440c9e","sha256":"38bfe97294003e15881cd10b490911ac7a837c642b6fa9850fb7b593d2d08aba","sizeBytes":4096,"contentType":"video/mp4"}}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c88a-7eb8-943e-89d6393589f7","actor":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","traceparent":"00-99be77ab6e030d94b04e9e07a1df3a1f-35a1b9f4efafa79a-01"}', '\x', '2026-11-21 21:51:28.396284+00'),
	(36, 'session-2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 4, 'c8ec9f9a-548f-5be2-b24d-9bdefd238e13', 'UploadFinalized', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","kind":"mirrormate","media":{"key":"media/fd783f21-4d67-5dff-ab61-83d2fa0eab82/2192cbf4-783e-50e6-9b5a-d08d2eb3bb38/1c203777-943c-5441-83c3-1d13198b138d","sha256":"38bfe97294003e15881cd10b490911ac7a837c642b6fa9850fb7b593d2d08aba","sizeBytes":4096,"contentType":"video/mp4"},"deadline":"2026-11-21T22:06:28.401065Z"}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c896-7116-83ad-75b5e5f7b6bf","actor":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","traceparent":"00-d0eb8bdea1e1c48687bad82d055e8d12-a3cf5933d6dfb04c-01"}', '\x', '2026-11-21 21:51:28.40726+00'),
	(37, 'session-2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 5, '9ecac461-e712-5adc-b79e-c6abdae7cd76', 'AnalysisStarted', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","kind":"mirrormate","attempt":1}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c896-7116-83ad-75b5e5f7b6bf","causation":"4798abca-391b-51a1-b0ae-554d701c8092","actor":"sessions","traceparent":"00-d0eb8bdea1e1c48687bad82d055e8d12-a3cf5933d6dfb04c-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/22"}', '\x4798abca391b51a1b0ae554d701c8092', '2026-11-21 21:51:28.445423+00'),
	(38, 'session-2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 6, 'acf02518-85ce-5658-bdad-b3c3b8161599', 'AnalysisProgressed', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","kind":"mirrormate","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c896-7116-83ad-75b5e5f7b6bf","causation":"f84116b4-c1f4-5e94-bbd4-721c97b18be3","actor":"sessions","traceparent":"00-d0eb8bdea1e1c48687bad82d055e8d12-a3cf5933d6dfb04c-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/23"}', '\xf84116b4c1f45e94bbd4721c97b18be3', '2026-11-21 21:51:28.470092+00'),
	(39, 'session-2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 7, '4b956d90-2fe7-5636-a8a5-615b4372528d', 'AnalysisProgressed', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","kind":"mirrormate","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c896-7116-83ad-75b5e5f7b6bf","causation":"9fdd7752-844f-5fe7-b20c-a59169dbd78d","actor":"sessions","traceparent":"00-d0eb8bdea1e1c48687bad82d055e8d12-a3cf5933d6dfb04c-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/24"}', '\x9fdd7752844f5fe7b20ca59169dbd78d', '2026-11-21 21:51:28.523032+00'),
	(40, 'session-2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 8, '871a5fe5-1e62-5c64-b249-283c33f369a7', 'AnalysisProgressed', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","kind":"mirrormate","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c896-7116-83ad-75b5e5f7b6bf","causation":"b3da348b-f15e-5cef-a0ee-43d679408585","actor":"sessions","traceparent":"00-d0eb8bdea1e1c48687bad82d055e8d12-a3cf5933d6dfb04c-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/25"}', '\xb3da348bf15e5cefa0ee43d679408585', '2026-11-21 21:51:28.573314+00'),
	(41, 'session-2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 9, '1912d6fc-74f5-5363-8abd-5c03b0956ab8', 'AnalysisProgressed', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","kind":"mirrormate","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c896-7116-83ad-75b5e5f7b6bf","causation":"674e87f3-9823-5c17-98a2-4c18b0866039","actor":"sessions","traceparent":"00-d0eb8bdea1e1c48687bad82d055e8d12-a3cf5933d6dfb04c-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/26"}', '\x674e87f398235c1798a24c18b0866039', '2026-11-21 21:51:28.67253+00'),
	(42, 'session-2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 10, '83d7b73c-c200-55cf-8456-6baae8849600', 'SessionCompleted', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","kind":"mirrormate","reportId":"d09a045d-b5c4-5ffc-adb5-e98235d77fd0"}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c896-7116-83ad-75b5e5f7b6bf","causation":"1186eeec-bfe9-5a26-a84c-587aa6d41066","actor":"sessions","traceparent":"00-d0eb8bdea1e1c48687bad82d055e8d12-a3cf5933d6dfb04c-01","origin":"reporting/12659c8a-568b-49f0-90a9-912dd5edd100/6"}', '\x1186eeecbfe95a26a84c587aa6d41066', '2026-11-21 21:51:28.810571+00'),
	(43, 'session-2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 11, '2d0096e7-5a7f-5f28-b788-d9d326dbd873', 'SessionDeleted', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","kind":"mirrormate","wasComplete":true}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-ca2f-7828-9c51-72c9295287b1","actor":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","traceparent":"00-fff2427c2a4fe44784fe722787faf2a7-3a07c25a755bdf1e-01"}', '\x', '2026-11-21 21:51:28.81691+00'),
	(44, 'session-58fe6121-7273-5e69-a30e-3a5f8e97b31f', 1, 'acab90fd-7a6b-5cc6-8ed2-d377178481a6', 'SessionCreated', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","kind":"mirrormate","timeZone":"Europe/Berlin","createdAt":"2026-11-21T21:51:28.919726Z","expiresAt":"2026-11-21T22:51:28.919726Z","contentType":"video/mp4","contentLength":4096}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-ca99-7fc6-8cf5-423dc63b5691","actor":"6e144c54-6352-537b-a7a5-64a7c8d05a75","traceparent":"00-f0820349a9905a5a6987409e582e6cd2-8935f649a5e3a340-01"}', '\x754d025b1331df46f21be1671f4b122e82068cf57dd14859819e08ea3dafa639', '2026-11-21 21:51:28.922869+00'),
	(45, 'session-58fe6121-7273-5e69-a30e-3a5f8e97b31f', 2, '898d4374-1257-58af-b601-cc8c9fbdb65b', 'SessionAdmitted', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","kind":"mirrormate"}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-ca99-7fc6-8cf5-423dc63b5691","causation":"2c4573a4-5962-5f97-b607-f218239c2f8e","actor":"sessions","traceparent":"00-f0820349a9905a5a6987409e582e6cd2-8935f649a5e3a340-01","origin":"quota/d57b72ad-5d05-4830-afac-0e432969a86f/15"}', '\x2c4573a459625f97b607f218239c2f8e', '2026-11-21 21:51:28.94275+00'),
	(46, 'session-58fe6121-7273-5e69-a30e-3a5f8e97b31f', 3, '8869901e-50c0-5d24-9585-38dd12190105', 'UploadStored', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","kind":"mirrormate","media":{"key":"uploads/6e144c54-6352-537b-a7a5-64a7c8d05a75/58fe6121-7273-5e69-a30e-3a5f8e97b31f/01a20017-cab7-7a00-8f7f-77549ba2cc17","sha256":"8890b6f414f2ea0e7274e3735618d8a863ed6ceef0f02ce44c211beaffbacea8","sizeBytes":4096,"contentType":"video/mp4"}}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cabb-7395-b854-1a224d4e62b7","actor":"6e144c54-6352-537b-a7a5-64a7c8d05a75","traceparent":"00-e4699f8f78e4577678b3a54d68065413-abae2a61125a68ba-01"}', '\x', '2026-11-21 21:51:28.956021+00'),
	(47, 'session-58fe6121-7273-5e69-a30e-3a5f8e97b31f', 4, '77e4ba3c-c39c-5bb5-9fd2-7cd83addddde', 'UploadFinalized', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","kind":"mirrormate","media":{"key":"media/6e144c54-6352-537b-a7a5-64a7c8d05a75/58fe6121-7273-5e69-a30e-3a5f8e97b31f/893b2b9e-1fd0-51df-9b01-25bb88448036","sha256":"8890b6f414f2ea0e7274e3735618d8a863ed6ceef0f02ce44c211beaffbacea8","sizeBytes":4096,"contentType":"video/mp4"},"deadline":"2026-11-21T22:06:28.959253Z"}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cac2-75be-b2a1-a9b13c1c185e","actor":"6e144c54-6352-537b-a7a5-64a7c8d05a75","traceparent":"00-b97a5edd962c59add5aaf5eb9bd95dab-5792d558979fe475-01"}', '\x', '2026-11-21 21:51:28.96338+00'),
	(48, 'session-58fe6121-7273-5e69-a30e-3a5f8e97b31f', 5, '88af23a4-515c-5dca-b7fe-991062388ac1', 'AnalysisStarted', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","kind":"mirrormate","attempt":1}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cac2-75be-b2a1-a9b13c1c185e","causation":"efc830f9-fbbb-5478-8c7d-663fd91a0a89","actor":"sessions","traceparent":"00-b97a5edd962c59add5aaf5eb9bd95dab-5792d558979fe475-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/30"}', '\xefc830f9fbbb54788c7d663fd91a0a89', '2026-11-21 21:51:29.003759+00'),
	(49, 'session-58fe6121-7273-5e69-a30e-3a5f8e97b31f', 6, '1a831a86-e622-5f24-a174-eb61da2a6ce2', 'AnalysisProgressed', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","kind":"mirrormate","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cac2-75be-b2a1-a9b13c1c185e","causation":"4d379cd0-4534-5403-86b8-dffcef083351","actor":"sessions","traceparent":"00-b97a5edd962c59add5aaf5eb9bd95dab-5792d558979fe475-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/31"}', '\x4d379cd04534540386b8dffcef083351', '2026-11-21 21:51:29.011461+00'),
	(50, 'session-58fe6121-7273-5e69-a30e-3a5f8e97b31f', 7, 'd727dfcc-e747-574a-813d-117d3c8bfa0e', 'AnalysisProgressed', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","kind":"mirrormate","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cac2-75be-b2a1-a9b13c1c185e","causation":"4069354c-e05d-5656-8ea5-89373bd42b44","actor":"sessions","traceparent":"00-b97a5edd962c59add5aaf5eb9bd95dab-5792d558979fe475-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/32"}', '\x4069354ce05d56568ea589373bd42b44', '2026-11-21 21:51:29.060874+00'),
	(51, 'session-58fe6121-7273-5e69-a30e-3a5f8e97b31f', 8, '876a1ae1-2a22-55d7-bfad-ba8142f58556', 'AnalysisProgressed', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","kind":"mirrormate","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cac2-75be-b2a1-a9b13c1c185e","causation":"f2775a87-cfa4-5581-b9ed-36d9646ea169","actor":"sessions","traceparent":"00-b97a5edd962c59add5aaf5eb9bd95dab-5792d558979fe475-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/33"}', '\xf2775a87cfa45581b9ed36d9646ea169', '2026-11-21 21:51:29.111178+00'),
	(52, 'session-58fe6121-7273-5e69-a30e-3a5f8e97b31f', 9, 'bbf63bd7-b652-5cd4-92e7-c2cb9f6ea4e3', 'AnalysisProgressed', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","kind":"mirrormate","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cac2-75be-b2a1-a9b13c1c185e","causation":"8c4ea2f4-b46d-5fde-8dab-e8041103c121","actor":"sessions","traceparent":"00-b97a5edd962c59add5aaf5eb9bd95dab-5792d558979fe475-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/34"}', '\x8c4ea2f4b46d5fde8dabe8041103c121', '2026-11-21 21:51:29.215117+00'),
	(53, 'session-58fe6121-7273-5e69-a30e-3a5f8e97b31f', 10, '84988429-b26d-56ff-98a3-56f54194816e', 'SessionCompleted', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","kind":"mirrormate","reportId":"b80f2004-f6dc-53b4-a54a-3226ba80f0a6"}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cac2-75be-b2a1-a9b13c1c185e","causation":"daa1a13e-32f4-5d23-84e7-a65079ce1799","actor":"sessions","traceparent":"00-b97a5edd962c59add5aaf5eb9bd95dab-5792d558979fe475-01","origin":"reporting/12659c8a-568b-49f0-90a9-912dd5edd100/8"}', '\xdaa1a13e32f45d2384e7a65079ce1799', '2026-11-21 21:51:29.350972+00'),
	(54, 'session-58fe6121-7273-5e69-a30e-3a5f8e97b31f', 11, 'a3da25f6-14dc-5075-a898-7b58aa4bfa83', 'SessionErased', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","kind":"mirrormate"}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cc4c-7feb-ae8b-f7de54d2a33a","causation":"3c87a832-a542-58c1-b428-4e1a904dac5e","actor":"sessions","traceparent":"00-cfead89cd328f1c5353cb0ff230d7139-1adffb977bc37108-01","origin":"identity/b48e3326-9fdb-4e7a-87d2-a583316e8b08/15"}', '\x7909e0681514598b87b96d85081ed8c2', '2026-11-21 21:51:29.402633+00'),
	(55, 'subject-6e144c54-6352-537b-a7a5-64a7c8d05a75', 1, '61d461bb-c543-5a38-86ef-1b0eb43ad260', 'SubjectErased', 1, '{"subjectId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","removed":{"rows":1,"objects":2}}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cc4c-7feb-ae8b-f7de54d2a33a","causation":"3c87a832-a542-58c1-b428-4e1a904dac5e","actor":"sessions","traceparent":"00-cfead89cd328f1c5353cb0ff230d7139-1adffb977bc37108-01","origin":"identity/b48e3326-9fdb-4e7a-87d2-a583316e8b08/15"}', '\x3c87a832a54258c1b4284e1a904dac5e', '2026-11-21 21:51:29.41366+00'),
	(56, 'key-c4b55136-6343-54f3-828c-976a11212ce1', 1, 'a9de59ed-009a-51eb-9cc7-7def4f8b8dd7', 'SigningKeyLearned', 1, '{"kid":"b6ad323b-6f79-42f1-8b08-feed3d9d9379","x":"6RLGY-G6s48hqn7pWWvlvqBEtNpyhqXEhmSfXm6KFpQ","y":"xxEnn1qOvmlDr4iuHgFLj0wiMEDR1HdFtVd8wAo4WCU","notBefore":"2026-11-21T21:56:29.514073Z","expiresAt":"2026-12-21T21:56:29.514073Z"}', '{"correlation":"01a20017-ccee-747a-ba8e-f57a15f3c517","causation":"0f47627a-cfdb-5cd4-b701-5367ae883eb0","actor":"sessions","origin":"identity/b48e3326-9fdb-4e7a-87d2-a583316e8b08/21"}', '\x0f47627acfdb5cd4b7015367ae883eb0', '2026-11-21 21:51:29.570804+00');

INSERT INTO sessions.head VALUES
	(true, '2f136da2-0b3a-4ca8-8e31-507afe9e366b', NULL);

INSERT INTO sessions.incarnations VALUES
	('2f136da2-0b3a-4ca8-8e31-507afe9e366b', NULL, 0, '2026-11-21 21:51:24.486766+00');

INSERT INTO sessions.migrations VALUES
	('defaults', 'bbbc80e2f22d6c70', '2026-11-21 21:51:24.451461+00'),
	('scope', 'c7d456e957fc1364', '2026-11-21 21:51:24.45669+00'),
	('head', 'e72b49b65dda4c45', '2026-11-21 21:51:24.489847+00'),
	('events', 'bbfd42eb9788a7bd', '2026-11-21 21:51:24.517742+00'),
	('events_immutable', 'e01cf0229e7fd418', '2026-11-21 21:51:24.520724+00'),
	('erased_subjects', '2146bc0c2be40d91', '2026-11-21 21:51:24.535974+00'),
	('append_batch', '9f09a3219dbfffd4', '2026-11-21 21:51:24.543335+00'),
	('privileges', 'fdd9b5951144bb48', '2026-11-21 21:51:24.544674+00'),
	('relay', '1682739c19a064b0', '2026-11-21 21:51:24.561062+00'),
	('incarnation', '7e74a231e02a5b5a', '2026-11-21 21:51:24.569659+00'),
	('consumer_partitions', '48f1e25c7fe5bb7f', '2026-11-21 21:51:24.584956+00'),
	('parked_messages', '7e23a009eb467817', '2026-11-21 21:51:24.614969+00'),
	('projections', 'b60500a61b2cbb97', '2026-11-21 21:51:24.626049+00'),
	('rebuilds', '559cf9ed68b2b3bf', '2026-11-21 21:51:24.643561+00'),
	('rename_read_model', '86e564ba8b91283d', '2026-11-21 21:51:24.6467+00'),
	('begin_rebuild', 'c8cae99280351953', '2026-11-21 21:51:24.652257+00'),
	('complete_rebuild', '121993744112cac9', '2026-11-21 21:51:24.655984+00'),
	('switch_rebuild', 'f03d670e1faaf5bd', '2026-11-21 21:51:24.659274+00'),
	('undo_rebuild', '841c4c38c900d773', '2026-11-21 21:51:24.660669+00'),
	('drop_rebuild', 'cf1b4d618e545b4f', '2026-11-21 21:51:24.669542+00'),
	('abandon_rebuild', 'dd545db82ffecf67', '2026-11-21 21:51:24.673382+00'),
	('request_key', 'eb88c0ad3dfad762', '2026-11-21 21:51:24.687879+00'),
	('signing_keys', 'cf99a50835fd752', '2026-11-21 21:51:24.710953+00'),
	('object_intents', '299a9fee0e13f609', '2026-11-21 21:51:24.726698+00'),
	('object_sweep', '1684e7c2309b09b2', '2026-11-21 21:51:24.728808+00'),
	('reader', '2a6dba18899e3b07', '2026-11-21 21:51:24.731023+00'),
	('session_list', 'b49557a1e9711c1b', '2026-11-21 21:51:24.762958+00'),
	('overdue_sessions', '4a7dadfc5df05081', '2026-11-21 21:51:24.766229+00'),
	('session_objects', 'd30d0dda40667885', '2026-11-21 21:51:24.767664+00');

INSERT INTO sessions.object_intents VALUES
	('media/b5ea4545-d224-5d3e-9c87-7905d7303a18/7fa04ff6-f9b9-527e-aa12-2e2bf6470c30/1ca4ff1c-bf0a-5c2b-8cc9-832f22678788', 'b5ea4545-d224-5d3e-9c87-7905d7303a18', 'session 7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', NULL, true),
	('uploads/b5ea4545-d224-5d3e-9c87-7905d7303a18/7fa04ff6-f9b9-527e-aa12-2e2bf6470c30/01a20017-c1b0-78b8-8ebd-d8b30e7d6e86', 'b5ea4545-d224-5d3e-9c87-7905d7303a18', 'session 7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', NULL, true),
	('media/42b88df0-9b40-53c1-898f-14797a6c2ead/f345ebfe-426c-5ebe-bfca-9d132104ac8b/5dde807c-d035-5ebc-914a-aeeabef8643d', '42b88df0-9b40-53c1-898f-14797a6c2ead', 'session f345ebfe-426c-5ebe-bfca-9d132104ac8b', NULL, true),
	('uploads/42b88df0-9b40-53c1-898f-14797a6c2ead/f345ebfe-426c-5ebe-bfca-9d132104ac8b/01a20017-c475-7d4f-b643-2004c92ca0e9', '42b88df0-9b40-53c1-898f-14797a6c2ead', 'session f345ebfe-426c-5ebe-bfca-9d132104ac8b', NULL, true),
	('media/ffde2b98-0a39-51b7-ac3d-18f19946d461/051b44d1-f7e6-5700-ad3e-5a671c3da351/be3adf5a-ee6f-5029-a5b4-32af3d21f210', 'ffde2b98-0a39-51b7-ac3d-18f19946d461', 'session 051b44d1-f7e6-5700-ad3e-5a671c3da351', NULL, true),
	('uploads/ffde2b98-0a39-51b7-ac3d-18f19946d461/051b44d1-f7e6-5700-ad3e-5a671c3da351/01a20017-c546-77be-86b8-6513e0bd2098', 'ffde2b98-0a39-51b7-ac3d-18f19946d461', 'session 051b44d1-f7e6-5700-ad3e-5a671c3da351', NULL, true),
	('media/fd783f21-4d67-5dff-ab61-83d2fa0eab82/2192cbf4-783e-50e6-9b5a-d08d2eb3bb38/1c203777-943c-5441-83c3-1d13198b138d', 'fd783f21-4d67-5dff-ab61-83d2fa0eab82', 'session 2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', NULL, true),
	('uploads/fd783f21-4d67-5dff-ab61-83d2fa0eab82/2192cbf4-783e-50e6-9b5a-d08d2eb3bb38/01a20017-c884-782d-bf70-6c3e53440c9e', 'fd783f21-4d67-5dff-ab61-83d2fa0eab82', 'session 2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', NULL, true);

INSERT INTO sessions.projections VALUES
	('session_list', 56);

INSERT INTO sessions.relay VALUES
	(true, 1, '01a20017-bc0e-7bfb-af21-7b2dbb4fbb2b', '2026-11-21 21:51:35.584487+00', 56, NULL);

INSERT INTO sessions.relay_partitions VALUES
	(0, -1, 0, 0),
	(1, -1, 0, 0),
	(2, 2, 32, 1),
	(3, -1, 0, 0),
	(4, 3, 11, 1),
	(5, 4, 55, 1),
	(6, 4, 43, 1),
	(7, 7, 28, 1);

INSERT INTO sessions.request_key VALUES
	(true, '\x7214e539322042c2be078dcb7a021cf03d6b6c6d21ee4fa8848e3b5a05f860e5');

INSERT INTO sessions.session_list VALUES
	('7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 'b5ea4545-d224-5d3e-9c87-7905d7303a18', 'mirrormate', 'complete', 100, '2026-11-21 21:51:26.555178+00', '2026-11-21 21:51:27.175801+00', '2026-11-21 22:51:26.555178+00', '2026-11-21 22:06:26.652787+00', 'ce0054f1-9d32-5841-82fc-6cb56a23b5da', NULL, NULL, NULL),
	('f345ebfe-426c-5ebe-bfca-9d132104ac8b', '42b88df0-9b40-53c1-898f-14797a6c2ead', 'mirrormate', 'error', 10, '2026-11-21 21:51:27.293782+00', '2026-11-21 21:51:27.429756+00', '2026-11-21 22:51:27.293782+00', '2026-11-21 22:06:27.363773+00', NULL, 'unreadable', false, NULL),
	('051b44d1-f7e6-5700-ad3e-5a671c3da351', 'ffde2b98-0a39-51b7-ac3d-18f19946d461', 'mirrormate', 'complete', 100, '2026-11-21 21:51:27.516835+00', '2026-11-21 21:51:27.959994+00', '2026-11-21 22:51:27.516835+00', '2026-11-21 22:06:27.567841+00', '59c2ae81-46f8-5703-9b6f-6b60878cfe23', NULL, NULL, NULL),
	('275f4a5c-3008-5f61-bfae-af6f0a00d01f', 'ffde2b98-0a39-51b7-ac3d-18f19946d461', 'mirrormate', 'refused', 0, '2026-11-21 21:51:27.965198+00', '2026-11-21 21:51:28.020141+00', '2026-11-21 22:51:27.965198+00', NULL, NULL, NULL, NULL, '{"code":"quota-exceeded","resetsAt":"2026-11-21T23:00:00.000000Z"}'),
	('6054a724-79a0-5052-9b56-1a1758a28bcf', '3add8261-20c4-5992-917c-9341a527d64f', 'mirrormate', 'cancelled', 0, '2026-11-21 21:51:28.187815+00', '2026-11-21 21:51:28.231658+00', '2026-11-21 22:51:28.187815+00', NULL, NULL, NULL, NULL, NULL);

INSERT INTO sessions.signing_keys VALUES
	('978cf6f9-1116-4f0f-ad98-c58040a49f04', 'C-lhg3em3brJ_JDnie43Gr-tp3D6aSkH38cHrt0DaqE', 'WEE_UYX86gcqqFXLhjaoAcsKRNWZk6eyvGXIo_InGfc', '2026-11-21 21:51:25.138229+00', '2026-12-21 21:51:25.138229+00', NULL),
	('b6ad323b-6f79-42f1-8b08-feed3d9d9379', '6RLGY-G6s48hqn7pWWvlvqBEtNpyhqXEhmSfXm6KFpQ', 'xxEnn1qOvmlDr4iuHgFLj0wiMEDR1HdFtVd8wAo4WCU', '2026-11-21 21:56:29.514073+00', '2026-12-21 21:56:29.514073+00', NULL);

SELECT pg_catalog.setval('sessions.parked_messages_id_seq', 1, false);

SELECT pg_catalog.setval('sessions.rebuilds_id_seq', 1, false);

ALTER TABLE ONLY sessions.consumer_partitions
    ADD CONSTRAINT consumer_partitions_pkey PRIMARY KEY (topic, partition);

ALTER TABLE ONLY sessions.cut_incarnations
    ADD CONSTRAINT cut_incarnations_pkey PRIMARY KEY (incarnation);

ALTER TABLE ONLY sessions.erased_subjects
    ADD CONSTRAINT erased_subjects_pkey PRIMARY KEY (subject);

ALTER TABLE ONLY sessions.events
    ADD CONSTRAINT events_id_key UNIQUE (id);

ALTER TABLE ONLY sessions.events
    ADD CONSTRAINT events_pkey PRIMARY KEY ("position");

ALTER TABLE ONLY sessions.events
    ADD CONSTRAINT events_stream_version_key UNIQUE (stream, version);

ALTER TABLE ONLY sessions.head
    ADD CONSTRAINT head_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY sessions.incarnations
    ADD CONSTRAINT incarnations_pkey PRIMARY KEY (incarnation);

ALTER TABLE ONLY sessions.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (name);

ALTER TABLE ONLY sessions.object_intents
    ADD CONSTRAINT object_intents_pkey PRIMARY KEY (object_key);

ALTER TABLE ONLY sessions.parked_messages
    ADD CONSTRAINT parked_messages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sessions.parked_messages
    ADD CONSTRAINT parked_messages_topic_partition_identity_key UNIQUE (topic, partition, identity);

ALTER TABLE ONLY sessions.projections
    ADD CONSTRAINT projections_pkey PRIMARY KEY (name);

ALTER TABLE ONLY sessions.rebuilds
    ADD CONSTRAINT rebuilds_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sessions.relay_partitions
    ADD CONSTRAINT relay_partitions_pkey PRIMARY KEY (partition);

ALTER TABLE ONLY sessions.relay
    ADD CONSTRAINT relay_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY sessions.request_key
    ADD CONSTRAINT request_key_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY sessions.session_list
    ADD CONSTRAINT session_list_pkey PRIMARY KEY (key);

ALTER TABLE ONLY sessions.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (kid);

CREATE INDEX object_intents_by_subject ON sessions.object_intents USING btree (subject);

CREATE INDEX object_intents_due ON sessions.object_intents USING btree (deadline) WHERE ((deadline IS NOT NULL) OR unwanted);

CREATE INDEX parked_messages_by_key ON sessions.parked_messages USING btree (topic, partition, key, id);

CREATE INDEX session_list_by_owner ON sessions.session_list USING btree (owner_id, created_at DESC, key DESC);

CREATE INDEX session_list_due ON sessions.session_list USING btree (LEAST(expires_at, deadline)) WHERE (status = ANY (ARRAY['queued'::text, 'awaitingUpload'::text, 'processing'::text]));

CREATE TRIGGER events_are_immutable BEFORE DELETE OR UPDATE ON sessions.events FOR EACH ROW EXECUTE FUNCTION sessions.refuse_change();

CREATE TRIGGER events_are_not_truncated BEFORE TRUNCATE ON sessions.events FOR EACH STATEMENT EXECUTE FUNCTION sessions.refuse_change();

ALTER TABLE ONLY sessions.cut_incarnations
    ADD CONSTRAINT cut_incarnations_successor_fkey FOREIGN KEY (successor) REFERENCES sessions.incarnations(incarnation);

ALTER TABLE ONLY sessions.head
    ADD CONSTRAINT head_incarnation_fkey FOREIGN KEY (incarnation) REFERENCES sessions.incarnations(incarnation);

ALTER TABLE ONLY sessions.incarnations
    ADD CONSTRAINT incarnations_parent_fkey FOREIGN KEY (parent) REFERENCES sessions.incarnations(incarnation);

ALTER TABLE sessions.object_intents ENABLE ROW LEVEL SECURITY;

CREATE POLICY owners_rows ON sessions.object_intents USING (sessions.in_scope(subject));

CREATE POLICY owners_rows ON sessions.session_list USING (sessions.in_scope(owner_id));

ALTER TABLE sessions.session_list ENABLE ROW LEVEL SECURITY;

GRANT USAGE ON SCHEMA sessions TO sessions;
GRANT USAGE ON SCHEMA sessions TO mirrormate_reader;

REVOKE ALL ON FUNCTION sessions.abandon_rebuild(rebuild bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION sessions.abandon_rebuild(rebuild bigint) TO sessions;

REVOKE ALL ON FUNCTION sessions.append_batch(first_ids uuid[], hashes bytea[], owners uuid[], though_erased boolean[], metadatas json[], calls json[], groups bigint[], streams text[], write_appends bigint[], write_streams bigint[], write_expected bigint[], write_sizes bigint[], event_writes bigint[], event_ids uuid[], event_types text[], event_schema_versions bigint[], event_datas json[]) FROM PUBLIC;
GRANT ALL ON FUNCTION sessions.append_batch(first_ids uuid[], hashes bytea[], owners uuid[], though_erased boolean[], metadatas json[], calls json[], groups bigint[], streams text[], write_appends bigint[], write_streams bigint[], write_expected bigint[], write_sizes bigint[], event_writes bigint[], event_ids uuid[], event_types text[], event_schema_versions bigint[], event_datas json[]) TO sessions;

REVOKE ALL ON FUNCTION sessions.begin_incarnation(next uuid, fork bigint, published bigint, top_epoch bigint, cut uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION sessions.begin_incarnation(next uuid, fork bigint, published bigint, top_epoch bigint, cut uuid[]) TO sessions;

REVOKE ALL ON FUNCTION sessions.begin_rebuild(model_name text, by_whom text, code_version text) FROM PUBLIC;
GRANT ALL ON FUNCTION sessions.begin_rebuild(model_name text, by_whom text, code_version text) TO sessions;

REVOKE ALL ON FUNCTION sessions.complete_rebuild(model_name text, keys_only boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION sessions.complete_rebuild(model_name text, keys_only boolean) TO sessions;

REVOKE ALL ON FUNCTION sessions.drop_rebuild(model_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION sessions.drop_rebuild(model_name text) TO sessions;

REVOKE ALL ON FUNCTION sessions.in_scope(owner uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION sessions.in_scope(owner uuid) TO sessions;
GRANT ALL ON FUNCTION sessions.in_scope(owner uuid) TO mirrormate_reader;

REVOKE ALL ON FUNCTION sessions.overdue_sessions() FROM PUBLIC;
GRANT ALL ON FUNCTION sessions.overdue_sessions() TO sessions;

REVOKE ALL ON FUNCTION sessions.refuse_appends(reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION sessions.refuse_appends(reason text) TO sessions;

REVOKE ALL ON FUNCTION sessions.refuse_change() FROM PUBLIC;

REVOKE ALL ON FUNCTION sessions.rename_read_model(from_name text, to_name text, ending text) FROM PUBLIC;

REVOKE ALL ON FUNCTION sessions.row_discard_object(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION sessions.row_discard_objects(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION sessions.row_discard_overdue(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION sessions.row_discard_session_objects(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION sessions.row_erase_subject(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION sessions.row_intend_object(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION sessions.row_keep_object(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION sessions.row_learn_key(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION sessions.row_move_watermark(args json) FROM PUBLIC;
GRANT ALL ON FUNCTION sessions.row_move_watermark(args json) TO sessions;

REVOKE ALL ON FUNCTION sessions.row_park(args json) FROM PUBLIC;
GRANT ALL ON FUNCTION sessions.row_park(args json) TO sessions;

REVOKE ALL ON FUNCTION sessions.row_retire_key(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION sessions.row_unpark(args json) FROM PUBLIC;
GRANT ALL ON FUNCTION sessions.row_unpark(args json) TO sessions;

REVOKE ALL ON FUNCTION sessions.switch_rebuild(rebuild bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION sessions.switch_rebuild(rebuild bigint) TO sessions;

REVOKE ALL ON FUNCTION sessions.undo_rebuild(model_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION sessions.undo_rebuild(model_name text) TO sessions;

GRANT SELECT,INSERT,UPDATE ON TABLE sessions.consumer_partitions TO sessions;
GRANT SELECT ON TABLE sessions.consumer_partitions TO mirrormate_reader;

GRANT SELECT ON TABLE sessions.cut_incarnations TO sessions;
GRANT SELECT ON TABLE sessions.cut_incarnations TO mirrormate_reader;

GRANT SELECT ON TABLE sessions.erased_subjects TO sessions;
GRANT SELECT ON TABLE sessions.erased_subjects TO mirrormate_reader;

GRANT SELECT ON TABLE sessions.events TO sessions;
GRANT SELECT ON TABLE sessions.events TO mirrormate_reader;

GRANT SELECT ON TABLE sessions.head TO sessions;
GRANT SELECT ON TABLE sessions.head TO mirrormate_reader;

GRANT SELECT ON TABLE sessions.incarnations TO sessions;
GRANT SELECT ON TABLE sessions.incarnations TO mirrormate_reader;

GRANT SELECT ON TABLE sessions.migrations TO sessions;
GRANT SELECT ON TABLE sessions.migrations TO mirrormate_reader;

GRANT SELECT,DELETE ON TABLE sessions.object_intents TO sessions;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE sessions.parked_messages TO sessions;

GRANT SELECT(id) ON TABLE sessions.parked_messages TO mirrormate_reader;

GRANT SELECT(topic) ON TABLE sessions.parked_messages TO mirrormate_reader;

GRANT SELECT(partition) ON TABLE sessions.parked_messages TO mirrormate_reader;

GRANT SELECT(record_offset) ON TABLE sessions.parked_messages TO mirrormate_reader;

GRANT SELECT(key) ON TABLE sessions.parked_messages TO mirrormate_reader;

GRANT SELECT(identity) ON TABLE sessions.parked_messages TO mirrormate_reader;

GRANT SELECT(type) ON TABLE sessions.parked_messages TO mirrormate_reader;

GRANT SELECT(reason) ON TABLE sessions.parked_messages TO mirrormate_reader;

GRANT SELECT(parked_at) ON TABLE sessions.parked_messages TO mirrormate_reader;

GRANT SELECT(release) ON TABLE sessions.parked_messages TO mirrormate_reader;

GRANT SELECT(dropped) ON TABLE sessions.parked_messages TO mirrormate_reader;

GRANT SELECT(attempts) ON TABLE sessions.parked_messages TO mirrormate_reader;

GRANT SELECT,INSERT,UPDATE ON TABLE sessions.projections TO sessions;
GRANT SELECT ON TABLE sessions.projections TO mirrormate_reader;

GRANT SELECT,UPDATE ON TABLE sessions.rebuilds TO sessions;
GRANT SELECT ON TABLE sessions.rebuilds TO mirrormate_reader;

GRANT SELECT,UPDATE ON TABLE sessions.relay TO sessions;
GRANT SELECT ON TABLE sessions.relay TO mirrormate_reader;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE sessions.relay_partitions TO sessions;
GRANT SELECT ON TABLE sessions.relay_partitions TO mirrormate_reader;

GRANT SELECT ON TABLE sessions.request_key TO sessions;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE sessions.session_list TO sessions;
GRANT SELECT ON TABLE sessions.session_list TO mirrormate_reader;

GRANT SELECT ON TABLE sessions.signing_keys TO sessions;

