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
	('mirrormate.analysis.v1', 2, 1, 7, 'a5544583-04ab-48ee-a3c7-075daeebcbea/8', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 8, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 2, 1, 3, 'a7197fb6-2e98-40e1-844f-6262cfcf197c/3', 'a7197fb6-2e98-40e1-844f-6262cfcf197c', 3, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 1, 1, 5, 'a7197fb6-2e98-40e1-844f-6262cfcf197c/9', 'a7197fb6-2e98-40e1-844f-6262cfcf197c', 9, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 1, 1, 3, 'fc03a36b-e35c-4bea-9125-ed0840733a55/8', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 8, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 3, 1, 2, 'fc03a36b-e35c-4bea-9125-ed0840733a55/9', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 9, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 0, 1, 1, 'a5544583-04ab-48ee-a3c7-075daeebcbea/lease/1', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 1, 1, 7, 'a5544583-04ab-48ee-a3c7-075daeebcbea/19', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 19, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 7, 1, 3, 'fc03a36b-e35c-4bea-9125-ed0840733a55/15', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 15, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 3, 1, 1, 'a5544583-04ab-48ee-a3c7-075daeebcbea/lease/1', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 4, 1, 9, 'a5544583-04ab-48ee-a3c7-075daeebcbea/27', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 27, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 7, 1, 8, 'a5544583-04ab-48ee-a3c7-075daeebcbea/37', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 37, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 4, 1, 5, 'fc03a36b-e35c-4bea-9125-ed0840733a55/21', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 21, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 2, 1, 2, 'fc03a36b-e35c-4bea-9125-ed0840733a55/2', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 2, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 0, 1, 1, 'a7197fb6-2e98-40e1-844f-6262cfcf197c/lease/1', 'a7197fb6-2e98-40e1-844f-6262cfcf197c', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 6, 1, 1, 'fc03a36b-e35c-4bea-9125-ed0840733a55/lease/1', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 0, 1, 1, 'fc03a36b-e35c-4bea-9125-ed0840733a55/lease/1', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 5, 1, 1, 'fc03a36b-e35c-4bea-9125-ed0840733a55/lease/1', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 5, 1, 1, 'a5544583-04ab-48ee-a3c7-075daeebcbea/lease/1', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 6, 1, 1, 'a5544583-04ab-48ee-a3c7-075daeebcbea/lease/1', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 4, 1, 5, 'a7197fb6-2e98-40e1-844f-6262cfcf197c/14', 'a7197fb6-2e98-40e1-844f-6262cfcf197c', 14, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 4, 1, 3, 'c827503e-27b9-44bb-9886-36717b49f0f2/7', 'c827503e-27b9-44bb-9886-36717b49f0f2', 7, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 7, 1, 3, 'c827503e-27b9-44bb-9886-36717b49f0f2/10', 'c827503e-27b9-44bb-9886-36717b49f0f2', 10, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 7, 1, 4, 'a7197fb6-2e98-40e1-844f-6262cfcf197c/17', 'a7197fb6-2e98-40e1-844f-6262cfcf197c', 17, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 5, 1, 1, 'a7197fb6-2e98-40e1-844f-6262cfcf197c/lease/1', 'a7197fb6-2e98-40e1-844f-6262cfcf197c', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 5, 1, 1, 'c827503e-27b9-44bb-9886-36717b49f0f2/lease/1', 'c827503e-27b9-44bb-9886-36717b49f0f2', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 6, 1, 1, 'c827503e-27b9-44bb-9886-36717b49f0f2/lease/1', 'c827503e-27b9-44bb-9886-36717b49f0f2', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 3, 1, 1, 'c827503e-27b9-44bb-9886-36717b49f0f2/lease/1', 'c827503e-27b9-44bb-9886-36717b49f0f2', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 0, 1, 1, 'c827503e-27b9-44bb-9886-36717b49f0f2/lease/1', 'c827503e-27b9-44bb-9886-36717b49f0f2', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 6, 1, 1, 'a7197fb6-2e98-40e1-844f-6262cfcf197c/lease/1', 'a7197fb6-2e98-40e1-844f-6262cfcf197c', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 2, 1, 2, 'c827503e-27b9-44bb-9886-36717b49f0f2/2', 'c827503e-27b9-44bb-9886-36717b49f0f2', 2, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 1, 1, 2, 'c827503e-27b9-44bb-9886-36717b49f0f2/4', 'c827503e-27b9-44bb-9886-36717b49f0f2', 4, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 3, 1, 3, 'a7197fb6-2e98-40e1-844f-6262cfcf197c/12', 'a7197fb6-2e98-40e1-844f-6262cfcf197c', 12, 1, NULL, false, NULL, 0, NULL);

INSERT INTO sessions.erased_subjects VALUES
	('413dc46a-0026-54e9-8df7-08e017108c5f', '2026-11-21 20:48:18.631534+00');

INSERT INTO sessions.events VALUES
	(1, 'key-8b2dd12f-57af-5f59-a8e5-e54b17c1bc5a', 1, '615a5021-794c-5819-ba67-6b0630abc742', 'SigningKeyLearned', 1, '{"kid":"029fd939-d459-49ff-abba-f4b23c2939ce","x":"-oYPS9Ntl4vPRwZa8ZDOhZdbNL3ng-HDzCMYLJ-V2KE","y":"Ps2gQXywZNKywcsf1rHLxUvGAvE_t5ktnSV1u5wlEgs","notBefore":"2026-11-21T20:48:12.921559Z","expiresAt":"2026-12-21T20:48:12.921559Z"}', '{"correlation":"01a1ffdd-de81-76dd-ba8e-704dd790ebdf","causation":"43d24649-08f4-5de9-9b55-8418c722d636","actor":"sessions","origin":"identity/fc03a36b-e35c-4bea-9125-ed0840733a55/1"}', '\x43d2464908f45de99b558418c722d636', '2026-11-21 20:48:14.882063+00'),
	(2, 'session-162adea7-e466-52fa-8144-11f1403ba12c', 1, '85b8b5c3-04c6-5672-92ac-096418d0bc62', 'SessionCreated', 1, '{"sessionId":"162adea7-e466-52fa-8144-11f1403ba12c","ownerId":"339b3bd7-808b-5447-bdb9-0455de0d9159","kind":"mirrormate","timeZone":"Europe/Berlin","createdAt":"2026-11-21T20:48:14.914782Z","expiresAt":"2026-11-21T21:48:14.914782Z","contentType":"video/mp4","contentLength":4096}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e642-7d85-a924-21f6af15dd29","actor":"339b3bd7-808b-5447-bdb9-0455de0d9159","traceparent":"00-c3877f3764b8785cd92e79e568c37c72-85d71a6f64b4b08b-01"}', '\x9c47d538ae32f31348888f6c1c98db26d8fd41fc18202c3ac094961b96a25518', '2026-11-21 20:48:14.918889+00'),
	(3, 'session-162adea7-e466-52fa-8144-11f1403ba12c', 2, 'ef4e9c31-8a21-5279-b078-20048f370ca6', 'SessionAdmitted', 1, '{"sessionId":"162adea7-e466-52fa-8144-11f1403ba12c","ownerId":"339b3bd7-808b-5447-bdb9-0455de0d9159","kind":"mirrormate"}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e642-7d85-a924-21f6af15dd29","causation":"29c1c7cd-23f1-57ea-b7cc-f1e68e06435f","actor":"sessions","traceparent":"00-c3877f3764b8785cd92e79e568c37c72-85d71a6f64b4b08b-01","origin":"quota/a7197fb6-2e98-40e1-844f-6262cfcf197c/2"}', '\x29c1c7cd23f157eab7ccf1e68e06435f', '2026-11-21 20:48:15.071848+00'),
	(4, 'session-162adea7-e466-52fa-8144-11f1403ba12c', 3, '0395b072-93bc-588c-886c-ee8c681e3a7b', 'UploadStored', 1, '{"sessionId":"162adea7-e466-52fa-8144-11f1403ba12c","ownerId":"339b3bd7-808b-5447-bdb9-0455de0d9159","kind":"mirrormate","media":{"key":"uploads/339b3bd7-808b-5447-bdb9-0455de0d9159/162adea7-e466-52fa-8144-11f1403ba12c/01a1ffdd-e70c-7768-93ab-8e169127257f","sha256":"ddc75782b001856f56a0cc09b9dcf6b8fededb3df5db580803bb1b0b1dbcaf5a","sizeBytes":4096,"contentType":"video/mp4"}}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e711-7d70-b815-9468e5ac7ce1","actor":"339b3bd7-808b-5447-bdb9-0455de0d9159","traceparent":"00-68a003bd9515ed6ac752d5cde8557b17-0675172a08ae187f-01"}', '\x', '2026-11-21 20:48:15.123223+00'),
	(5, 'session-162adea7-e466-52fa-8144-11f1403ba12c', 4, '1f242d02-2eec-5368-b29a-87d7f8c238d2', 'UploadFinalized', 1, '{"sessionId":"162adea7-e466-52fa-8144-11f1403ba12c","ownerId":"339b3bd7-808b-5447-bdb9-0455de0d9159","kind":"mirrormate","media":{"key":"media/339b3bd7-808b-5447-bdb9-0455de0d9159/162adea7-e466-52fa-8144-11f1403ba12c/6f0d4233-352f-5e41-8a0e-0fc16e40254c","sha256":"ddc75782b001856f56a0cc09b9dcf6b8fededb3df5db580803bb1b0b1dbcaf5a","sizeBytes":4096,"contentType":"video/mp4"},"deadline":"2026-11-21T21:03:15.132115Z"}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e721-7fd7-bce2-2b5046064dee","actor":"339b3bd7-808b-5447-bdb9-0455de0d9159","traceparent":"00-a89260e05782a571458d25e8051eaa18-c571dfa11e650da6-01"}', '\x', '2026-11-21 20:48:15.139685+00'),
	(6, 'session-162adea7-e466-52fa-8144-11f1403ba12c', 5, '140ed147-159a-5d9f-83ac-02a9f9d5b2ce', 'AnalysisStarted', 1, '{"sessionId":"162adea7-e466-52fa-8144-11f1403ba12c","ownerId":"339b3bd7-808b-5447-bdb9-0455de0d9159","kind":"mirrormate","attempt":1}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e721-7fd7-bce2-2b5046064dee","causation":"a897c2c7-b385-5727-a8bf-a205b6d78445","actor":"sessions","traceparent":"00-a89260e05782a571458d25e8051eaa18-c571dfa11e650da6-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/3"}', '\xa897c2c7b3855727a8bfa205b6d78445', '2026-11-21 20:48:15.191052+00'),
	(7, 'session-162adea7-e466-52fa-8144-11f1403ba12c', 6, '441c0093-81fd-55bf-8713-dfe0682dabb9', 'AnalysisProgressed', 1, '{"sessionId":"162adea7-e466-52fa-8144-11f1403ba12c","ownerId":"339b3bd7-808b-5447-bdb9-0455de0d9159","kind":"mirrormate","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e721-7fd7-bce2-2b5046064dee","causation":"6a34a3fb-2ae4-5506-a638-1acc64adddb4","actor":"sessions","traceparent":"00-a89260e05782a571458d25e8051eaa18-c571dfa11e650da6-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/4"}', '\x6a34a3fb2ae45506a6381acc64adddb4', '2026-11-21 20:48:15.213098+00'),
	(8, 'session-162adea7-e466-52fa-8144-11f1403ba12c', 7, '3a265718-fac4-52a3-85b4-669aa1dee6f2', 'AnalysisProgressed', 1, '{"sessionId":"162adea7-e466-52fa-8144-11f1403ba12c","ownerId":"339b3bd7-808b-5447-bdb9-0455de0d9159","kind":"mirrormate","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e721-7fd7-bce2-2b5046064dee","causation":"00c537a7-a241-5346-abcc-0d6522426616","actor":"sessions","traceparent":"00-a89260e05782a571458d25e8051eaa18-c571dfa11e650da6-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/5"}', '\x00c537a7a2415346abcc0d6522426616', '2026-11-21 20:48:15.263962+00'),
	(9, 'session-162adea7-e466-52fa-8144-11f1403ba12c', 8, 'b51cf588-e0dc-5649-8236-eb4b2574e70e', 'AnalysisProgressed', 1, '{"sessionId":"162adea7-e466-52fa-8144-11f1403ba12c","ownerId":"339b3bd7-808b-5447-bdb9-0455de0d9159","kind":"mirrormate","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e721-7fd7-bce2-2b5046064dee","causation":"130eedf7-1ae3-5100-b514-249099f0f5a9","actor":"sessions","traceparent":"00-a89260e05782a571458d25e8051eaa18-c571dfa11e650da6-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/6"}', '\x130eedf71ae35100b514249099f0f5a9', '2026-11-21 20:48:15.317613+00'),
	(10, 'session-162adea7-e466-52fa-8144-11f1403ba12c', 9, '45b762ae-0182-5ff0-bb92-fd36e8bde45c', 'AnalysisProgressed', 1, '{"sessionId":"162adea7-e466-52fa-8144-11f1403ba12c","ownerId":"339b3bd7-808b-5447-bdb9-0455de0d9159","kind":"mirrormate","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e721-7fd7-bce2-2b5046064dee","causation":"005200f8-6c2d-5ea3-93e8-dc620d6cdec7","actor":"sessions","traceparent":"00-a89260e05782a571458d25e8051eaa18-c571dfa11e650da6-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/7"}', '\x005200f86c2d5ea393e8dc620d6cdec7', '2026-11-21 20:48:15.426661+00'),
	(11, 'session-162adea7-e466-52fa-8144-11f1403ba12c', 10, '3b85a34b-f7ed-5f69-9e7d-822c113955e0', 'SessionCompleted', 1, '{"sessionId":"162adea7-e466-52fa-8144-11f1403ba12c","ownerId":"339b3bd7-808b-5447-bdb9-0455de0d9159","kind":"mirrormate","reportId":"27615765-53d6-59cc-8341-541f050a495a"}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e721-7fd7-bce2-2b5046064dee","causation":"2f018776-c480-5628-9157-c1e275736df1","actor":"sessions","traceparent":"00-a89260e05782a571458d25e8051eaa18-c571dfa11e650da6-01","origin":"reporting/c827503e-27b9-44bb-9886-36717b49f0f2/2"}', '\x2f018776c48056289157c1e275736df1', '2026-11-21 20:48:15.808364+00'),
	(12, 'session-490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc', 1, '51ff76ef-29fa-5f54-b741-e358a3aecf06', 'SessionCreated', 1, '{"sessionId":"490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc","ownerId":"e88f6646-fa20-5866-a935-0384095b5309","kind":"mirrormate","timeZone":"Europe/Berlin","createdAt":"2026-11-21T20:48:15.978403Z","expiresAt":"2026-11-21T21:48:15.978403Z","contentType":"video/mp4","contentLength":4096}', '{"owner":"e88f6646-fa20-5866-a935-0384095b5309","correlation":"01a1ffdd-ea6a-7712-a8a7-40a62bf10f0f","actor":"e88f6646-fa20-5866-a935-0384095b5309","traceparent":"00-9d3d75640bce57731a5ac95348a8e9a4-1ac2a227fbc9c845-01"}', '\x9c47d538ae32f31348888f6c1c98db26d8fd41fc18202c3ac094961b96a25518', '2026-11-21 20:48:15.979682+00'),
	(13, 'session-490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc', 2, 'eb5387de-4d9a-58ac-99ed-6e60f673bea3', 'SessionAdmitted', 1, '{"sessionId":"490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc","ownerId":"e88f6646-fa20-5866-a935-0384095b5309","kind":"mirrormate"}', '{"owner":"e88f6646-fa20-5866-a935-0384095b5309","correlation":"01a1ffdd-ea6a-7712-a8a7-40a62bf10f0f","causation":"13179ee9-a4ad-59ce-a300-988c046bb503","actor":"sessions","traceparent":"00-9d3d75640bce57731a5ac95348a8e9a4-1ac2a227fbc9c845-01","origin":"quota/a7197fb6-2e98-40e1-844f-6262cfcf197c/4"}', '\x13179ee9a4ad59cea300988c046bb503', '2026-11-21 20:48:16.008352+00'),
	(14, 'session-490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc', 3, '814e9f39-ed38-52a5-8769-c0817568759c', 'UploadStored', 1, '{"sessionId":"490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc","ownerId":"e88f6646-fa20-5866-a935-0384095b5309","kind":"mirrormate","media":{"key":"uploads/e88f6646-fa20-5866-a935-0384095b5309/490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc/01a1ffdd-ea96-7ff3-be77-7d0623d008f9","sha256":"e979504d0efec044229a4f07f6f2e63e6a882c57a67f8091806c95208b9b5c7e","sizeBytes":4096,"contentType":"video/mp4"}}', '{"owner":"e88f6646-fa20-5866-a935-0384095b5309","correlation":"01a1ffdd-ea9c-700c-abdd-80ed7fd529dd","actor":"e88f6646-fa20-5866-a935-0384095b5309","traceparent":"00-e0814093233936e8b726720d94079c20-82b1cff8e9a83917-01"}', '\x', '2026-11-21 20:48:16.029047+00'),
	(15, 'session-490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc', 4, '62521e74-8766-5dc0-97f5-3757684d2a94', 'UploadFinalized', 1, '{"sessionId":"490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc","ownerId":"e88f6646-fa20-5866-a935-0384095b5309","kind":"mirrormate","media":{"key":"media/e88f6646-fa20-5866-a935-0384095b5309/490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc/feeaed55-afff-5a24-8ec2-224f47905f4a","sha256":"e979504d0efec044229a4f07f6f2e63e6a882c57a67f8091806c95208b9b5c7e","sizeBytes":4096,"contentType":"video/mp4"},"deadline":"2026-11-21T21:03:16.033879Z"}', '{"owner":"e88f6646-fa20-5866-a935-0384095b5309","correlation":"01a1ffdd-eaaf-7fe7-83d1-dec2198b2c37","actor":"e88f6646-fa20-5866-a935-0384095b5309","traceparent":"00-fb920479a25144228f27b5abd774ba44-e1a1321f67d233e0-01"}', '\x', '2026-11-21 20:48:16.049235+00'),
	(16, 'session-490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc', 5, '30d64a4b-2860-5a25-b9c3-92994f87f94f', 'AnalysisStarted', 1, '{"sessionId":"490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc","ownerId":"e88f6646-fa20-5866-a935-0384095b5309","kind":"mirrormate","attempt":1}', '{"owner":"e88f6646-fa20-5866-a935-0384095b5309","correlation":"01a1ffdd-eaaf-7fe7-83d1-dec2198b2c37","causation":"f9bf7f52-b83f-577c-9a33-61c0a983fe05","actor":"sessions","traceparent":"00-fb920479a25144228f27b5abd774ba44-e1a1321f67d233e0-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/10"}', '\xf9bf7f52b83f577c9a3361c0a983fe05', '2026-11-21 20:48:16.089198+00'),
	(17, 'session-490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc', 6, '648b907c-4321-51bf-bff8-c464ba891db3', 'SessionFailed', 1, '{"sessionId":"490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc","ownerId":"e88f6646-fa20-5866-a935-0384095b5309","kind":"mirrormate","code":"unreadable","retryable":false}', '{"owner":"e88f6646-fa20-5866-a935-0384095b5309","correlation":"01a1ffdd-eaaf-7fe7-83d1-dec2198b2c37","causation":"698fde7a-98fa-50d3-a577-ffb6a8ed6fb1","actor":"sessions","traceparent":"00-fb920479a25144228f27b5abd774ba44-e1a1321f67d233e0-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/12"}', '\x698fde7a98fa50d3a577ffb6a8ed6fb1', '2026-11-21 20:48:16.112851+00'),
	(18, 'session-1c3445d2-bc71-50b7-8956-6da9388132e5', 1, '4187103f-feb4-52e5-8dfa-b4d565ef9893', 'SessionCreated', 1, '{"sessionId":"1c3445d2-bc71-50b7-8956-6da9388132e5","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","kind":"mirrormate","timeZone":"Europe/Berlin","createdAt":"2026-11-21T20:48:16.327214Z","expiresAt":"2026-11-21T21:48:16.327214Z","contentType":"video/mp4","contentLength":4096}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ebc7-73f7-a6d2-965a9f45dae7","actor":"c07d663c-8788-5a68-a5a6-4841a4503f57","traceparent":"00-f82cf646d19318529c166167f8aad7c1-fdbdd7937e873e5a-01"}', '\x9c47d538ae32f31348888f6c1c98db26d8fd41fc18202c3ac094961b96a25518', '2026-11-21 20:48:16.328332+00'),
	(19, 'session-1c3445d2-bc71-50b7-8956-6da9388132e5', 2, '77bda082-d4fe-58d8-8ae8-0271fa81f9bc', 'SessionAdmitted', 1, '{"sessionId":"1c3445d2-bc71-50b7-8956-6da9388132e5","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","kind":"mirrormate"}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ebc7-73f7-a6d2-965a9f45dae7","causation":"0e8473f4-1372-5546-a0a0-b98010bfd9ba","actor":"sessions","traceparent":"00-f82cf646d19318529c166167f8aad7c1-fdbdd7937e873e5a-01","origin":"quota/a7197fb6-2e98-40e1-844f-6262cfcf197c/6"}', '\x0e8473f413725546a0a0b98010bfd9ba', '2026-11-21 20:48:16.360183+00'),
	(20, 'session-1c3445d2-bc71-50b7-8956-6da9388132e5', 3, '20182cf0-6ce0-588e-ab51-957d7f5d304b', 'UploadStored', 1, '{"sessionId":"1c3445d2-bc71-50b7-8956-6da9388132e5","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","kind":"mirrormate","media":{"key":"uploads/c07d663c-8788-5a68-a5a6-4841a4503f57/1c3445d2-bc71-50b7-8956-6da9388132e5/01a1ffdd-ebf0-70b0-aad3-47c4c3c5c658","sha256":"b5f1a814e6830066a3ac18d577fabcf30d4b0cd53f58b5847a4efce306c16da4","sizeBytes":4096,"contentType":"video/mp4"}}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ebf3-7eb4-9226-8a400f2dfb1e","actor":"c07d663c-8788-5a68-a5a6-4841a4503f57","traceparent":"00-b72e48e5b1a84c6c78a84e9459d45335-f5e3c789b17de9af-01"}', '\x', '2026-11-21 20:48:16.372574+00'),
	(21, 'session-1c3445d2-bc71-50b7-8956-6da9388132e5', 4, '2c01374d-049f-56fa-acda-8242c4309130', 'UploadFinalized', 1, '{"sessionId":"1c3445d2-bc71-50b7-8956-6da9388132e5","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","kind":"mirrormate","media":{"key":"media/c07d663c-8788-5a68-a5a6-4841a4503f57/1c3445d2-bc71-50b7-8956-6da9388132e5/3668a514-351e-5253-a799-e06413faabc1","sha256":"b5f1a814e6830066a3ac18d577fabcf30d4b0cd53f58b5847a4efce306c16da4","sizeBytes":4096,"contentType":"video/mp4"},"deadline":"2026-11-21T21:03:16.426613Z"}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ec2e-75b6-a0e5-d0667982df97","actor":"c07d663c-8788-5a68-a5a6-4841a4503f57","traceparent":"00-27dfffbe06afe3bbb7e02e002ff1c949-79ad7d95f170bf47-01"}', '\x', '2026-11-21 20:48:16.431216+00'),
	(22, 'session-1c3445d2-bc71-50b7-8956-6da9388132e5', 5, '983c575b-e17a-5446-9ea7-7d5702d0fb1d', 'AnalysisStarted', 1, '{"sessionId":"1c3445d2-bc71-50b7-8956-6da9388132e5","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","kind":"mirrormate","attempt":1}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ec2e-75b6-a0e5-d0667982df97","causation":"399d6675-40d7-5c16-94f5-3b8f1ee572b6","actor":"sessions","traceparent":"00-27dfffbe06afe3bbb7e02e002ff1c949-79ad7d95f170bf47-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/14"}', '\x399d667540d75c1694f53b8f1ee572b6', '2026-11-21 20:48:16.469682+00'),
	(23, 'session-1c3445d2-bc71-50b7-8956-6da9388132e5', 6, '9442e16a-caef-5074-87af-2c8796671645', 'AnalysisProgressed', 1, '{"sessionId":"1c3445d2-bc71-50b7-8956-6da9388132e5","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","kind":"mirrormate","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ec2e-75b6-a0e5-d0667982df97","causation":"aea7ee30-8432-52af-8238-60a26f23f94b","actor":"sessions","traceparent":"00-27dfffbe06afe3bbb7e02e002ff1c949-79ad7d95f170bf47-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/15"}', '\xaea7ee30843252af823860a26f23f94b', '2026-11-21 20:48:16.488271+00'),
	(24, 'session-1c3445d2-bc71-50b7-8956-6da9388132e5', 7, '663c4831-6557-5e72-bc2b-8fb9f7785328', 'AnalysisProgressed', 1, '{"sessionId":"1c3445d2-bc71-50b7-8956-6da9388132e5","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","kind":"mirrormate","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ec2e-75b6-a0e5-d0667982df97","causation":"dc227eb3-baf3-5e31-b7c8-a8acdcaeabf7","actor":"sessions","traceparent":"00-27dfffbe06afe3bbb7e02e002ff1c949-79ad7d95f170bf47-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/16"}', '\xdc227eb3baf35e31b7c8a8acdcaeabf7', '2026-11-21 20:48:16.540413+00'),
	(25, 'session-1c3445d2-bc71-50b7-8956-6da9388132e5', 8, 'b8e31d56-4e64-5da5-b2eb-cfa6a228c088', 'AnalysisProgressed', 1, '{"sessionId":"1c3445d2-bc71-50b7-8956-6da9388132e5","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","kind":"mirrormate","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ec2e-75b6-a0e5-d0667982df97","causation":"88d77d7e-1f4f-545f-b85d-5b99f9d324be","actor":"sessions","traceparent":"00-27dfffbe06afe3bbb7e02e002ff1c949-79ad7d95f170bf47-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/17"}', '\x88d77d7e1f4f545fb85d5b99f9d324be', '2026-11-21 20:48:16.593451+00'),
	(26, 'session-1c3445d2-bc71-50b7-8956-6da9388132e5', 9, '5cc1d6be-e910-5a30-bfa8-6f306e87acda', 'AnalysisProgressed', 1, '{"sessionId":"1c3445d2-bc71-50b7-8956-6da9388132e5","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","kind":"mirrormate","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ec2e-75b6-a0e5-d0667982df97","causation":"84a4ceef-98a4-5fa1-b3d2-9b1f2a11d01d","actor":"sessions","traceparent":"00-27dfffbe06afe3bbb7e02e002ff1c949-79ad7d95f170bf47-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/18"}', '\x84a4ceef98a45fa1b3d29b1f2a11d01d', '2026-11-21 20:48:16.768826+00'),
	(27, 'session-1c3445d2-bc71-50b7-8956-6da9388132e5', 10, '7a8e1890-9351-5cc7-bfd3-32d92d7a12e6', 'SessionCompleted', 1, '{"sessionId":"1c3445d2-bc71-50b7-8956-6da9388132e5","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","kind":"mirrormate","reportId":"5b58a5ea-5fcd-5650-a26f-2fe5d843e9d5"}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ec2e-75b6-a0e5-d0667982df97","causation":"22fa9c66-9b16-5b66-a989-bb304e2c6025","actor":"sessions","traceparent":"00-27dfffbe06afe3bbb7e02e002ff1c949-79ad7d95f170bf47-01","origin":"reporting/c827503e-27b9-44bb-9886-36717b49f0f2/4"}', '\x22fa9c669b165b66a989bb304e2c6025', '2026-11-21 20:48:16.960447+00'),
	(28, 'session-ac8d216c-fc50-596d-93d1-f1767cc04d63', 1, 'acb025c2-ae04-5341-b443-9923d074e18a', 'SessionCreated', 1, '{"sessionId":"ac8d216c-fc50-596d-93d1-f1767cc04d63","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","kind":"mirrormate","timeZone":"Europe/Berlin","createdAt":"2026-11-21T20:48:16.971345Z","expiresAt":"2026-11-21T21:48:16.971345Z","contentType":"video/mp4","contentLength":4096}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ee4b-7610-824b-fb6948ef7c03","actor":"c07d663c-8788-5a68-a5a6-4841a4503f57","traceparent":"00-d40d5be58cb5f8fe25edce37742a16a8-03ebbd5a6f0e64fd-01"}', '\x9c47d538ae32f31348888f6c1c98db26d8fd41fc18202c3ac094961b96a25518', '2026-11-21 20:48:16.976213+00'),
	(29, 'session-ac8d216c-fc50-596d-93d1-f1767cc04d63', 2, 'b89b54c0-b22d-58cf-9e3d-118ea5ef8626', 'SessionRefused', 1, '{"sessionId":"ac8d216c-fc50-596d-93d1-f1767cc04d63","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","kind":"mirrormate","code":"quota-exceeded","resetsAt":"2026-11-21T23:00:00.000000Z"}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ee4b-7610-824b-fb6948ef7c03","causation":"ad2af561-2eaa-51e8-beac-6d1921f2ec46","actor":"sessions","traceparent":"00-d40d5be58cb5f8fe25edce37742a16a8-03ebbd5a6f0e64fd-01","origin":"quota/a7197fb6-2e98-40e1-844f-6262cfcf197c/8"}', '\xad2af5612eaa51e8beac6d1921f2ec46', '2026-11-21 20:48:17.002165+00'),
	(30, 'session-8bfbf10c-424e-5c21-9f1b-1ecc95c23461', 1, 'a14c3b0e-d5f2-5536-b00e-be934b1e5da6', 'SessionCreated', 1, '{"sessionId":"8bfbf10c-424e-5c21-9f1b-1ecc95c23461","ownerId":"f4674116-33e2-5e03-a073-ba1d7cae582c","kind":"mirrormate","timeZone":"Europe/Berlin","createdAt":"2026-11-21T20:48:17.205773Z","expiresAt":"2026-11-21T21:48:17.205773Z","contentType":"video/mp4","contentLength":4096}', '{"owner":"f4674116-33e2-5e03-a073-ba1d7cae582c","correlation":"01a1ffdd-ef35-7ce9-859b-fa296161bd44","actor":"f4674116-33e2-5e03-a073-ba1d7cae582c","traceparent":"00-e5145640f908cbe64e7a05d0553b2e10-27c0dff56b34d04d-01"}', '\x9c47d538ae32f31348888f6c1c98db26d8fd41fc18202c3ac094961b96a25518', '2026-11-21 20:48:17.207761+00'),
	(31, 'session-8bfbf10c-424e-5c21-9f1b-1ecc95c23461', 2, '74218b40-79af-5096-b37e-cddf8e985718', 'SessionAdmitted', 1, '{"sessionId":"8bfbf10c-424e-5c21-9f1b-1ecc95c23461","ownerId":"f4674116-33e2-5e03-a073-ba1d7cae582c","kind":"mirrormate"}', '{"owner":"f4674116-33e2-5e03-a073-ba1d7cae582c","correlation":"01a1ffdd-ef35-7ce9-859b-fa296161bd44","causation":"1a20bd40-0c4a-5299-b37a-2e515524b28f","actor":"sessions","traceparent":"00-e5145640f908cbe64e7a05d0553b2e10-27c0dff56b34d04d-01","origin":"quota/a7197fb6-2e98-40e1-844f-6262cfcf197c/11"}', '\x1a20bd400c4a5299b37a2e515524b28f', '2026-11-21 20:48:17.237434+00'),
	(32, 'session-8bfbf10c-424e-5c21-9f1b-1ecc95c23461', 3, 'd39a4212-10d5-55ef-89d7-a2c385e87dc4', 'SessionCancelled', 1, '{"sessionId":"8bfbf10c-424e-5c21-9f1b-1ecc95c23461","ownerId":"f4674116-33e2-5e03-a073-ba1d7cae582c","kind":"mirrormate","analysisStarted":false}', '{"owner":"f4674116-33e2-5e03-a073-ba1d7cae582c","correlation":"01a1ffdd-ef5a-7441-a79c-8d43985ab11f","actor":"f4674116-33e2-5e03-a073-ba1d7cae582c","traceparent":"00-b4a4f517277dbd090d6805849a8eb207-18f035fc354ba2f4-01"}', '\x', '2026-11-21 20:48:17.243364+00'),
	(33, 'session-28684897-bcdc-53e2-9aee-4de0bf656a78', 1, '42169401-dbb4-593e-adba-288c6b1053ed', 'SessionCreated', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","kind":"mirrormate","timeZone":"Europe/Berlin","createdAt":"2026-11-21T20:48:17.393214Z","expiresAt":"2026-11-21T21:48:17.393214Z","contentType":"video/mp4","contentLength":4096}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-eff1-740c-ac58-b813f58e2ba2","actor":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","traceparent":"00-98842b3d72d7c4f2f3d605a043e6dcc4-daff9e52508da2cb-01"}', '\x9c47d538ae32f31348888f6c1c98db26d8fd41fc18202c3ac094961b96a25518', '2026-11-21 20:48:17.39573+00'),
	(34, 'session-28684897-bcdc-53e2-9aee-4de0bf656a78', 2, '4e7a488b-7919-50d1-87ca-27b4c91c37bb', 'SessionAdmitted', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","kind":"mirrormate"}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-eff1-740c-ac58-b813f58e2ba2","causation":"fa6e885c-52a2-5271-8f27-ccac578b46fe","actor":"sessions","traceparent":"00-98842b3d72d7c4f2f3d605a043e6dcc4-daff9e52508da2cb-01","origin":"quota/a7197fb6-2e98-40e1-844f-6262cfcf197c/13"}', '\xfa6e885c52a252718f27ccac578b46fe', '2026-11-21 20:48:17.41642+00'),
	(35, 'session-28684897-bcdc-53e2-9aee-4de0bf656a78', 3, '4c6ccb1f-3036-5065-8006-7f76f86d9ab0', 'UploadStored', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","kind":"mirrormate","media":{"key":"uploads/2d5bfaaf-c171-5bc0-a03a-27923c66fa59/28684897-bcdc-53e2-9aee-4de0bf656a78/01a1ffdd-f01b-7b3b-aa05-a57973343393","sha256":"d7d5e80e1f89586ee23f40f93d3d73e6160c61bac8f1bed6181715713d21aec5","sizeBytes":4096,"contentType":"video/mp4"}}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-f024-764d-b7b3-b6a650d1ea6c","actor":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","traceparent":"00-99aa29c5164357aa572d3d900907b138-1c429abb0c610b5c-01"}', '\x', '2026-11-21 20:48:17.445956+00'),
	(36, 'session-28684897-bcdc-53e2-9aee-4de0bf656a78', 4, '121a356d-6cd5-5e43-b4d0-fd4d6049790e', 'UploadFinalized', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","kind":"mirrormate","media":{"key":"media/2d5bfaaf-c171-5bc0-a03a-27923c66fa59/28684897-bcdc-53e2-9aee-4de0bf656a78/cb0479d6-55f8-5f24-9ec4-566b7124698f","sha256":"d7d5e80e1f89586ee23f40f93d3d73e6160c61bac8f1bed6181715713d21aec5","sizeBytes":4096,"contentType":"video/mp4"},"deadline":"2026-11-21T21:03:17.453649Z"}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-f035-7cbc-81ee-6bfd7312e2d9","actor":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","traceparent":"00-2094120d97d509ea9ed93f86f6574d5c-2217bef52074c79e-01"}', '\x', '2026-11-21 20:48:17.463599+00'),
	(37, 'session-28684897-bcdc-53e2-9aee-4de0bf656a78', 5, '50e0ef1f-fefd-5de6-870e-cd8c28b3231d', 'AnalysisStarted', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","kind":"mirrormate","attempt":1}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-f035-7cbc-81ee-6bfd7312e2d9","causation":"e62cdcd8-718a-578d-b221-4496e41c041a","actor":"sessions","traceparent":"00-2094120d97d509ea9ed93f86f6574d5c-2217bef52074c79e-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/22"}', '\xe62cdcd8718a578db2214496e41c041a', '2026-11-21 20:48:17.5022+00'),
	(38, 'session-28684897-bcdc-53e2-9aee-4de0bf656a78', 6, 'cbc85972-5806-5b4c-a625-47e0d26260cc', 'AnalysisProgressed', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","kind":"mirrormate","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-f035-7cbc-81ee-6bfd7312e2d9","causation":"d55ab026-ef39-5521-b042-378d23b7c64a","actor":"sessions","traceparent":"00-2094120d97d509ea9ed93f86f6574d5c-2217bef52074c79e-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/23"}', '\xd55ab026ef395521b042378d23b7c64a', '2026-11-21 20:48:17.530704+00'),
	(39, 'session-28684897-bcdc-53e2-9aee-4de0bf656a78', 7, '0524c954-3f0e-5fcb-b784-1bb42ec19312', 'AnalysisProgressed', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","kind":"mirrormate","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-f035-7cbc-81ee-6bfd7312e2d9","causation":"40a4727e-8717-5b4c-b962-560a1d619053","actor":"sessions","traceparent":"00-2094120d97d509ea9ed93f86f6574d5c-2217bef52074c79e-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/24"}', '\x40a4727e87175b4cb962560a1d619053', '2026-11-21 20:48:17.593979+00'),
	(40, 'session-28684897-bcdc-53e2-9aee-4de0bf656a78', 8, '5f25864e-58a4-5c32-9469-53b70714d890', 'AnalysisProgressed', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","kind":"mirrormate","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-f035-7cbc-81ee-6bfd7312e2d9","causation":"c062657e-e018-595c-af84-2c6d0e86016e","actor":"sessions","traceparent":"00-2094120d97d509ea9ed93f86f6574d5c-2217bef52074c79e-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/25"}', '\xc062657ee018595caf842c6d0e86016e', '2026-11-21 20:48:17.661285+00'),
	(41, 'session-28684897-bcdc-53e2-9aee-4de0bf656a78', 9, '4efbccc4-bade-54a0-a657-a5ae76155394', 'AnalysisProgressed', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","kind":"mirrormate","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-f035-7cbc-81ee-6bfd7312e2d9","causation":"834fa7d3-4f26-5f58-881d-13fba5e100cf","actor":"sessions","traceparent":"00-2094120d97d509ea9ed93f86f6574d5c-2217bef52074c79e-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/26"}', '\x834fa7d34f265f58881d13fba5e100cf', '2026-11-21 20:48:17.750449+00'),
	(42, 'session-28684897-bcdc-53e2-9aee-4de0bf656a78', 10, 'd689f0e5-d9c3-5eb1-ae45-0472bf25c3b0', 'SessionCompleted', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","kind":"mirrormate","reportId":"384e805f-5999-5494-80bf-acfac3264471"}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-f035-7cbc-81ee-6bfd7312e2d9","causation":"b9fa01aa-7fee-5b47-b11a-bdd2bdfc402d","actor":"sessions","traceparent":"00-2094120d97d509ea9ed93f86f6574d5c-2217bef52074c79e-01","origin":"reporting/c827503e-27b9-44bb-9886-36717b49f0f2/6"}', '\xb9fa01aa7fee5b47b11abdd2bdfc402d', '2026-11-21 20:48:17.886575+00'),
	(43, 'session-28684897-bcdc-53e2-9aee-4de0bf656a78', 11, '1542ff8a-be0b-57d3-8442-835e3471c1b7', 'SessionDeleted', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","kind":"mirrormate","wasComplete":true}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-f1f5-73ca-af7b-90fea75b4ff4","actor":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","traceparent":"00-d68bc97d984969fd95d02b601ce69f6b-938c4f47b61b5944-01"}', '\x', '2026-11-21 20:48:17.910393+00'),
	(44, 'session-ce73bd66-c63a-5989-83c1-a9b71067f90e', 1, 'ad0d7f97-4fa2-567d-859f-902e2c915ec4', 'SessionCreated', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f","kind":"mirrormate","timeZone":"Europe/Berlin","createdAt":"2026-11-21T20:48:18.028349Z","expiresAt":"2026-11-21T21:48:18.028349Z","contentType":"video/mp4","contentLength":4096}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f26c-7628-9a83-27d44fefada0","actor":"413dc46a-0026-54e9-8df7-08e017108c5f","traceparent":"00-f140858ce884ee22e1a9d943fe6f8834-e7c39b04a30085b3-01"}', '\x9c47d538ae32f31348888f6c1c98db26d8fd41fc18202c3ac094961b96a25518', '2026-11-21 20:48:18.029881+00'),
	(45, 'session-ce73bd66-c63a-5989-83c1-a9b71067f90e', 2, 'f8b22d42-0a16-5f23-bfca-513c2fbecb28', 'SessionAdmitted', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f","kind":"mirrormate"}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f26c-7628-9a83-27d44fefada0","causation":"b569c205-3536-5aa2-a33b-1a5a4c16cf24","actor":"sessions","traceparent":"00-f140858ce884ee22e1a9d943fe6f8834-e7c39b04a30085b3-01","origin":"quota/a7197fb6-2e98-40e1-844f-6262cfcf197c/15"}', '\xb569c20535365aa2a33b1a5a4c16cf24', '2026-11-21 20:48:18.059099+00'),
	(46, 'session-ce73bd66-c63a-5989-83c1-a9b71067f90e', 3, 'ef7374bc-8ba3-589d-bdff-b1c69ceff330', 'UploadStored', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f","kind":"mirrormate","media":{"key":"uploads/413dc46a-0026-54e9-8df7-08e017108c5f/ce73bd66-c63a-5989-83c1-a9b71067f90e/01a1ffdd-f29e-78f5-8219-2939e4126374","sha256":"657bb285d2728693b13544494b8da332b2cdebd87e47a566064cf3b2b63214c8","sizeBytes":4096,"contentType":"video/mp4"}}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f2a3-7beb-92ba-0a8883fe36d0","actor":"413dc46a-0026-54e9-8df7-08e017108c5f","traceparent":"00-5e7eec0be2700b0afadcc8749a45788f-351b923905f3dc97-01"}', '\x', '2026-11-21 20:48:18.085709+00'),
	(47, 'session-ce73bd66-c63a-5989-83c1-a9b71067f90e', 4, '5488c055-4ab1-5e26-a304-f7e54bc2111d', 'UploadFinalized', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f","kind":"mirrormate","media":{"key":"media/413dc46a-0026-54e9-8df7-08e017108c5f/ce73bd66-c63a-5989-83c1-a9b71067f90e/602c491c-2c75-5c31-88f7-2e1880f50b0f","sha256":"657bb285d2728693b13544494b8da332b2cdebd87e47a566064cf3b2b63214c8","sizeBytes":4096,"contentType":"video/mp4"},"deadline":"2026-11-21T21:03:18.091226Z"}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f2b1-7547-aa59-7af643625a02","actor":"413dc46a-0026-54e9-8df7-08e017108c5f","traceparent":"00-13ecc029f70668c81fa55cfbee6bd535-042b10976de3b80a-01"}', '\x', '2026-11-21 20:48:18.101922+00'),
	(48, 'session-ce73bd66-c63a-5989-83c1-a9b71067f90e', 5, 'f7e6083e-e68f-5d79-9438-322f04f4a03c', 'AnalysisStarted', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f","kind":"mirrormate","attempt":1}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f2b1-7547-aa59-7af643625a02","causation":"4c52637f-7947-5c3c-bdba-0cbf58daf311","actor":"sessions","traceparent":"00-13ecc029f70668c81fa55cfbee6bd535-042b10976de3b80a-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/30"}', '\x4c52637f79475c3cbdba0cbf58daf311', '2026-11-21 20:48:18.153142+00'),
	(49, 'session-ce73bd66-c63a-5989-83c1-a9b71067f90e', 6, 'f0d4f536-8985-5ad2-8a6b-bdd45c173dc9', 'AnalysisProgressed', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f","kind":"mirrormate","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f2b1-7547-aa59-7af643625a02","causation":"3f6e3e76-36a0-54a2-9a16-8d19191164af","actor":"sessions","traceparent":"00-13ecc029f70668c81fa55cfbee6bd535-042b10976de3b80a-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/31"}', '\x3f6e3e7636a054a29a168d19191164af', '2026-11-21 20:48:18.184807+00'),
	(50, 'session-ce73bd66-c63a-5989-83c1-a9b71067f90e', 7, 'e76ad2e9-9a79-5bef-b5cb-7714586409fd', 'AnalysisProgressed', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f","kind":"mirrormate","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f2b1-7547-aa59-7af643625a02","causation":"420d8c04-1276-5f37-afe8-3deb9481ad25","actor":"sessions","traceparent":"00-13ecc029f70668c81fa55cfbee6bd535-042b10976de3b80a-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/32"}', '\x420d8c0412765f37afe83deb9481ad25', '2026-11-21 20:48:18.232117+00'),
	(51, 'session-ce73bd66-c63a-5989-83c1-a9b71067f90e', 8, '5038960e-e9b0-5c48-ad8d-f0e7aa603b8d', 'AnalysisProgressed', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f","kind":"mirrormate","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f2b1-7547-aa59-7af643625a02","causation":"71432293-896c-5ae3-ac34-858efb26fd8f","actor":"sessions","traceparent":"00-13ecc029f70668c81fa55cfbee6bd535-042b10976de3b80a-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/33"}', '\x71432293896c5ae3ac34858efb26fd8f', '2026-11-21 20:48:18.276019+00'),
	(52, 'session-ce73bd66-c63a-5989-83c1-a9b71067f90e', 9, 'c3857fd7-1b26-500d-ae18-8c4a7c1b1817', 'AnalysisProgressed', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f","kind":"mirrormate","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f2b1-7547-aa59-7af643625a02","causation":"ebe3a763-e8bf-5fb3-a71b-9a335a03b4a5","actor":"sessions","traceparent":"00-13ecc029f70668c81fa55cfbee6bd535-042b10976de3b80a-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/34"}', '\xebe3a763e8bf5fb3a71b9a335a03b4a5', '2026-11-21 20:48:18.377488+00'),
	(53, 'session-ce73bd66-c63a-5989-83c1-a9b71067f90e', 10, '63170c7e-35e9-539c-bd04-67ab7f36944b', 'SessionCompleted', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f","kind":"mirrormate","reportId":"6950036a-ade9-5650-ad2d-f1c4ba0727ba"}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f2b1-7547-aa59-7af643625a02","causation":"71e55b4d-17c7-5013-9984-cbab2533cd16","actor":"sessions","traceparent":"00-13ecc029f70668c81fa55cfbee6bd535-042b10976de3b80a-01","origin":"reporting/c827503e-27b9-44bb-9886-36717b49f0f2/8"}', '\x71e55b4d17c750139984cbab2533cd16', '2026-11-21 20:48:18.567428+00'),
	(54, 'session-ce73bd66-c63a-5989-83c1-a9b71067f90e', 11, '4517d0e9-bf0a-573f-a729-9734c93eec66', 'SessionErased', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f","kind":"mirrormate"}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f48e-7a5e-9431-e192160e95ce","causation":"5f9accf3-649d-5407-9edb-ca71601e3e41","actor":"sessions","traceparent":"00-f5533794e3c7b78bdc7343d8157df5bc-6ed31f75bd8e228b-01","origin":"identity/fc03a36b-e35c-4bea-9125-ed0840733a55/15"}', '\x745fcfa2ef6f5b79ada998abaece3f92', '2026-11-21 20:48:18.651659+00'),
	(55, 'subject-413dc46a-0026-54e9-8df7-08e017108c5f', 1, 'a35bbef0-11bf-5ad5-a918-6e860202045a', 'SubjectErased', 1, '{"subjectId":"413dc46a-0026-54e9-8df7-08e017108c5f","removed":{"rows":1,"objects":2}}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f48e-7a5e-9431-e192160e95ce","causation":"5f9accf3-649d-5407-9edb-ca71601e3e41","actor":"sessions","traceparent":"00-f5533794e3c7b78bdc7343d8157df5bc-6ed31f75bd8e228b-01","origin":"identity/fc03a36b-e35c-4bea-9125-ed0840733a55/15"}', '\x5f9accf3649d54079edbca71601e3e41', '2026-11-21 20:48:18.655931+00'),
	(56, 'key-09a2d019-875c-523b-abe1-ac0ca8d6b43b', 1, '130d0920-1842-5f7e-8851-6b4f0f78e619', 'SigningKeyLearned', 1, '{"kid":"6471d4c3-f9ed-4460-8137-839dbe85fa83","x":"Qf-xU1RcGa56OfwR0XVVC8vZe5xmvbaS9ixgs-qgeFM","y":"HOFIrexT60scyfYu-9Km3WBX8jSnDykoXs0U_uoDjrI","notBefore":"2026-11-21T20:53:18.811814Z","expiresAt":"2026-12-21T20:53:18.811814Z"}', '{"correlation":"01a1ffdd-f580-742d-be8b-49707867ef9d","causation":"c0ce623a-86b2-50f6-866f-d5b5cc0a6ce6","actor":"sessions","origin":"identity/fc03a36b-e35c-4bea-9125-ed0840733a55/21"}', '\xc0ce623a86b250f6866fd5b5cc0a6ce6', '2026-11-21 20:48:18.872205+00');

INSERT INTO sessions.head VALUES
	(true, '67aa24d3-31b1-443b-a01e-a9981feea048', NULL);

INSERT INTO sessions.incarnations VALUES
	('67aa24d3-31b1-443b-a01e-a9981feea048', NULL, 0, '2026-11-21 20:48:11.874172+00');

INSERT INTO sessions.migrations VALUES
	('defaults', 'bbbc80e2f22d6c70', '2026-11-21 20:48:11.706714+00'),
	('scope', 'c7d456e957fc1364', '2026-11-21 20:48:11.784949+00'),
	('head', 'e72b49b65dda4c45', '2026-11-21 20:48:11.87499+00'),
	('events', 'bbfd42eb9788a7bd', '2026-11-21 20:48:11.933502+00'),
	('events_immutable', 'e01cf0229e7fd418', '2026-11-21 20:48:11.939707+00'),
	('erased_subjects', '2146bc0c2be40d91', '2026-11-21 20:48:11.95007+00'),
	('append_batch', '9f09a3219dbfffd4', '2026-11-21 20:48:11.970587+00'),
	('privileges', 'fdd9b5951144bb48', '2026-11-21 20:48:11.983005+00'),
	('relay', '1682739c19a064b0', '2026-11-21 20:48:12.011463+00'),
	('incarnation', '7e74a231e02a5b5a', '2026-11-21 20:48:12.027876+00'),
	('consumer_partitions', '48f1e25c7fe5bb7f', '2026-11-21 20:48:12.060741+00'),
	('parked_messages', '7e23a009eb467817', '2026-11-21 20:48:12.102965+00'),
	('projections', 'b60500a61b2cbb97', '2026-11-21 20:48:12.130926+00'),
	('rebuilds', '559cf9ed68b2b3bf', '2026-11-21 20:48:12.162319+00'),
	('rename_read_model', '86e564ba8b91283d', '2026-11-21 20:48:12.171977+00'),
	('begin_rebuild', 'c8cae99280351953', '2026-11-21 20:48:12.177005+00'),
	('complete_rebuild', '121993744112cac9', '2026-11-21 20:48:12.184445+00'),
	('switch_rebuild', 'f03d670e1faaf5bd', '2026-11-21 20:48:12.195055+00'),
	('undo_rebuild', '841c4c38c900d773', '2026-11-21 20:48:12.198305+00'),
	('drop_rebuild', 'cf1b4d618e545b4f', '2026-11-21 20:48:12.202958+00'),
	('request_key', 'eb88c0ad3dfad762', '2026-11-21 20:48:12.223375+00'),
	('signing_keys', 'cf99a50835fd752', '2026-11-21 20:48:12.244647+00'),
	('object_intents', '299a9fee0e13f609', '2026-11-21 20:48:12.26709+00'),
	('object_sweep', '1684e7c2309b09b2', '2026-11-21 20:48:12.271911+00'),
	('reader', '2a6dba18899e3b07', '2026-11-21 20:48:12.279201+00'),
	('session_list', 'b49557a1e9711c1b', '2026-11-21 20:48:12.314099+00'),
	('session_objects', 'd30d0dda40667885', '2026-11-21 20:48:12.320536+00');

INSERT INTO sessions.projections VALUES
	('session_list', 56);

INSERT INTO sessions.relay VALUES
	(true, 1, '01a1ffdd-de5f-781c-95d9-37f83bc9d4bd', '2026-11-21 20:48:24.977304+00', 56, NULL);

INSERT INTO sessions.relay_partitions VALUES
	(0, -1, 0, 0),
	(1, 4, 28, 1),
	(2, 3, 11, 1),
	(3, 2, 32, 1),
	(4, 7, 43, 1),
	(5, -1, 0, 0),
	(6, -1, 0, 0),
	(7, 4, 55, 1);

INSERT INTO sessions.request_key VALUES
	(true, '\x090467d44d064701a628aaa88ddbfe6c516ad8b785444a2c8ea973a38fef89bb');

INSERT INTO sessions.session_list VALUES
	('162adea7-e466-52fa-8144-11f1403ba12c', '339b3bd7-808b-5447-bdb9-0455de0d9159', 'mirrormate', 'complete', 100, '2026-11-21 20:48:14.914782+00', '2026-11-21 20:48:15.808364+00', '2026-11-21 21:48:14.914782+00', '2026-11-21 21:03:15.132115+00', '27615765-53d6-59cc-8341-541f050a495a', NULL, NULL, NULL),
	('490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc', 'e88f6646-fa20-5866-a935-0384095b5309', 'mirrormate', 'error', 10, '2026-11-21 20:48:15.978403+00', '2026-11-21 20:48:16.112851+00', '2026-11-21 21:48:15.978403+00', '2026-11-21 21:03:16.033879+00', NULL, 'unreadable', false, NULL),
	('1c3445d2-bc71-50b7-8956-6da9388132e5', 'c07d663c-8788-5a68-a5a6-4841a4503f57', 'mirrormate', 'complete', 100, '2026-11-21 20:48:16.327214+00', '2026-11-21 20:48:16.960447+00', '2026-11-21 21:48:16.327214+00', '2026-11-21 21:03:16.426613+00', '5b58a5ea-5fcd-5650-a26f-2fe5d843e9d5', NULL, NULL, NULL),
	('ac8d216c-fc50-596d-93d1-f1767cc04d63', 'c07d663c-8788-5a68-a5a6-4841a4503f57', 'mirrormate', 'refused', 0, '2026-11-21 20:48:16.971345+00', '2026-11-21 20:48:17.002165+00', '2026-11-21 21:48:16.971345+00', NULL, NULL, NULL, NULL, '{"code":"quota-exceeded","resetsAt":"2026-11-21T23:00:00.000000Z"}'),
	('8bfbf10c-424e-5c21-9f1b-1ecc95c23461', 'f4674116-33e2-5e03-a073-ba1d7cae582c', 'mirrormate', 'cancelled', 0, '2026-11-21 20:48:17.205773+00', '2026-11-21 20:48:17.243364+00', '2026-11-21 21:48:17.205773+00', NULL, NULL, NULL, NULL, NULL);

INSERT INTO sessions.signing_keys VALUES
	('029fd939-d459-49ff-abba-f4b23c2939ce', '-oYPS9Ntl4vPRwZa8ZDOhZdbNL3ng-HDzCMYLJ-V2KE', 'Ps2gQXywZNKywcsf1rHLxUvGAvE_t5ktnSV1u5wlEgs', '2026-11-21 20:48:12.921559+00', '2026-12-21 20:48:12.921559+00', NULL),
	('6471d4c3-f9ed-4460-8137-839dbe85fa83', 'Qf-xU1RcGa56OfwR0XVVC8vZe5xmvbaS9ixgs-qgeFM', 'HOFIrexT60scyfYu-9Km3WBX8jSnDykoXs0U_uoDjrI', '2026-11-21 20:53:18.811814+00', '2026-12-21 20:53:18.811814+00', NULL);

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

