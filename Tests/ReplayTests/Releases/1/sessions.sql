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
	('mirrormate.quota.v1', 0, 1, 1, '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/lease/1', '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 2, 1, 3, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/15', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 15, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 1, 1, 1, '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/lease/1', '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 4, 1, 3, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/21', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 21, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 5, 1, 9, 'cede896f-913d-4474-85e1-049f96458434/19', 'cede896f-913d-4474-85e1-049f96458434', 19, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 3, 1, 2, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/2', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 2, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 3, 1, 7, 'cede896f-913d-4474-85e1-049f96458434/8', 'cede896f-913d-4474-85e1-049f96458434', 8, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 5, 1, 4, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/8', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 8, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 6, 1, 2, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/9', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 9, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 7, 1, 2, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/11', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 11, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 0, 1, 1, 'cede896f-913d-4474-85e1-049f96458434/lease/1', 'cede896f-913d-4474-85e1-049f96458434', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 7, 1, 7, 'cede896f-913d-4474-85e1-049f96458434/27', 'cede896f-913d-4474-85e1-049f96458434', 27, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 2, 1, 4, '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/17', '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed', 17, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 2, 1, 8, 'cede896f-913d-4474-85e1-049f96458434/37', 'cede896f-913d-4474-85e1-049f96458434', 37, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 4, 1, 1, 'cede896f-913d-4474-85e1-049f96458434/lease/1', 'cede896f-913d-4474-85e1-049f96458434', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 1, 1, 1, 'cede896f-913d-4474-85e1-049f96458434/lease/1', 'cede896f-913d-4474-85e1-049f96458434', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 0, 1, 1, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/lease/1', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 6, 1, 1, 'cede896f-913d-4474-85e1-049f96458434/lease/1', 'cede896f-913d-4474-85e1-049f96458434', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 1, 1, 1, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/lease/1', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 4, 1, 1, '0f9efb1c-23c7-4ab6-9616-9e7c697f8323/lease/1', '0f9efb1c-23c7-4ab6-9616-9e7c697f8323', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 6, 1, 1, '0f9efb1c-23c7-4ab6-9616-9e7c697f8323/lease/1', '0f9efb1c-23c7-4ab6-9616-9e7c697f8323', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 1, 1, 1, '0f9efb1c-23c7-4ab6-9616-9e7c697f8323/lease/1', '0f9efb1c-23c7-4ab6-9616-9e7c697f8323', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 5, 1, 7, '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/9', '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed', 9, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 6, 1, 3, '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/12', '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed', 12, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 7, 1, 3, '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/14', '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed', 14, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 7, 1, 3, '0f9efb1c-23c7-4ab6-9616-9e7c697f8323/7', '0f9efb1c-23c7-4ab6-9616-9e7c697f8323', 7, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 3, 1, 2, '0f9efb1c-23c7-4ab6-9616-9e7c697f8323/2', '0f9efb1c-23c7-4ab6-9616-9e7c697f8323', 2, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 2, 1, 3, '0f9efb1c-23c7-4ab6-9616-9e7c697f8323/10', '0f9efb1c-23c7-4ab6-9616-9e7c697f8323', 10, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 4, 1, 1, '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/lease/1', '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 0, 1, 1, '0f9efb1c-23c7-4ab6-9616-9e7c697f8323/lease/1', '0f9efb1c-23c7-4ab6-9616-9e7c697f8323', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 3, 1, 3, '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/3', '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed', 3, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 5, 1, 2, '0f9efb1c-23c7-4ab6-9616-9e7c697f8323/4', '0f9efb1c-23c7-4ab6-9616-9e7c697f8323', 4, 1, NULL, false, NULL, 0, NULL);

INSERT INTO sessions.erased_subjects VALUES
	('a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f', '2026-11-21 20:36:00.882654+00');

INSERT INTO sessions.events VALUES
	(1, 'key-cd280822-1356-59af-8963-94fa8ff4af20', 1, 'fc52a90d-8540-5d80-8470-dacee0b998c3', 'SigningKeyLearned', 1, '{"kid":"1a913ef4-e2ba-41db-bcf3-f99a3250d402","x":"OqAVIdGGkF7xhXZEXcO0UiY1MQt9MXmKEpOiskHZpok","y":"Wx6X5UEgLtEp1_TAjrWOMaHQnVJwrdU7CrowZy3KGrs","notBefore":"2026-11-21T20:35:54.128955Z","expiresAt":"2026-12-21T20:35:54.128955Z"}', '{"correlation":"01a1ffd2-9893-7ac4-a4d5-f6cd391a34f7","causation":"c1e7b374-fc1f-52f4-980a-e54213c2d9d5","actor":"sessions","origin":"identity/8dfa18f7-2761-4fce-bdc9-4926f49c3338/1"}', '\xc1e7b374fc1f52f4980ae54213c2d9d5', '2026-11-21 20:35:56.440668+00'),
	(2, 'session-c4128d3b-82b0-5498-b2f0-b9622c202d6b', 1, '7d84bbee-180d-5d9b-9e77-b468a085528e', 'SessionCreated', 1, '{"sessionId":"c4128d3b-82b0-5498-b2f0-b9622c202d6b","ownerId":"75365c24-94e0-55af-8523-88fff106a5f1","kind":"mirrormate","timeZone":"Europe/Berlin","createdAt":"2026-11-21T20:35:57.701074Z","expiresAt":"2026-11-21T21:35:57.701074Z","contentType":"video/mp4","contentLength":4096}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a685-7231-884f-fe4124811a60","actor":"75365c24-94e0-55af-8523-88fff106a5f1","traceparent":"00-ee4d6404efb580e296d21cf319df1db1-8fd37f59435705ac-01"}', '\xbf0de8a244591c9e4b576415d662514c4a9edb6a6104ab0600b63829ddb11ac9', '2026-11-21 20:35:57.704425+00'),
	(3, 'session-c4128d3b-82b0-5498-b2f0-b9622c202d6b', 2, '7947a059-c9eb-57ac-a61a-175b2aaf0458', 'SessionAdmitted', 1, '{"sessionId":"c4128d3b-82b0-5498-b2f0-b9622c202d6b","ownerId":"75365c24-94e0-55af-8523-88fff106a5f1","kind":"mirrormate"}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a685-7231-884f-fe4124811a60","causation":"bc63b631-9d57-5e23-8d98-ed79f6cb2bc8","actor":"sessions","traceparent":"00-ee4d6404efb580e296d21cf319df1db1-8fd37f59435705ac-01","origin":"quota/983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/2"}', '\xbc63b6319d575e238d98ed79f6cb2bc8', '2026-11-21 20:35:57.836915+00'),
	(4, 'session-c4128d3b-82b0-5498-b2f0-b9622c202d6b', 3, 'c0501248-1346-5dc6-8cd4-b5292a53d6f1', 'UploadStored', 1, '{"sessionId":"c4128d3b-82b0-5498-b2f0-b9622c202d6b","ownerId":"75365c24-94e0-55af-8523-88fff106a5f1","kind":"mirrormate","media":{"key":"uploads/75365c24-94e0-55af-8523-88fff106a5f1/c4128d3b-82b0-5498-b2f0-b9622c202d6b/01a1ffd2-a71d-72f5-90fa-ae863ed771c0","sha256":"a44728954632d3c621f6a2ec04b9c05d71e5fc5f675a8c2d2829e6bc3dcfa71f","sizeBytes":4096,"contentType":"video/mp4"}}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a725-7cb4-a69b-deb9d1d28aa2","actor":"75365c24-94e0-55af-8523-88fff106a5f1","traceparent":"00-ee110cbeef102ad144ca060a154b8de0-46a4a12e9378869e-01"}', '\x', '2026-11-21 20:35:57.86453+00'),
	(5, 'session-c4128d3b-82b0-5498-b2f0-b9622c202d6b', 4, 'c8cc80b3-9fbb-5e5a-b58f-709658ba4115', 'UploadFinalized', 1, '{"sessionId":"c4128d3b-82b0-5498-b2f0-b9622c202d6b","ownerId":"75365c24-94e0-55af-8523-88fff106a5f1","kind":"mirrormate","media":{"key":"media/75365c24-94e0-55af-8523-88fff106a5f1/c4128d3b-82b0-5498-b2f0-b9622c202d6b/1c5b944b-99db-5e2c-9370-ee3bf5710154","sha256":"a44728954632d3c621f6a2ec04b9c05d71e5fc5f675a8c2d2829e6bc3dcfa71f","sizeBytes":4096,"contentType":"video/mp4"},"deadline":"2026-11-21T20:50:57.875672Z"}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a738-7810-9c2c-d21b2df5352a","actor":"75365c24-94e0-55af-8523-88fff106a5f1","traceparent":"00-7fbe18bc6b7b48c6904594961ee5f1c6-f60d172e05b1b154-01"}', '\x', '2026-11-21 20:35:57.902052+00'),
	(6, 'session-c4128d3b-82b0-5498-b2f0-b9622c202d6b', 5, '8ab09737-d2a5-582b-8ae5-0da43934e225', 'AnalysisStarted', 1, '{"sessionId":"c4128d3b-82b0-5498-b2f0-b9622c202d6b","ownerId":"75365c24-94e0-55af-8523-88fff106a5f1","kind":"mirrormate","attempt":1}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a738-7810-9c2c-d21b2df5352a","causation":"4502f49c-63f0-53b1-8644-bc6be655b831","actor":"sessions","traceparent":"00-7fbe18bc6b7b48c6904594961ee5f1c6-f60d172e05b1b154-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/3"}', '\x4502f49c63f053b18644bc6be655b831', '2026-11-21 20:35:58.037443+00'),
	(7, 'session-c4128d3b-82b0-5498-b2f0-b9622c202d6b', 6, '16c2792b-08fa-5e37-b0f4-9e6440b7333e', 'AnalysisProgressed', 1, '{"sessionId":"c4128d3b-82b0-5498-b2f0-b9622c202d6b","ownerId":"75365c24-94e0-55af-8523-88fff106a5f1","kind":"mirrormate","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a738-7810-9c2c-d21b2df5352a","causation":"e9100d1c-c96a-5637-a000-6be1539c8483","actor":"sessions","traceparent":"00-7fbe18bc6b7b48c6904594961ee5f1c6-f60d172e05b1b154-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/4"}', '\xe9100d1cc96a5637a0006be1539c8483', '2026-11-21 20:35:58.070128+00'),
	(8, 'session-c4128d3b-82b0-5498-b2f0-b9622c202d6b', 7, 'f96bd2a7-acf6-5b9e-ab13-25b4e76551ab', 'AnalysisProgressed', 1, '{"sessionId":"c4128d3b-82b0-5498-b2f0-b9622c202d6b","ownerId":"75365c24-94e0-55af-8523-88fff106a5f1","kind":"mirrormate","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a738-7810-9c2c-d21b2df5352a","causation":"4a2d8116-7ea6-53cd-9a28-537d97743db7","actor":"sessions","traceparent":"00-7fbe18bc6b7b48c6904594961ee5f1c6-f60d172e05b1b154-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/5"}', '\x4a2d81167ea653cd9a28537d97743db7', '2026-11-21 20:35:58.11651+00'),
	(9, 'session-c4128d3b-82b0-5498-b2f0-b9622c202d6b', 8, 'f4af726b-08a5-5fdb-a18b-00395e62957f', 'AnalysisProgressed', 1, '{"sessionId":"c4128d3b-82b0-5498-b2f0-b9622c202d6b","ownerId":"75365c24-94e0-55af-8523-88fff106a5f1","kind":"mirrormate","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a738-7810-9c2c-d21b2df5352a","causation":"a15b1ee3-88d1-5a02-b45a-dadecd4c5a03","actor":"sessions","traceparent":"00-7fbe18bc6b7b48c6904594961ee5f1c6-f60d172e05b1b154-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/6"}', '\xa15b1ee388d15a02b45adadecd4c5a03', '2026-11-21 20:35:58.166094+00'),
	(10, 'session-c4128d3b-82b0-5498-b2f0-b9622c202d6b', 9, '110ce93f-43a5-5f68-9922-cf2685418df8', 'AnalysisProgressed', 1, '{"sessionId":"c4128d3b-82b0-5498-b2f0-b9622c202d6b","ownerId":"75365c24-94e0-55af-8523-88fff106a5f1","kind":"mirrormate","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a738-7810-9c2c-d21b2df5352a","causation":"90bb770d-b142-5f78-b691-79f6ae0d2d57","actor":"sessions","traceparent":"00-7fbe18bc6b7b48c6904594961ee5f1c6-f60d172e05b1b154-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/7"}', '\x90bb770db1425f78b69179f6ae0d2d57', '2026-11-21 20:35:58.270034+00'),
	(11, 'session-c4128d3b-82b0-5498-b2f0-b9622c202d6b', 10, 'f2f28ff2-d6bd-55f3-a009-e0e07ce42ecd', 'SessionCompleted', 1, '{"sessionId":"c4128d3b-82b0-5498-b2f0-b9622c202d6b","ownerId":"75365c24-94e0-55af-8523-88fff106a5f1","kind":"mirrormate","reportId":"d5378c8b-6a03-501c-97ea-7796642e8adc"}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a738-7810-9c2c-d21b2df5352a","causation":"1f0b16d4-099a-5cef-9b92-343c7a0935f5","actor":"sessions","traceparent":"00-7fbe18bc6b7b48c6904594961ee5f1c6-f60d172e05b1b154-01","origin":"reporting/0f9efb1c-23c7-4ab6-9616-9e7c697f8323/2"}', '\x1f0b16d4099a5cef9b92343c7a0935f5', '2026-11-21 20:35:58.460488+00'),
	(12, 'session-4683d60c-4ecf-5f26-b224-ae44b5762002', 1, '97d88283-8e1e-554e-9e27-e308cc5dad88', 'SessionCreated', 1, '{"sessionId":"4683d60c-4ecf-5f26-b224-ae44b5762002","ownerId":"5454bc4f-b364-5540-9f86-899d9f5076a1","kind":"mirrormate","timeZone":"Europe/Berlin","createdAt":"2026-11-21T20:35:58.595501Z","expiresAt":"2026-11-21T21:35:58.595501Z","contentType":"video/mp4","contentLength":4096}', '{"owner":"5454bc4f-b364-5540-9f86-899d9f5076a1","correlation":"01a1ffd2-aa03-789b-bfe4-51276b0706b1","actor":"5454bc4f-b364-5540-9f86-899d9f5076a1","traceparent":"00-46aef9bd44f8cc6ad1bb1e4bd38cb356-f0a34c1609e1417b-01"}', '\xbf0de8a244591c9e4b576415d662514c4a9edb6a6104ab0600b63829ddb11ac9', '2026-11-21 20:35:58.601789+00'),
	(13, 'session-4683d60c-4ecf-5f26-b224-ae44b5762002', 2, 'b1603265-62f2-58d1-acb5-6f1472cf1216', 'SessionAdmitted', 1, '{"sessionId":"4683d60c-4ecf-5f26-b224-ae44b5762002","ownerId":"5454bc4f-b364-5540-9f86-899d9f5076a1","kind":"mirrormate"}', '{"owner":"5454bc4f-b364-5540-9f86-899d9f5076a1","correlation":"01a1ffd2-aa03-789b-bfe4-51276b0706b1","causation":"6cceeec8-a88b-59c4-bdc1-55ce3ef8056b","actor":"sessions","traceparent":"00-46aef9bd44f8cc6ad1bb1e4bd38cb356-f0a34c1609e1417b-01","origin":"quota/983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/4"}', '\x6cceeec8a88b59c4bdc155ce3ef8056b', '2026-11-21 20:35:58.644378+00'),
	(14, 'session-4683d60c-4ecf-5f26-b224-ae44b5762002', 3, 'e50e6409-b152-5a15-b5aa-9589bd7ae7df', 'UploadStored', 1, '{"sessionId":"4683d60c-4ecf-5f26-b224-ae44b5762002","ownerId":"5454bc4f-b364-5540-9f86-899d9f5076a1","kind":"mirrormate","media":{"key":"uploads/5454bc4f-b364-5540-9f86-899d9f5076a1/4683d60c-4ecf-5f26-b224-ae44b5762002/01a1ffd2-aa46-780c-b7f3-d6bc3cc05437","sha256":"f909ca276d885446e20471c7ab2f4ef8599ca9716801eb2cc2ccb8d308513481","sizeBytes":4096,"contentType":"video/mp4"}}', '{"owner":"5454bc4f-b364-5540-9f86-899d9f5076a1","correlation":"01a1ffd2-aa4e-75b2-8804-b8db0c63739a","actor":"5454bc4f-b364-5540-9f86-899d9f5076a1","traceparent":"00-dc33b4dc772a6baa31cecfd027265802-b40c31ba99bf9d99-01"}', '\x', '2026-11-21 20:35:58.672424+00'),
	(15, 'session-4683d60c-4ecf-5f26-b224-ae44b5762002', 4, 'ad19e37f-bb41-5325-bcd4-4e611c41f417', 'UploadFinalized', 1, '{"sessionId":"4683d60c-4ecf-5f26-b224-ae44b5762002","ownerId":"5454bc4f-b364-5540-9f86-899d9f5076a1","kind":"mirrormate","media":{"key":"media/5454bc4f-b364-5540-9f86-899d9f5076a1/4683d60c-4ecf-5f26-b224-ae44b5762002/440a04fc-5de8-54cd-a31b-00d9533fa37e","sha256":"f909ca276d885446e20471c7ab2f4ef8599ca9716801eb2cc2ccb8d308513481","sizeBytes":4096,"contentType":"video/mp4"},"deadline":"2026-11-21T20:50:58.677298Z"}', '{"owner":"5454bc4f-b364-5540-9f86-899d9f5076a1","correlation":"01a1ffd2-aa59-79be-a883-6d19b3fd244c","actor":"5454bc4f-b364-5540-9f86-899d9f5076a1","traceparent":"00-2155862512a18cbcd50b4ad1ea14349a-8be09b7e48d3f864-01"}', '\x', '2026-11-21 20:35:58.68276+00'),
	(16, 'session-4683d60c-4ecf-5f26-b224-ae44b5762002', 5, '6e146576-68e9-5c02-844a-af821daf4fb2', 'AnalysisStarted', 1, '{"sessionId":"4683d60c-4ecf-5f26-b224-ae44b5762002","ownerId":"5454bc4f-b364-5540-9f86-899d9f5076a1","kind":"mirrormate","attempt":1}', '{"owner":"5454bc4f-b364-5540-9f86-899d9f5076a1","correlation":"01a1ffd2-aa59-79be-a883-6d19b3fd244c","causation":"553b8ca7-b2ef-567a-b652-4f2a9b447d88","actor":"sessions","traceparent":"00-2155862512a18cbcd50b4ad1ea14349a-8be09b7e48d3f864-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/10"}', '\x553b8ca7b2ef567ab6524f2a9b447d88', '2026-11-21 20:35:58.719574+00'),
	(17, 'session-4683d60c-4ecf-5f26-b224-ae44b5762002', 6, '3a4f8fbe-fc5f-50e1-abd8-b21fa3a11e8c', 'SessionFailed', 1, '{"sessionId":"4683d60c-4ecf-5f26-b224-ae44b5762002","ownerId":"5454bc4f-b364-5540-9f86-899d9f5076a1","kind":"mirrormate","code":"unreadable","retryable":false}', '{"owner":"5454bc4f-b364-5540-9f86-899d9f5076a1","correlation":"01a1ffd2-aa59-79be-a883-6d19b3fd244c","causation":"932f3a79-36b3-51ad-8152-2ef97a2b1b22","actor":"sessions","traceparent":"00-2155862512a18cbcd50b4ad1ea14349a-8be09b7e48d3f864-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/12"}', '\x932f3a7936b351ad81522ef97a2b1b22', '2026-11-21 20:35:58.736682+00'),
	(18, 'session-70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', 1, 'f527ca3d-91bf-5ea0-82f9-a9bf3022aa7e', 'SessionCreated', 1, '{"sessionId":"70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","kind":"mirrormate","timeZone":"Europe/Berlin","createdAt":"2026-11-21T20:35:58.855484Z","expiresAt":"2026-11-21T21:35:58.855484Z","contentType":"video/mp4","contentLength":4096}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ab07-783d-a78f-0b709bb53cc2","actor":"851cf01d-c569-599e-a772-d80fe93e9065","traceparent":"00-2e0203e260347500430672e9c230e403-127e8d6eae415a73-01"}', '\xbf0de8a244591c9e4b576415d662514c4a9edb6a6104ab0600b63829ddb11ac9', '2026-11-21 20:35:58.857799+00'),
	(19, 'session-70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', 2, 'bfc97a83-79b1-5f8d-954f-0c0d2d5b1b46', 'SessionAdmitted', 1, '{"sessionId":"70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","kind":"mirrormate"}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ab07-783d-a78f-0b709bb53cc2","causation":"1270f353-8dc0-5536-8eff-7f46319d4587","actor":"sessions","traceparent":"00-2e0203e260347500430672e9c230e403-127e8d6eae415a73-01","origin":"quota/983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/6"}', '\x1270f3538dc055368eff7f46319d4587', '2026-11-21 20:35:58.880241+00'),
	(20, 'session-70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', 3, 'fe01e02d-b2d8-5f02-995c-cf299ffd6671', 'UploadStored', 1, '{"sessionId":"70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","kind":"mirrormate","media":{"key":"uploads/851cf01d-c569-599e-a772-d80fe93e9065/70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4/01a1ffd2-ab33-78d9-b6e6-7e5081249b22","sha256":"7da3706f54fe213baf3e900573b362f317b64f9b9a522b911e9f66da0e3abee0","sizeBytes":4096,"contentType":"video/mp4"}}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ab3b-7287-99a4-c11683f04597","actor":"851cf01d-c569-599e-a772-d80fe93e9065","traceparent":"00-307fe6b9b8040a42d7c465520da7424f-2540673c753bf560-01"}', '\x', '2026-11-21 20:35:58.909018+00'),
	(21, 'session-70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', 4, '1c3288e3-179c-5c36-afda-acd957df973d', 'UploadFinalized', 1, '{"sessionId":"70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","kind":"mirrormate","media":{"key":"media/851cf01d-c569-599e-a772-d80fe93e9065/70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4/f8cade1a-becd-541e-9a3e-3608d72d102d","sha256":"7da3706f54fe213baf3e900573b362f317b64f9b9a522b911e9f66da0e3abee0","sizeBytes":4096,"contentType":"video/mp4"},"deadline":"2026-11-21T20:50:58.915231Z"}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ab49-7bae-8db0-3b1b32517464","actor":"851cf01d-c569-599e-a772-d80fe93e9065","traceparent":"00-856989d73ec86b8cf507a651422b1659-887e218a61389c29-01"}', '\x', '2026-11-21 20:35:58.922828+00'),
	(22, 'session-70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', 5, '8b30aa56-f3ca-521c-bb84-55238f536822', 'AnalysisStarted', 1, '{"sessionId":"70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","kind":"mirrormate","attempt":1}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ab49-7bae-8db0-3b1b32517464","causation":"87a4d954-cfec-5ea6-a122-26289a9b7f2c","actor":"sessions","traceparent":"00-856989d73ec86b8cf507a651422b1659-887e218a61389c29-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/14"}', '\x87a4d954cfec5ea6a12226289a9b7f2c', '2026-11-21 20:35:58.967577+00'),
	(23, 'session-70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', 6, 'a27c3246-dfbd-5bd4-95e6-60cd0e7e7f3a', 'AnalysisProgressed', 1, '{"sessionId":"70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","kind":"mirrormate","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ab49-7bae-8db0-3b1b32517464","causation":"6c70cc19-ebf3-557c-91ab-3f7c909ddbfb","actor":"sessions","traceparent":"00-856989d73ec86b8cf507a651422b1659-887e218a61389c29-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/15"}', '\x6c70cc19ebf3557c91ab3f7c909ddbfb', '2026-11-21 20:35:59.007277+00'),
	(24, 'session-70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', 7, '3bd82b58-e989-5d69-85f2-8b85c113ead4', 'AnalysisProgressed', 1, '{"sessionId":"70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","kind":"mirrormate","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ab49-7bae-8db0-3b1b32517464","causation":"398daa50-9ef4-5835-9778-7b3bb5ad2051","actor":"sessions","traceparent":"00-856989d73ec86b8cf507a651422b1659-887e218a61389c29-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/16"}', '\x398daa509ef4583597787b3bb5ad2051', '2026-11-21 20:35:59.05995+00'),
	(25, 'session-70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', 8, '042e4589-734b-5221-8b95-3adcae8f05f6', 'AnalysisProgressed', 1, '{"sessionId":"70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","kind":"mirrormate","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ab49-7bae-8db0-3b1b32517464","causation":"2b8d9d5d-2457-5971-a7f9-a533cf2aa232","actor":"sessions","traceparent":"00-856989d73ec86b8cf507a651422b1659-887e218a61389c29-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/17"}', '\x2b8d9d5d24575971a7f9a533cf2aa232', '2026-11-21 20:35:59.114979+00'),
	(26, 'session-70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', 9, '694e42fe-cecb-5d9f-b71d-1121af07654a', 'AnalysisProgressed', 1, '{"sessionId":"70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","kind":"mirrormate","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ab49-7bae-8db0-3b1b32517464","causation":"3fc0860b-47b5-5d05-8d10-1fc60bcfbcb1","actor":"sessions","traceparent":"00-856989d73ec86b8cf507a651422b1659-887e218a61389c29-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/18"}', '\x3fc0860b47b55d058d101fc60bcfbcb1', '2026-11-21 20:35:59.208792+00'),
	(27, 'session-70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', 10, 'e7278de0-a659-5a86-99e8-aebc6aff7e5b', 'SessionCompleted', 1, '{"sessionId":"70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","kind":"mirrormate","reportId":"66d4cd29-ee5b-58ed-9c1b-f6d9daae0065"}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ab49-7bae-8db0-3b1b32517464","causation":"667b1934-cd8d-5b4e-9a4b-231cf0b10e21","actor":"sessions","traceparent":"00-856989d73ec86b8cf507a651422b1659-887e218a61389c29-01","origin":"reporting/0f9efb1c-23c7-4ab6-9616-9e7c697f8323/4"}', '\x667b1934cd8d5b4e9a4b231cf0b10e21', '2026-11-21 20:35:59.353996+00'),
	(28, 'session-bdaf86b4-e595-5ad8-ab8f-af5aaee4127c', 1, '7393a3b0-2426-5987-a645-417a572a5205', 'SessionCreated', 1, '{"sessionId":"bdaf86b4-e595-5ad8-ab8f-af5aaee4127c","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","kind":"mirrormate","timeZone":"Europe/Berlin","createdAt":"2026-11-21T20:35:59.375906Z","expiresAt":"2026-11-21T21:35:59.375906Z","contentType":"video/mp4","contentLength":4096}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ad0f-7f26-90c0-28a46a4d7198","actor":"851cf01d-c569-599e-a772-d80fe93e9065","traceparent":"00-b96ac44c8909c1164d09752b3fad7923-cd2481dbe2fb4753-01"}', '\xbf0de8a244591c9e4b576415d662514c4a9edb6a6104ab0600b63829ddb11ac9', '2026-11-21 20:35:59.381476+00'),
	(29, 'session-bdaf86b4-e595-5ad8-ab8f-af5aaee4127c', 2, '8d44ac4c-cc6c-557d-a755-a3f33b222818', 'SessionRefused', 1, '{"sessionId":"bdaf86b4-e595-5ad8-ab8f-af5aaee4127c","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","kind":"mirrormate","code":"quota-exceeded","resetsAt":"2026-11-21T23:00:00.000000Z"}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ad0f-7f26-90c0-28a46a4d7198","causation":"1e83a098-0574-503e-9990-a6fb0248285d","actor":"sessions","traceparent":"00-b96ac44c8909c1164d09752b3fad7923-cd2481dbe2fb4753-01","origin":"quota/983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/8"}', '\x1e83a0980574503e9990a6fb0248285d', '2026-11-21 20:35:59.413055+00'),
	(30, 'session-e17bb9d5-cb9b-54ad-bc55-2a9f8a5c7d2c', 1, 'b38ded6a-4cff-55cc-85a6-17ec66e090ab', 'SessionCreated', 1, '{"sessionId":"e17bb9d5-cb9b-54ad-bc55-2a9f8a5c7d2c","ownerId":"dd778d0c-6c98-53c7-b77f-f42626ebf274","kind":"mirrormate","timeZone":"Europe/Berlin","createdAt":"2026-11-21T20:35:59.621607Z","expiresAt":"2026-11-21T21:35:59.621607Z","contentType":"video/mp4","contentLength":4096}', '{"owner":"dd778d0c-6c98-53c7-b77f-f42626ebf274","correlation":"01a1ffd2-ae05-7aac-b450-b2f4636c6c66","actor":"dd778d0c-6c98-53c7-b77f-f42626ebf274","traceparent":"00-4d70741fbec15ad2942b189b2ad86829-d6a88fc952e30a2f-01"}', '\xbf0de8a244591c9e4b576415d662514c4a9edb6a6104ab0600b63829ddb11ac9', '2026-11-21 20:35:59.626336+00'),
	(31, 'session-e17bb9d5-cb9b-54ad-bc55-2a9f8a5c7d2c', 2, '14ba6b54-8db3-5d13-8f73-7087552fbe09', 'SessionAdmitted', 1, '{"sessionId":"e17bb9d5-cb9b-54ad-bc55-2a9f8a5c7d2c","ownerId":"dd778d0c-6c98-53c7-b77f-f42626ebf274","kind":"mirrormate"}', '{"owner":"dd778d0c-6c98-53c7-b77f-f42626ebf274","correlation":"01a1ffd2-ae05-7aac-b450-b2f4636c6c66","causation":"efe28195-ed08-5c42-8955-e470e5d73a30","actor":"sessions","traceparent":"00-4d70741fbec15ad2942b189b2ad86829-d6a88fc952e30a2f-01","origin":"quota/983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/11"}', '\xefe28195ed085c428955e470e5d73a30', '2026-11-21 20:35:59.663868+00'),
	(32, 'session-e17bb9d5-cb9b-54ad-bc55-2a9f8a5c7d2c', 3, '118a8a2e-9b35-549f-94c1-eed9d5b37ed3', 'SessionCancelled', 1, '{"sessionId":"e17bb9d5-cb9b-54ad-bc55-2a9f8a5c7d2c","ownerId":"dd778d0c-6c98-53c7-b77f-f42626ebf274","kind":"mirrormate","analysisStarted":false}', '{"owner":"dd778d0c-6c98-53c7-b77f-f42626ebf274","correlation":"01a1ffd2-ae35-7b78-92cb-254579299e5c","actor":"dd778d0c-6c98-53c7-b77f-f42626ebf274","traceparent":"00-0f80b022b0af4bd8de360dd845cb786e-4f12a2547e1f0b3c-01"}', '\x', '2026-11-21 20:35:59.672023+00'),
	(33, 'session-d324d888-8cb9-5d69-8f54-add8239f3664', 1, 'd7fdd95d-006d-51c9-93c8-048376f7a492', 'SessionCreated', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","kind":"mirrormate","timeZone":"Europe/Berlin","createdAt":"2026-11-21T20:35:59.768780Z","expiresAt":"2026-11-21T21:35:59.768780Z","contentType":"video/mp4","contentLength":4096}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-ae98-7cf9-a195-e2e47ca3dca9","actor":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","traceparent":"00-4f2ea9bbc96f8f3e475a069107c41f96-be4e00abccbc0222-01"}', '\xbf0de8a244591c9e4b576415d662514c4a9edb6a6104ab0600b63829ddb11ac9', '2026-11-21 20:35:59.770052+00'),
	(34, 'session-d324d888-8cb9-5d69-8f54-add8239f3664', 2, '1f44895d-929f-5871-b426-e870d1190f5b', 'SessionAdmitted', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","kind":"mirrormate"}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-ae98-7cf9-a195-e2e47ca3dca9","causation":"05dbdd7e-fc2a-5342-9349-61e659230129","actor":"sessions","traceparent":"00-4f2ea9bbc96f8f3e475a069107c41f96-be4e00abccbc0222-01","origin":"quota/983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/13"}', '\x05dbdd7efc2a5342934961e659230129', '2026-11-21 20:35:59.794347+00'),
	(35, 'session-d324d888-8cb9-5d69-8f54-add8239f3664', 3, '42e4524c-4f20-57fe-8420-6816eade911c', 'UploadStored', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","kind":"mirrormate","media":{"key":"uploads/6b16b53f-3412-55d4-8eb5-f7e3d9c76825/d324d888-8cb9-5d69-8f54-add8239f3664/01a1ffd2-aebb-747e-b8d6-8a47f06e9259","sha256":"7c05db894a58e2bc6675ab33db1a4a6bb56db9bbdb953220a1fee849f08c9187","sizeBytes":4096,"contentType":"video/mp4"}}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-aebf-7702-96cd-22410f08684d","actor":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","traceparent":"00-3c58bb2c359cbcc04456c774852823b1-6d28d2b4d68fcba4-01"}', '\x', '2026-11-21 20:35:59.808427+00'),
	(36, 'session-d324d888-8cb9-5d69-8f54-add8239f3664', 4, 'd60a8095-74b3-56cb-9328-d65913056d3b', 'UploadFinalized', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","kind":"mirrormate","media":{"key":"media/6b16b53f-3412-55d4-8eb5-f7e3d9c76825/d324d888-8cb9-5d69-8f54-add8239f3664/d60cb26c-087b-5d80-9c87-98d550a38f9c","sha256":"7c05db894a58e2bc6675ab33db1a4a6bb56db9bbdb953220a1fee849f08c9187","sizeBytes":4096,"contentType":"video/mp4"},"deadline":"2026-11-21T20:50:59.814586Z"}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-aecd-7fce-b0f5-a37f450149d5","actor":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","traceparent":"00-87a4325c7fb1c9e36167c9db1518487a-66eca206921192c7-01"}', '\x', '2026-11-21 20:35:59.823399+00'),
	(37, 'session-d324d888-8cb9-5d69-8f54-add8239f3664', 5, '2195b194-cb5d-51bf-b5da-2c49e98028a6', 'AnalysisStarted', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","kind":"mirrormate","attempt":1}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-aecd-7fce-b0f5-a37f450149d5","causation":"fc286433-10e4-5386-8fd3-1bb8b4da69d6","actor":"sessions","traceparent":"00-87a4325c7fb1c9e36167c9db1518487a-66eca206921192c7-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/22"}', '\xfc28643310e453868fd31bb8b4da69d6', '2026-11-21 20:35:59.861328+00'),
	(38, 'session-d324d888-8cb9-5d69-8f54-add8239f3664', 6, 'be147778-942c-5901-8984-c2aa1bea15ce', 'AnalysisProgressed', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","kind":"mirrormate","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-aecd-7fce-b0f5-a37f450149d5","causation":"0f8821d5-424c-581f-aec4-29cfc0397cd9","actor":"sessions","traceparent":"00-87a4325c7fb1c9e36167c9db1518487a-66eca206921192c7-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/23"}', '\x0f8821d5424c581faec429cfc0397cd9', '2026-11-21 20:35:59.876968+00'),
	(39, 'session-d324d888-8cb9-5d69-8f54-add8239f3664', 7, 'ac50d434-788e-59e2-a865-958f86b39ed1', 'AnalysisProgressed', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","kind":"mirrormate","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-aecd-7fce-b0f5-a37f450149d5","causation":"0904539a-0b20-5b91-9a3d-98a6d2490057","actor":"sessions","traceparent":"00-87a4325c7fb1c9e36167c9db1518487a-66eca206921192c7-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/24"}', '\x0904539a0b205b919a3d98a6d2490057', '2026-11-21 20:35:59.922501+00'),
	(40, 'session-d324d888-8cb9-5d69-8f54-add8239f3664', 8, '34737d4e-a2bb-59b0-be40-ea3dd693fefd', 'AnalysisProgressed', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","kind":"mirrormate","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-aecd-7fce-b0f5-a37f450149d5","causation":"014496d3-2f14-5e90-b4bd-78df5676b049","actor":"sessions","traceparent":"00-87a4325c7fb1c9e36167c9db1518487a-66eca206921192c7-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/25"}', '\x014496d32f145e90b4bd78df5676b049', '2026-11-21 20:35:59.972899+00'),
	(41, 'session-d324d888-8cb9-5d69-8f54-add8239f3664', 9, 'e412e6a5-2e33-5e62-87eb-379f7f7d13c0', 'AnalysisProgressed', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","kind":"mirrormate","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-aecd-7fce-b0f5-a37f450149d5","causation":"8b2f2228-d5c7-502e-80b6-73840c2c7ae4","actor":"sessions","traceparent":"00-87a4325c7fb1c9e36167c9db1518487a-66eca206921192c7-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/26"}', '\x8b2f2228d5c7502e80b673840c2c7ae4', '2026-11-21 20:36:00.085571+00'),
	(42, 'session-d324d888-8cb9-5d69-8f54-add8239f3664', 10, 'f2aa2dd4-c8ab-5f57-899e-89be7583491a', 'SessionCompleted', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","kind":"mirrormate","reportId":"ad697933-7a43-5c70-831f-7621396ae149"}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-aecd-7fce-b0f5-a37f450149d5","causation":"a9be2681-4976-5056-96ce-300be7c1c5b9","actor":"sessions","traceparent":"00-87a4325c7fb1c9e36167c9db1518487a-66eca206921192c7-01","origin":"reporting/0f9efb1c-23c7-4ab6-9616-9e7c697f8323/6"}', '\xa9be26814976505696ce300be7c1c5b9', '2026-11-21 20:36:00.218676+00'),
	(43, 'session-d324d888-8cb9-5d69-8f54-add8239f3664', 11, 'f7064ba3-1949-5983-aedb-2b265a2502b2', 'SessionDeleted', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","kind":"mirrormate","wasComplete":true}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-b06c-76d0-8ce7-518bd77f2786","actor":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","traceparent":"00-cdceaf9f5fb2bb4ba96afecaba1309d9-db21afefeabf6f66-01"}', '\x', '2026-11-21 20:36:00.247046+00'),
	(44, 'session-1d4e75a6-4131-564c-afd6-d0b3b6dce39c', 1, '1142592e-0e3d-59d0-8329-fb15728170d5', 'SessionCreated', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","kind":"mirrormate","timeZone":"Europe/Berlin","createdAt":"2026-11-21T20:36:00.355676Z","expiresAt":"2026-11-21T21:36:00.355676Z","contentType":"video/mp4","contentLength":4096}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b0e3-7b64-b7ed-0c5eb1180bb0","actor":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","traceparent":"00-f6b2926e6870697df1ef684a09f59615-72762c401d8e7b2d-01"}', '\xbf0de8a244591c9e4b576415d662514c4a9edb6a6104ab0600b63829ddb11ac9', '2026-11-21 20:36:00.360327+00'),
	(45, 'session-1d4e75a6-4131-564c-afd6-d0b3b6dce39c', 2, '4549a65d-f4de-5113-8532-7f58db5b29cd', 'SessionAdmitted', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","kind":"mirrormate"}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b0e3-7b64-b7ed-0c5eb1180bb0","causation":"f91619e5-69e3-58c7-aa5d-1db0205caecd","actor":"sessions","traceparent":"00-f6b2926e6870697df1ef684a09f59615-72762c401d8e7b2d-01","origin":"quota/983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/15"}', '\xf91619e569e358c7aa5d1db0205caecd', '2026-11-21 20:36:00.379489+00'),
	(46, 'session-1d4e75a6-4131-564c-afd6-d0b3b6dce39c', 3, 'bcaedd1a-59f2-5142-8e72-6e4df8e46ccc', 'UploadStored', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","kind":"mirrormate","media":{"key":"uploads/a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f/1d4e75a6-4131-564c-afd6-d0b3b6dce39c/01a1ffd2-b10e-7d74-9f6d-c89e26891336","sha256":"e3d7dd6c19645995a95f47e64878f6979ff7c3197619358479e57e88ae989b22","sizeBytes":4096,"contentType":"video/mp4"}}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b114-71ca-9b71-2578f3663b6c","actor":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","traceparent":"00-c8409c4d6e5cb3823c91b83a95d688b4-2350999e38a58e2a-01"}', '\x', '2026-11-21 20:36:00.405081+00'),
	(47, 'session-1d4e75a6-4131-564c-afd6-d0b3b6dce39c', 4, '9af71b19-e075-5f42-9533-33a167f50ba1', 'UploadFinalized', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","kind":"mirrormate","media":{"key":"media/a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f/1d4e75a6-4131-564c-afd6-d0b3b6dce39c/c5473dfb-b49a-5c3f-9219-e11e3001a56c","sha256":"e3d7dd6c19645995a95f47e64878f6979ff7c3197619358479e57e88ae989b22","sizeBytes":4096,"contentType":"video/mp4"},"deadline":"2026-11-21T20:51:00.410864Z"}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b120-7d2b-93bf-74bf46323827","actor":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","traceparent":"00-02087a900d7b4a30918a8af1bb1b396c-3f428bcc785e971b-01"}', '\x', '2026-11-21 20:36:00.418094+00'),
	(48, 'session-1d4e75a6-4131-564c-afd6-d0b3b6dce39c', 5, 'd500d65e-6898-561d-881c-cbbfaefa3e54', 'AnalysisStarted', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","kind":"mirrormate","attempt":1}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b120-7d2b-93bf-74bf46323827","causation":"e9db19de-65ad-5dbc-8f88-d3cd7ab269f5","actor":"sessions","traceparent":"00-02087a900d7b4a30918a8af1bb1b396c-3f428bcc785e971b-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/30"}', '\xe9db19de65ad5dbc8f88d3cd7ab269f5', '2026-11-21 20:36:00.462246+00'),
	(49, 'session-1d4e75a6-4131-564c-afd6-d0b3b6dce39c', 6, '1fef7f61-7f2a-5b07-916a-4bcf140206d1', 'AnalysisProgressed', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","kind":"mirrormate","attempt":1,"stage":"probe","progressPercent":5}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b120-7d2b-93bf-74bf46323827","causation":"231a7ce5-56df-5242-849a-6f113ce86029","actor":"sessions","traceparent":"00-02087a900d7b4a30918a8af1bb1b396c-3f428bcc785e971b-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/31"}', '\x231a7ce556df5242849a6f113ce86029', '2026-11-21 20:36:00.475831+00'),
	(50, 'session-1d4e75a6-4131-564c-afd6-d0b3b6dce39c', 7, '8375feb7-1ef9-5e04-b0fe-07f896e5b24c', 'AnalysisProgressed', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","kind":"mirrormate","attempt":1,"stage":"transcribe","progressPercent":60}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b120-7d2b-93bf-74bf46323827","causation":"d534d83c-9797-5315-93aa-ada2ae4bf3d2","actor":"sessions","traceparent":"00-02087a900d7b4a30918a8af1bb1b396c-3f428bcc785e971b-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/32"}', '\xd534d83c9797531593aaada2ae4bf3d2', '2026-11-21 20:36:00.555754+00'),
	(51, 'session-1d4e75a6-4131-564c-afd6-d0b3b6dce39c', 8, 'cacfc51b-1268-5a8a-94e9-f3cc1ead1013', 'AnalysisProgressed', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","kind":"mirrormate","attempt":1,"stage":"voice","progressPercent":75}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b120-7d2b-93bf-74bf46323827","causation":"02ad66f1-6ded-5c55-95da-9ee1642cb448","actor":"sessions","traceparent":"00-02087a900d7b4a30918a8af1bb1b396c-3f428bcc785e971b-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/33"}', '\x02ad66f16ded5c5595da9ee1642cb448', '2026-11-21 20:36:00.580898+00'),
	(52, 'session-1d4e75a6-4131-564c-afd6-d0b3b6dce39c', 9, '8b2dd64d-91d3-5003-a4e3-d9614ee4d57b', 'AnalysisProgressed', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","kind":"mirrormate","attempt":1,"stage":"picture","progressPercent":90}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b120-7d2b-93bf-74bf46323827","causation":"b1e24e9b-2b8d-5792-8664-30173cd6b6b2","actor":"sessions","traceparent":"00-02087a900d7b4a30918a8af1bb1b396c-3f428bcc785e971b-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/34"}', '\xb1e24e9b2b8d5792866430173cd6b6b2', '2026-11-21 20:36:00.682222+00'),
	(53, 'session-1d4e75a6-4131-564c-afd6-d0b3b6dce39c', 10, '9e39a87e-508d-5114-91ea-d8ac323cbe9d', 'SessionCompleted', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","kind":"mirrormate","reportId":"78f442a0-9b54-523f-a1d5-e4ee51255fdd"}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b120-7d2b-93bf-74bf46323827","causation":"869c0f0b-2699-5d8c-9464-ff3c11a3ce96","actor":"sessions","traceparent":"00-02087a900d7b4a30918a8af1bb1b396c-3f428bcc785e971b-01","origin":"reporting/0f9efb1c-23c7-4ab6-9616-9e7c697f8323/8"}', '\x869c0f0b26995d8c9464ff3c11a3ce96', '2026-11-21 20:36:00.841445+00'),
	(54, 'session-1d4e75a6-4131-564c-afd6-d0b3b6dce39c', 11, 'bd09d1d4-94e8-5cf0-84b2-4470f2e836fb', 'SessionErased', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","kind":"mirrormate"}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b2ce-74a7-9326-d06e245b9d38","causation":"1d46cf5e-70b0-5d90-bb7f-180dc98b34a4","actor":"sessions","traceparent":"00-4b6361ad5084e293d47528180bedf0b1-8d78dc5863a06de6-01","origin":"identity/8dfa18f7-2761-4fce-bdc9-4926f49c3338/15"}', '\xaa75e8aba5db5a9da95dc496dff29dbc', '2026-11-21 20:36:00.929532+00'),
	(55, 'subject-a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f', 1, '25f09c0d-7707-5589-a929-a53e47af6332', 'SubjectErased', 1, '{"subjectId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","removed":{"rows":1,"objects":2}}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b2ce-74a7-9326-d06e245b9d38","causation":"1d46cf5e-70b0-5d90-bb7f-180dc98b34a4","actor":"sessions","traceparent":"00-4b6361ad5084e293d47528180bedf0b1-8d78dc5863a06de6-01","origin":"identity/8dfa18f7-2761-4fce-bdc9-4926f49c3338/15"}', '\x1d46cf5e70b05d90bb7f180dc98b34a4', '2026-11-21 20:36:00.932758+00'),
	(56, 'key-a165f0c4-4136-5817-87bd-b520a679f6a4', 1, 'ffbb554f-313b-52c8-a043-287b58022520', 'SigningKeyLearned', 1, '{"kid":"5f561dc7-dfc5-498c-8774-d3e7a484db9d","x":"lQE-DmwcqyR1y7C4sBJ9EE4k1mijliysCW51yhFGdXg","y":"EHNw38-KrRE530t3gGDJOcszml4aST0pSo03NIBBwG0","notBefore":"2026-11-21T20:41:01.025855Z","expiresAt":"2026-12-21T20:41:01.025855Z"}', '{"correlation":"01a1ffd2-b389-74e5-9437-688ee10b5235","causation":"3007b4e8-e38c-5353-866b-a90cd44af5e1","actor":"sessions","origin":"identity/8dfa18f7-2761-4fce-bdc9-4926f49c3338/21"}', '\x3007b4e8e38c5353866ba90cd44af5e1', '2026-11-21 20:36:01.107342+00');

INSERT INTO sessions.head VALUES
	(true, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', NULL);

INSERT INTO sessions.incarnations VALUES
	('8de55b8f-2be2-4d73-a1c0-d6a9850182ff', NULL, 0, '2026-11-21 20:35:53.350908+00');

INSERT INTO sessions.migrations VALUES
	('defaults', 'bbbc80e2f22d6c70', '2026-11-21 20:35:53.310223+00'),
	('scope', 'c7d456e957fc1364', '2026-11-21 20:35:53.316599+00'),
	('head', 'e72b49b65dda4c45', '2026-11-21 20:35:53.351438+00'),
	('events', 'bbfd42eb9788a7bd', '2026-11-21 20:35:53.38721+00'),
	('events_immutable', 'e01cf0229e7fd418', '2026-11-21 20:35:53.392115+00'),
	('erased_subjects', '2146bc0c2be40d91', '2026-11-21 20:35:53.411704+00'),
	('append_batch', '9f09a3219dbfffd4', '2026-11-21 20:35:53.435714+00'),
	('privileges', 'fdd9b5951144bb48', '2026-11-21 20:35:53.454897+00'),
	('relay', '1682739c19a064b0', '2026-11-21 20:35:53.51578+00'),
	('incarnation', '7e74a231e02a5b5a', '2026-11-21 20:35:53.544233+00'),
	('consumer_partitions', '48f1e25c7fe5bb7f', '2026-11-21 20:35:53.583688+00'),
	('parked_messages', '7e23a009eb467817', '2026-11-21 20:35:53.608605+00'),
	('projections', 'b60500a61b2cbb97', '2026-11-21 20:35:53.625747+00'),
	('rebuilds', '559cf9ed68b2b3bf', '2026-11-21 20:35:53.661553+00'),
	('rename_read_model', '86e564ba8b91283d', '2026-11-21 20:35:53.667754+00'),
	('begin_rebuild', 'c8cae99280351953', '2026-11-21 20:35:53.674189+00'),
	('complete_rebuild', '121993744112cac9', '2026-11-21 20:35:53.677701+00'),
	('switch_rebuild', 'f03d670e1faaf5bd', '2026-11-21 20:35:53.685921+00'),
	('undo_rebuild', '841c4c38c900d773', '2026-11-21 20:35:53.689129+00'),
	('drop_rebuild', 'cf1b4d618e545b4f', '2026-11-21 20:35:53.692029+00'),
	('request_key', 'eb88c0ad3dfad762', '2026-11-21 20:35:53.703995+00'),
	('signing_keys', 'cf99a50835fd752', '2026-11-21 20:35:53.724321+00'),
	('object_intents', '299a9fee0e13f609', '2026-11-21 20:35:53.748966+00'),
	('object_sweep', '1684e7c2309b09b2', '2026-11-21 20:35:53.750836+00'),
	('reader', '2a6dba18899e3b07', '2026-11-21 20:35:53.753668+00'),
	('session_list', 'b49557a1e9711c1b', '2026-11-21 20:35:53.785049+00'),
	('session_objects', 'd30d0dda40667885', '2026-11-21 20:35:53.789005+00');

INSERT INTO sessions.object_intents VALUES
	('media/6b16b53f-3412-55d4-8eb5-f7e3d9c76825/d324d888-8cb9-5d69-8f54-add8239f3664/d60cb26c-087b-5d80-9c87-98d550a38f9c', '6b16b53f-3412-55d4-8eb5-f7e3d9c76825', 'session d324d888-8cb9-5d69-8f54-add8239f3664', NULL, true),
	('uploads/6b16b53f-3412-55d4-8eb5-f7e3d9c76825/d324d888-8cb9-5d69-8f54-add8239f3664/01a1ffd2-aebb-747e-b8d6-8a47f06e9259', '6b16b53f-3412-55d4-8eb5-f7e3d9c76825', 'session d324d888-8cb9-5d69-8f54-add8239f3664', NULL, true);

INSERT INTO sessions.projections VALUES
	('session_list', 56);

INSERT INTO sessions.relay VALUES
	(true, 1, '01a1ffd2-98ab-70a3-9e99-6fd953fe29e9', '2026-11-21 20:36:07.118584+00', 56, NULL);

INSERT INTO sessions.relay_partitions VALUES
	(0, -1, 0, 0),
	(1, -1, 0, 0),
	(2, 4, 55, 1),
	(3, 3, 11, 1),
	(4, -1, 0, 0),
	(5, 7, 28, 1),
	(6, 2, 32, 1),
	(7, 4, 43, 1);

INSERT INTO sessions.request_key VALUES
	(true, '\xcf6c14a1f6d04b7d957a480ffafe670e3ee2b7839227400c8ee3e8b529062a4b');

INSERT INTO sessions.session_list VALUES
	('c4128d3b-82b0-5498-b2f0-b9622c202d6b', '75365c24-94e0-55af-8523-88fff106a5f1', 'mirrormate', 'complete', 100, '2026-11-21 20:35:57.701074+00', '2026-11-21 20:35:58.460488+00', '2026-11-21 21:35:57.701074+00', '2026-11-21 20:50:57.875672+00', 'd5378c8b-6a03-501c-97ea-7796642e8adc', NULL, NULL, NULL),
	('4683d60c-4ecf-5f26-b224-ae44b5762002', '5454bc4f-b364-5540-9f86-899d9f5076a1', 'mirrormate', 'error', 10, '2026-11-21 20:35:58.595501+00', '2026-11-21 20:35:58.736682+00', '2026-11-21 21:35:58.595501+00', '2026-11-21 20:50:58.677298+00', NULL, 'unreadable', false, NULL),
	('70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', '851cf01d-c569-599e-a772-d80fe93e9065', 'mirrormate', 'complete', 100, '2026-11-21 20:35:58.855484+00', '2026-11-21 20:35:59.353996+00', '2026-11-21 21:35:58.855484+00', '2026-11-21 20:50:58.915231+00', '66d4cd29-ee5b-58ed-9c1b-f6d9daae0065', NULL, NULL, NULL),
	('bdaf86b4-e595-5ad8-ab8f-af5aaee4127c', '851cf01d-c569-599e-a772-d80fe93e9065', 'mirrormate', 'refused', 0, '2026-11-21 20:35:59.375906+00', '2026-11-21 20:35:59.413055+00', '2026-11-21 21:35:59.375906+00', NULL, NULL, NULL, NULL, '{"code":"quota-exceeded","resetsAt":"2026-11-21T23:00:00.000000Z"}'),
	('e17bb9d5-cb9b-54ad-bc55-2a9f8a5c7d2c', 'dd778d0c-6c98-53c7-b77f-f42626ebf274', 'mirrormate', 'cancelled', 0, '2026-11-21 20:35:59.621607+00', '2026-11-21 20:35:59.672023+00', '2026-11-21 21:35:59.621607+00', NULL, NULL, NULL, NULL, NULL);

INSERT INTO sessions.signing_keys VALUES
	('1a913ef4-e2ba-41db-bcf3-f99a3250d402', 'OqAVIdGGkF7xhXZEXcO0UiY1MQt9MXmKEpOiskHZpok', 'Wx6X5UEgLtEp1_TAjrWOMaHQnVJwrdU7CrowZy3KGrs', '2026-11-21 20:35:54.128955+00', '2026-12-21 20:35:54.128955+00', NULL),
	('5f561dc7-dfc5-498c-8774-d3e7a484db9d', 'lQE-DmwcqyR1y7C4sBJ9EE4k1mijliysCW51yhFGdXg', 'EHNw38-KrRE530t3gGDJOcszml4aST0pSo03NIBBwG0', '2026-11-21 20:41:01.025855+00', '2026-12-21 20:41:01.025855+00', NULL);

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

