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

CREATE FUNCTION reporting.abandon_rebuild(rebuild bigint) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'reporting', 'pg_temp'
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

CREATE FUNCTION reporting.append_batch(first_ids uuid[], hashes bytea[], owners uuid[], though_erased boolean[], metadatas json[], calls json[], groups bigint[], streams text[], write_appends bigint[], write_streams bigint[], write_expected bigint[], write_sizes bigint[], event_writes bigint[], event_ids uuid[], event_types text[], event_schema_versions bigint[], event_datas json[]) RETURNS TABLE(verdict text, at_position bigint, at_time timestamp with time zone, stream_found text, version_found bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'reporting', 'pg_temp'
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

CREATE FUNCTION reporting.begin_incarnation(next uuid, fork bigint, published bigint, top_epoch bigint, cut uuid[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'reporting', 'pg_temp'
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

CREATE FUNCTION reporting.begin_rebuild(model_name text, by_whom text, code_version text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'reporting', 'pg_temp'
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

CREATE FUNCTION reporting.complete_rebuild(model_name text, keys_only boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'reporting', 'pg_temp'
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

CREATE FUNCTION reporting.drop_rebuild(model_name text) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'reporting', 'pg_temp'
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

CREATE FUNCTION reporting.in_scope(owner uuid) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    select coalesce(
        nullif(current_setting('mirrormate.scope', true), '') in ('system', owner::text), false)
$$;

CREATE FUNCTION reporting.refuse_appends(reason text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'reporting', 'pg_temp'
    AS $$
    update head set refused = reason where refused is distinct from reason;
$$;

CREATE FUNCTION reporting.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    raise exception 'events are immutable: append a new event that corrects the old one' using errcode = '42501';
end $$;

CREATE FUNCTION reporting.rename_read_model(from_name text, to_name text, ending text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'reporting', 'pg_temp'
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

CREATE FUNCTION reporting.row_delete_report(args json) RETURNS text
    LANGUAGE sql
    AS $$
    delete from reports where session_id = (args ->> 'sessionId')::uuid;
    select null::text;
$$;

CREATE FUNCTION reporting.row_discard_object(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update object_intents set unwanted = true where object_key = args ->> 'key';
    select null::text;
$$;

CREATE FUNCTION reporting.row_discard_objects(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update object_intents set unwanted = true where subject = (args ->> 'subject')::uuid;
    select null::text;
$$;

CREATE FUNCTION reporting.row_discard_overdue(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update object_intents set unwanted = true where deadline < clock_timestamp() and not unwanted;
    select null::text;
$$;

CREATE FUNCTION reporting.row_erase_subject(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into erased_subjects (subject) values ((args ->> 'subject')::uuid) on conflict do nothing;
    select null::text;
$$;

CREATE FUNCTION reporting.row_forget_subject(args json) RETURNS text
    LANGUAGE sql
    AS $$
    delete from reports where owner_id = (args ->> 'subject')::uuid;
    select null::text;
$$;

CREATE FUNCTION reporting.row_intend_object(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into object_intents (object_key, subject, purpose, deadline)
    values (args ->> 'key', (args ->> 'subject')::uuid, args ->> 'purpose', (args ->> 'deadline')::timestamptz)
    -- A repeat after a crash announces the same object again.
    on conflict (object_key) do update set deadline = excluded.deadline where not object_intents.unwanted;
    select null::text;
$$;

CREATE FUNCTION reporting.row_keep_object(args json) RETURNS text
    LANGUAGE plpgsql
    AS $$
begin
    update object_intents set deadline = null where object_key = args ->> 'key' and not unwanted;
    return case when found then null else 'object-not-intended' end;
end $$;

CREATE FUNCTION reporting.row_learn_key(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into signing_keys (kid, x, y, not_before, expires_at)
    values (args ->> 'kid', args ->> 'x', args ->> 'y', (args ->> 'notBefore')::timestamptz,
        (args ->> 'expiresAt')::timestamptz)
    on conflict (kid) do nothing;
    select null::text;
$$;

CREATE FUNCTION reporting.row_move_watermark(args json) RETURNS text
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

CREATE FUNCTION reporting.row_park(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into parked_messages (topic, partition, record_offset, key, identity, type, reason, headers, value)
    values (args ->> 'topic', (args ->> 'partition')::integer, (args ->> 'offset')::bigint, args ->> 'key',
        args ->> 'identity', args ->> 'type', args ->> 'reason', args -> 'headers', decode(args ->> 'value', 'hex'))
    on conflict (topic, partition, identity) do nothing;
    select null::text;
$$;

CREATE FUNCTION reporting.row_retire_key(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update signing_keys set retired_at = (args ->> 'retiredAt')::timestamptz where kid = args ->> 'kid';
    select null::text;
$$;

CREATE FUNCTION reporting.row_unpark(args json) RETURNS text
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

CREATE FUNCTION reporting.row_write_report(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into reports (session_id, owner_id, report_id, content)
    values ((args ->> 'sessionId')::uuid, (args ->> 'ownerId')::uuid, (args ->> 'reportId')::uuid, args -> 'content');
    select null::text;
$$;

CREATE FUNCTION reporting.switch_rebuild(rebuild bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'reporting', 'pg_temp'
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

CREATE FUNCTION reporting.undo_rebuild(model_name text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'reporting', 'pg_temp'
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

CREATE TABLE reporting.consumer_partitions (
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

CREATE TABLE reporting.cut_incarnations (
    incarnation uuid NOT NULL,
    successor uuid NOT NULL
);

CREATE TABLE reporting.erased_subjects (
    subject uuid NOT NULL,
    erased_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE reporting.events (
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

CREATE TABLE reporting.head (
    singleton boolean DEFAULT true NOT NULL,
    incarnation uuid NOT NULL,
    refused text,
    CONSTRAINT head_singleton_check CHECK (singleton)
);

CREATE TABLE reporting.incarnations (
    incarnation uuid NOT NULL,
    parent uuid,
    fork bigint NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT incarnations_check CHECK ((((parent IS NULL) = (fork = 0)) OR (parent IS NOT NULL))),
    CONSTRAINT incarnations_fork_check CHECK ((fork >= 0))
);

CREATE TABLE reporting.migrations (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE reporting.object_intents (
    object_key text NOT NULL,
    subject uuid NOT NULL,
    purpose text NOT NULL,
    deadline timestamp with time zone,
    unwanted boolean DEFAULT false NOT NULL
);

CREATE TABLE reporting.parked_messages (
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

ALTER TABLE reporting.parked_messages ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME reporting.parked_messages_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE reporting.projections (
    name text NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    CONSTRAINT projections_position_check CHECK (("position" >= 0))
)
WITH (fillfactor='50');

CREATE TABLE reporting.rebuilds (
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

ALTER TABLE reporting.rebuilds ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME reporting.rebuilds_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE reporting.relay (
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

CREATE TABLE reporting.relay_partitions (
    partition integer NOT NULL,
    last_offset bigint NOT NULL,
    last_position bigint NOT NULL,
    last_epoch bigint NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE reporting.report_history (
    key text NOT NULL,
    session_id uuid NOT NULL,
    report_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    confidence_score integer,
    pace_words_per_min integer,
    eye_contact_pct double precision,
    filler_count bigint,
    duration_sec integer NOT NULL,
    tags json NOT NULL,
    CONSTRAINT report_history_check CHECK ((key = (session_id)::text)),
    CONSTRAINT report_history_confidence_score_check CHECK (((confidence_score >= 0) AND (confidence_score <= 100))),
    CONSTRAINT report_history_duration_sec_check CHECK (((duration_sec >= 0) AND (duration_sec <= 86400))),
    CONSTRAINT report_history_eye_contact_pct_check CHECK (((eye_contact_pct >= (0)::double precision) AND (eye_contact_pct <= (1)::double precision))),
    CONSTRAINT report_history_filler_count_check CHECK ((filler_count >= 0)),
    CONSTRAINT report_history_pace_words_per_min_check CHECK (((pace_words_per_min >= 0) AND (pace_words_per_min <= 1000))),
    CONSTRAINT report_history_tags_check CHECK ((json_typeof(tags) = 'array'::text))
);

CREATE TABLE reporting.reports (
    session_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    report_id uuid NOT NULL,
    content json NOT NULL,
    CONSTRAINT reports_content_check CHECK ((json_typeof(content) = 'object'::text))
);

CREATE TABLE reporting.request_key (
    singleton boolean DEFAULT true NOT NULL,
    key bytea NOT NULL,
    CONSTRAINT request_key_singleton_check CHECK (singleton)
);

CREATE TABLE reporting.signing_keys (
    kid text NOT NULL,
    x text NOT NULL,
    y text NOT NULL,
    not_before timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    retired_at timestamp with time zone
);

INSERT INTO reporting.consumer_partitions VALUES
	('mirrormate.sessions.v1', 2, 1, 3, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/32', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 32, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 3, 1, 1, '35fd88a4-9023-4e6f-81f2-645649afa417/lease/1', '35fd88a4-9023-4e6f-81f2-645649afa417', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 4, 1, 7, '35fd88a4-9023-4e6f-81f2-645649afa417/8', '35fd88a4-9023-4e6f-81f2-645649afa417', 8, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 6, 1, 2, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/11', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 11, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 7, 1, 9, '35fd88a4-9023-4e6f-81f2-645649afa417/19', '35fd88a4-9023-4e6f-81f2-645649afa417', 19, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 7, 1, 4, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/8', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 8, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 2, 1, 2, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/9', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 9, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 5, 1, 3, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/15', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 15, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 5, 1, 8, '35fd88a4-9023-4e6f-81f2-645649afa417/37', '35fd88a4-9023-4e6f-81f2-645649afa417', 37, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 4, 1, 4, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/21', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 21, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 1, 1, 1, '35fd88a4-9023-4e6f-81f2-645649afa417/lease/1', '35fd88a4-9023-4e6f-81f2-645649afa417', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 6, 1, 7, '35fd88a4-9023-4e6f-81f2-645649afa417/27', '35fd88a4-9023-4e6f-81f2-645649afa417', 27, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 0, 1, 1, '35fd88a4-9023-4e6f-81f2-645649afa417/lease/1', '35fd88a4-9023-4e6f-81f2-645649afa417', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 0, 1, 1, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/lease/1', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 1, 1, 1, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/lease/1', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 0, 1, 1, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/lease/1', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 3, 1, 1, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/lease/1', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 1, 1, 1, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/lease/1', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 2, 1, 1, '35fd88a4-9023-4e6f-81f2-645649afa417/lease/1', '35fd88a4-9023-4e6f-81f2-645649afa417', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 5, 1, 5, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/55', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 55, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 3, 1, 1, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/lease/1', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 4, 1, 4, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/11', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 11, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 7, 1, 8, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/28', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 28, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 6, 1, 5, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/43', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 43, 1, NULL, false, NULL, 0, NULL);

INSERT INTO reporting.erased_subjects VALUES
	('6e144c54-6352-537b-a7a5-64a7c8d05a75', '2026-11-21 21:51:29.381881+00');

INSERT INTO reporting.events VALUES
	(1, 'key-b3186284-c41b-5d2d-b780-6e9b0a7bc878', 1, 'b327acaa-8e09-5c74-89ef-2e1cd189a161', 'SigningKeyLearned', 1, '{"kid":"978cf6f9-1116-4f0f-ad98-c58040a49f04","x":"C-lhg3em3brJ_JDnie43Gr-tp3D6aSkH38cHrt0DaqE","y":"WEE_UYX86gcqqFXLhjaoAcsKRNWZk6eyvGXIo_InGfc","notBefore":"2026-11-21T21:51:25.138229Z","expiresAt":"2026-12-21T21:51:25.138229Z"}', '{"correlation":"01a20017-bbd4-76e5-8da5-9a1327a33882","causation":"b5b37db9-5324-59b3-97b0-69ec408a3791","actor":"reporting","origin":"identity/b48e3326-9fdb-4e7a-87d2-a583316e8b08/1"}', '\xb5b37db9532459b397b069ec408a3791', '2026-11-21 21:51:25.872748+00'),
	(2, 'report-7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 1, '7339b57a-65b6-5566-b855-d0b9d7cea650', 'ReportWritten', 1, '{"sessionId":"7fa04ff6-f9b9-527e-aa12-2e2bf6470c30","ownerId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","document":{"key":"documents/b5ea4545-d224-5d3e-9c87-7905d7303a18/7fa04ff6-f9b9-527e-aa12-2e2bf6470c30/01a20017-c381-7831-b885-7fb7b316a7e3.json","sha256":"a3938c1bdf9d5f49c7df320986fddb4005ef57779b525ad26146d02cca37d001","sizeBytes":13290},"summary":{"confidenceScore":96,"paceWordsPerMin":151,"eyeContactPct":1.0,"fillerCount":0,"durationSec":28,"impressionTags":["persuasive","polished","confident","engaging","articulate"]}}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c1c0-7883-89b4-fbe371d52e04","causation":"03e9e433-e3de-5949-94d8-9ba8f0a34186","actor":"reporting","traceparent":"00-8e25e8f16227384bffb057250046549d-4bc7d6a9b664020e-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/8"}', '\x03e9e433e3de594994d89ba8f0a34186', '2026-11-21 21:51:27.14641+00'),
	(3, 'report-f345ebfe-426c-5ebe-bfca-9d132104ac8b', 1, '7447c0d4-a7fd-5cd1-b369-84861e7a27b4', 'ReportDeleted', 1, '{"sessionId":"f345ebfe-426c-5ebe-bfca-9d132104ac8b","ownerId":"42b88df0-9b40-53c1-898f-14797a6c2ead","reason":"session-failed","wasWritten":false}', '{"owner":"42b88df0-9b40-53c1-898f-14797a6c2ead","correlation":"01a20017-c487-7a7a-81f4-9ab472d0f406","causation":"3664a111-6fc5-5e2d-8649-b33bf9159fd8","actor":"reporting","traceparent":"00-bd58dc7ff186d6528d8900ab321a4d74-b10bc7e958df94ee-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/17"}', '\x3664a1116fc55e2d8649b33bf9159fd8', '2026-11-21 21:51:27.454334+00'),
	(4, 'report-051b44d1-f7e6-5700-ad3e-5a671c3da351', 1, '72b11264-1d2a-5209-8038-d6129dabb86f', 'ReportWritten', 1, '{"sessionId":"051b44d1-f7e6-5700-ad3e-5a671c3da351","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","document":{"key":"documents/ffde2b98-0a39-51b7-ac3d-18f19946d461/051b44d1-f7e6-5700-ad3e-5a671c3da351/01a20017-c6b6-72f5-9628-ec56626b92e2.json","sha256":"6df962ad3e5039ef84fac681ac16e1ff5220cd101289317bad2ce911c39bc9b1","sizeBytes":13290},"summary":{"confidenceScore":96,"paceWordsPerMin":151,"eyeContactPct":1.0,"fillerCount":0,"durationSec":28,"impressionTags":["persuasive","polished","confident","engaging","articulate"]}}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c553-777c-8b1d-382cf272e35e","causation":"31830223-0535-5557-982a-2c980dde9e40","actor":"reporting","traceparent":"00-8022957833a111bbb4ef87ed716cdae2-7d8fcec8705ec3f7-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/19"}', '\x3183022305355557982a2c980dde9e40', '2026-11-21 21:51:27.948582+00'),
	(5, 'report-6054a724-79a0-5052-9b56-1a1758a28bcf', 1, '1904415b-9d07-500b-aaa3-c1d856806988', 'ReportDeleted', 1, '{"sessionId":"6054a724-79a0-5052-9b56-1a1758a28bcf","ownerId":"3add8261-20c4-5992-917c-9341a527d64f","reason":"session-cancelled","wasWritten":false}', '{"owner":"3add8261-20c4-5992-917c-9341a527d64f","correlation":"01a20017-c7e6-7726-909c-8c1685cb309d","causation":"21874701-75d4-5b21-9fd1-7977de5ec5aa","actor":"reporting","traceparent":"00-96761efd46dbebdde83daacbf1b71a2c-86b081b831107ff1-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/32"}', '\x2187470175d45b219fd17977de5ec5aa', '2026-11-21 21:51:28.248853+00'),
	(6, 'report-2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 1, '1186eeec-bfe9-5a26-a84c-587aa6d41066', 'ReportWritten', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","document":{"key":"documents/fd783f21-4d67-5dff-ab61-83d2fa0eab82/2192cbf4-783e-50e6-9b5a-d08d2eb3bb38/01a20017-ca04-7b3b-be65-4b7179de1d47.json","sha256":"a552072c1a0f37cef155c0bcaae6661b04a07ada0bd081ac9fada9de103f0488","sizeBytes":13290},"summary":{"confidenceScore":96,"paceWordsPerMin":151,"eyeContactPct":1.0,"fillerCount":0,"durationSec":28,"impressionTags":["persuasive","polished","confident","engaging","articulate"]}}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c896-7116-83ad-75b5e5f7b6bf","causation":"a4d7878e-35d2-555e-a50d-0ed49acd7ccd","actor":"reporting","traceparent":"00-d0eb8bdea1e1c48687bad82d055e8d12-a3cf5933d6dfb04c-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/27"}', '\xa4d7878e35d2555ea50d0ed49acd7ccd', '2026-11-21 21:51:28.797106+00'),
	(7, 'report-2192cbf4-783e-50e6-9b5a-d08d2eb3bb38', 2, 'b199f9ea-c0dc-501f-a44f-49405b40a3bc', 'ReportDeleted', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","reason":"session-deleted","wasWritten":true}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-ca2f-7828-9c51-72c9295287b1","causation":"2d0096e7-5a7f-5f28-b788-d9d326dbd873","actor":"reporting","traceparent":"00-fff2427c2a4fe44784fe722787faf2a7-3a07c25a755bdf1e-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/43"}', '\x2d0096e75a7f5f28b788d9d326dbd873', '2026-11-21 21:51:28.833196+00'),
	(8, 'report-58fe6121-7273-5e69-a30e-3a5f8e97b31f', 1, 'daa1a13e-32f4-5d23-84e7-a65079ce1799', 'ReportWritten', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","document":{"key":"documents/6e144c54-6352-537b-a7a5-64a7c8d05a75/58fe6121-7273-5e69-a30e-3a5f8e97b31f/01a20017-cc1e-7a45-8ef0-545edad7f9b9.json","sha256":"adb1d95a71a55e9ce5f85c4d0bd08988faaa34eea0c4b5514d937eda62d9a3ea","sizeBytes":13290},"summary":{"confidenceScore":96,"paceWordsPerMin":151,"eyeContactPct":1.0,"fillerCount":0,"durationSec":28,"impressionTags":["persuasive","polished","confident","engaging","articulate"]}}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cac2-75be-b2a1-a9b13c1c185e","causation":"421ae72c-327b-552a-b06d-64c0955ad273","actor":"reporting","traceparent":"00-b97a5edd962c59add5aaf5eb9bd95dab-5792d558979fe475-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/35"}', '\x421ae72c327b552ab06d64c0955ad273', '2026-11-21 21:51:29.339902+00'),
	(9, 'report-58fe6121-7273-5e69-a30e-3a5f8e97b31f', 2, '61d461bb-c543-5a38-86ef-1b0eb43ad260', 'ReportErased', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75"}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cc4c-7feb-ae8b-f7de54d2a33a","causation":"3c87a832-a542-58c1-b428-4e1a904dac5e","actor":"reporting","traceparent":"00-cfead89cd328f1c5353cb0ff230d7139-1adffb977bc37108-01","origin":"identity/b48e3326-9fdb-4e7a-87d2-a583316e8b08/15"}', '\x3c87a832a54258c1b4284e1a904dac5e', '2026-11-21 21:51:29.388008+00'),
	(10, 'subject-6e144c54-6352-537b-a7a5-64a7c8d05a75', 1, '633db440-e149-591a-b1e9-ef948662d089', 'SubjectErased', 1, '{"subjectId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","removed":{"rows":1,"objects":0}}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cc4c-7feb-ae8b-f7de54d2a33a","causation":"3c87a832-a542-58c1-b428-4e1a904dac5e","actor":"reporting","traceparent":"00-cfead89cd328f1c5353cb0ff230d7139-1adffb977bc37108-01","origin":"identity/b48e3326-9fdb-4e7a-87d2-a583316e8b08/15"}', NULL, '2026-11-21 21:51:29.388008+00'),
	(11, 'key-c4b55136-6343-54f3-828c-976a11212ce1', 1, 'a9de59ed-009a-51eb-9cc7-7def4f8b8dd7', 'SigningKeyLearned', 1, '{"kid":"b6ad323b-6f79-42f1-8b08-feed3d9d9379","x":"6RLGY-G6s48hqn7pWWvlvqBEtNpyhqXEhmSfXm6KFpQ","y":"xxEnn1qOvmlDr4iuHgFLj0wiMEDR1HdFtVd8wAo4WCU","notBefore":"2026-11-21T21:56:29.514073Z","expiresAt":"2026-12-21T21:56:29.514073Z"}', '{"correlation":"01a20017-ccee-747a-ba8e-f57a15f3c517","causation":"0f47627a-cfdb-5cd4-b701-5367ae883eb0","actor":"reporting","origin":"identity/b48e3326-9fdb-4e7a-87d2-a583316e8b08/21"}', '\x0f47627acfdb5cd4b7015367ae883eb0', '2026-11-21 21:51:29.56758+00');

INSERT INTO reporting.head VALUES
	(true, '12659c8a-568b-49f0-90a9-912dd5edd100', NULL);

INSERT INTO reporting.incarnations VALUES
	('12659c8a-568b-49f0-90a9-912dd5edd100', NULL, 0, '2026-11-21 21:51:24.466212+00');

INSERT INTO reporting.migrations VALUES
	('defaults', 'bbbc80e2f22d6c70', '2026-11-21 21:51:24.441624+00'),
	('scope', 'c7d456e957fc1364', '2026-11-21 21:51:24.443062+00'),
	('head', 'e72b49b65dda4c45', '2026-11-21 21:51:24.470893+00'),
	('events', 'bbfd42eb9788a7bd', '2026-11-21 21:51:24.500957+00'),
	('events_immutable', 'e01cf0229e7fd418', '2026-11-21 21:51:24.51099+00'),
	('erased_subjects', '2146bc0c2be40d91', '2026-11-21 21:51:24.517974+00'),
	('append_batch', '9f09a3219dbfffd4', '2026-11-21 21:51:24.525342+00'),
	('privileges', 'fdd9b5951144bb48', '2026-11-21 21:51:24.528456+00'),
	('relay', '1682739c19a064b0', '2026-11-21 21:51:24.5511+00'),
	('incarnation', '7e74a231e02a5b5a', '2026-11-21 21:51:24.562131+00'),
	('consumer_partitions', '48f1e25c7fe5bb7f', '2026-11-21 21:51:24.574898+00'),
	('parked_messages', '7e23a009eb467817', '2026-11-21 21:51:24.593106+00'),
	('projections', 'b60500a61b2cbb97', '2026-11-21 21:51:24.601187+00'),
	('rebuilds', '559cf9ed68b2b3bf', '2026-11-21 21:51:24.610041+00'),
	('rename_read_model', '86e564ba8b91283d', '2026-11-21 21:51:24.614215+00'),
	('begin_rebuild', 'c8cae99280351953', '2026-11-21 21:51:24.615634+00'),
	('complete_rebuild', '121993744112cac9', '2026-11-21 21:51:24.6204+00'),
	('switch_rebuild', 'f03d670e1faaf5bd', '2026-11-21 21:51:24.622255+00'),
	('undo_rebuild', '841c4c38c900d773', '2026-11-21 21:51:24.625005+00'),
	('drop_rebuild', 'cf1b4d618e545b4f', '2026-11-21 21:51:24.631011+00'),
	('abandon_rebuild', 'dd545db82ffecf67', '2026-11-21 21:51:24.632262+00'),
	('request_key', 'eb88c0ad3dfad762', '2026-11-21 21:51:24.645339+00'),
	('signing_keys', 'cf99a50835fd752', '2026-11-21 21:51:24.651538+00'),
	('object_intents', '299a9fee0e13f609', '2026-11-21 21:51:24.667508+00'),
	('object_sweep', '1684e7c2309b09b2', '2026-11-21 21:51:24.674031+00'),
	('reader', '2a6dba18899e3b07', '2026-11-21 21:51:24.678519+00'),
	('reports', 'bfde30b93ee1aa2d', '2026-11-21 21:51:24.699108+00'),
	('report_history', 'c7e1f02a2422bc3a', '2026-11-21 21:51:24.7257+00');

INSERT INTO reporting.projections VALUES
	('report_history', 11);

INSERT INTO reporting.relay VALUES
	(true, 1, '01a20017-bc4c-7451-bc0d-87d309dde31e', '2026-11-21 21:51:35.791288+00', 11, NULL);

INSERT INTO reporting.relay_partitions VALUES
	(0, -1, 0, 0),
	(1, -1, 0, 0),
	(2, -1, 0, 0),
	(3, -1, 0, 0),
	(4, 1, 2, 1),
	(5, 2, 10, 1),
	(6, 2, 7, 1),
	(7, 1, 4, 1);

INSERT INTO reporting.report_history VALUES
	('7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', '7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 'ce0054f1-9d32-5841-82fc-6cb56a23b5da', 'b5ea4545-d224-5d3e-9c87-7905d7303a18', '2026-11-21 21:51:27.14641+00', 96, 151, 1, 0, 28, '["persuasive","polished","confident","engaging","articulate"]'),
	('051b44d1-f7e6-5700-ad3e-5a671c3da351', '051b44d1-f7e6-5700-ad3e-5a671c3da351', '59c2ae81-46f8-5703-9b6f-6b60878cfe23', 'ffde2b98-0a39-51b7-ac3d-18f19946d461', '2026-11-21 21:51:27.948582+00', 96, 151, 1, 0, 28, '["persuasive","polished","confident","engaging","articulate"]');

INSERT INTO reporting.reports VALUES
	('7fa04ff6-f9b9-527e-aa12-2e2bf6470c30', 'b5ea4545-d224-5d3e-9c87-7905d7303a18', 'ce0054f1-9d32-5841-82fc-6cb56a23b5da', '{"durationSec":28,"confidenceScore":96,"impressionTags":["persuasive","polished","confident","engaging","articulate"],"fillerWords":{},"toneTimeline":[{"t":0.0,"energy":0.48,"confidence":null},{"t":5.0,"energy":0.31,"confidence":null},{"t":10.0,"energy":0.45,"confidence":null},{"t":15.0,"energy":0.41,"confidence":null},{"t":20.0,"energy":0.52,"confidence":null},{"t":25.0,"energy":0.58,"confidence":null}],"emotionBreakdown":null,"gaze":{"eyeContactPct":1.0},"vocalAnalysis":{"paceWordsPerMin":151,"volumeConsistency":0.83,"tonalVariety":0.91,"clarity":1.0,"pauseEffectiveness":1.0},"bodyLanguageAnalysis":{"postureScore":null,"gestureNaturalness":null,"facialExpressiveness":null,"eyeContactPct":1.0,"movementPurpose":null},"strengths":["Your face was turned to the camera in 100 % of the sampled pictures, so viewers feel addressed (eyeContactPct).","You spoke at 151 words per minute, inside the 120 to 180 that listeners follow easily (paceWordsPerMin).","Your pauses, 1.2 s long on average, give listeners time to think, which rates 1 of 1 (pauseEffectiveness)."],"areasForImprovement":["Your volume is even at 0.83 of 1; the next step is to vary it on purpose (volumeConsistency).","Your melody rates 0.91 of 1; the next step is to let it fall at the end of each statement (tonalVariety).","Your pace averages 151 words per minute; the next step is to slow down for the main point (paceWordsPerMin)."],"practiceExercises":["Say one sentence of each take almost in a whisper and the next in full voice, and watch toneTimeline answer.","Record five statements and let your voice go down on the last word, keeping tonalVariety above 0.60.","Say the main sentence of your talk at half speed, keeping paceWordsPerMin between 120 and 180 overall."],"keyMoments":[{"timestamp":5,"type":"improvement","description":"Your voice carried least energy here, 0.31 of 1 (toneTimeline)."},{"timestamp":24,"type":"strength","description":"A clear pause of 1.1 s lets the thought land (pauseEffectiveness)."}],"feedback":"With 96 of 100 points this is an excellent recording of 28 s (confidenceScore). You spoke 151 words per minute and paused 5 times for 1.2 s on average (paceWordsPerMin, pauseMeanSeconds). Your face was turned to the camera in 100 % of the sampled pictures (eyeContactPct). Keep looking at the camera as you do, and take up one exercise at a time: you are on a very good way (eyeContactPct 1).","transcript":{"text":"And Mr. John Dashwood had then leisure to consider how much there might be prudently in his power to do for them. He was not an ill-sposed young man. Unless to be rather cold-hearted and rather selfish, is to be ill-disposed, Had he married a more amiable woman, he might have been made still more respectable than he was. He might even have been made amiable himself.","lowConfidence":false,"words":[{"w":"and","start":0.2,"end":0.37},{"w":"mr","start":0.37,"end":0.63},{"w":"john","start":0.63,"end":0.98},{"w":"dashwood","start":0.98,"end":1.59},{"w":"had","start":1.59,"end":1.84},{"w":"then","start":1.84,"end":2.21},{"w":"leisure","start":2.24,"end":2.72},{"w":"to","start":2.72,"end":2.89},{"w":"consider","start":2.89,"end":3.44},{"w":"how","start":3.44,"end":3.95},{"w":"much","start":4.0,"end":4.33},{"w":"there","start":4.33,"end":4.53},{"w":"might","start":4.53,"end":4.79},{"w":"be","start":4.79,"end":4.94},{"w":"prudently","start":4.94,"end":5.46},{"w":"in","start":5.46,"end":5.56},{"w":"his","start":5.56,"end":5.75},{"w":"power","start":5.75,"end":6.04},{"w":"to","start":6.04,"end":6.14},{"w":"do","start":6.14,"end":6.35},{"w":"for","start":6.35,"end":6.61},{"w":"them","start":6.61,"end":6.79},{"w":"he","start":8.02,"end":8.14},{"w":"was","start":8.14,"end":8.36},{"w":"not","start":8.36,"end":8.8},{"w":"an","start":8.93,"end":9.1},{"w":"ill","start":9.1,"end":9.3},{"w":"sposed","start":9.3,"end":9.91},{"w":"young","start":9.91,"end":10.13},{"w":"man","start":10.13,"end":10.54},{"w":"unless","start":11.96,"end":12.28},{"w":"to","start":12.28,"end":12.38},{"w":"be","start":12.38,"end":12.55},{"w":"rather","start":12.55,"end":12.91},{"w":"cold","start":12.91,"end":13.43},{"w":"hearted","start":13.43,"end":13.91},{"w":"and","start":13.91,"end":14.07},{"w":"rather","start":14.07,"end":14.46},{"w":"selfish","start":14.46,"end":15.29},{"w":"is","start":15.29,"end":15.56},{"w":"to","start":15.56,"end":15.67},{"w":"be","start":15.67,"end":15.85},{"w":"ill","start":15.85,"end":16.05},{"w":"disposed","start":16.05,"end":16.78},{"w":"had","start":18.61,"end":18.83},{"w":"he","start":18.83,"end":18.93},{"w":"married","start":18.93,"end":19.37},{"w":"a","start":19.37,"end":19.42},{"w":"more","start":19.42,"end":19.8},{"w":"amiable","start":19.8,"end":20.39},{"w":"woman","start":20.39,"end":20.87},{"w":"he","start":20.87,"end":21.1},{"w":"might","start":21.1,"end":21.38},{"w":"have","start":21.38,"end":21.58},{"w":"been","start":21.58,"end":21.74},{"w":"made","start":21.74,"end":22.08},{"w":"still","start":22.08,"end":22.46},{"w":"more","start":22.46,"end":22.63},{"w":"respectable","start":22.63,"end":23.39},{"w":"than","start":23.39,"end":23.51},{"w":"he","start":23.51,"end":23.59},{"w":"was","start":23.59,"end":24.22},{"w":"he","start":25.26,"end":25.42},{"w":"might","start":25.42,"end":25.68},{"w":"even","start":25.68,"end":25.96},{"w":"have","start":25.96,"end":26.11},{"w":"been","start":26.11,"end":26.36},{"w":"made","start":26.36,"end":26.74},{"w":"amiable","start":26.74,"end":27.31},{"w":"himself","start":27.31,"end":28.06}]},"measures":{"durationSec":{"value":28,"unit":"s","source":"measured","valid":true},"confidenceScore":{"value":96,"unit":"points of 100","source":"estimated","valid":true},"impressionTags":{"value":["persuasive","polished","confident","engaging","articulate"],"unit":"tags","source":"estimated","valid":true},"fillerWords":{"value":{},"unit":"words, at least","source":"model","valid":true},"toneTimeline":{"value":6,"unit":"points","source":"measured","valid":true},"toneTimeline.confidence":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"confidence over time is not measured"},"emotionBreakdown":{"value":null,"unit":"shares","source":"notRated","valid":false,"reason":"emotions are not measured"},"eyeContactPct":{"value":1.0,"unit":"share of sampled pictures with a face, 0-1","source":"measured","valid":true,"weight":30.8},"postureScore":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"posture is not measured"},"gestureNaturalness":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"gestures are not measured"},"facialExpressiveness":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"expressiveness is not measured, because there is no scale"},"movementPurpose":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"the purpose of movements is not measured"},"strengths":{"value":3,"unit":"sentences","source":"estimated","valid":true},"areasForImprovement":{"value":3,"unit":"sentences","source":"estimated","valid":true},"practiceExercises":{"value":3,"unit":"sentences","source":"estimated","valid":true},"keyMoments":{"value":2,"unit":"moments","source":"estimated","valid":true},"feedback":{"value":392,"unit":"characters","source":"estimated","valid":true},"transcript":{"value":70,"unit":"words","source":"model","valid":true},"fillersPer100Words":{"value":0.0,"unit":"per 100 words, at least","source":"model","valid":true,"weight":15.4},"paceWordsPerMin":{"value":151,"unit":"words/min","source":"model","valid":true,"weight":12.8},"wordCount":{"value":70,"unit":"words","source":"model","valid":true},"pauseCount":{"value":5,"unit":"pauses","source":"measured","valid":true},"pauseMeanSeconds":{"value":1.22,"unit":"s","source":"measured","valid":true},"pauseLongestSeconds":{"value":1.99,"unit":"s","source":"measured","valid":true},"pitchMedianHz":{"value":95.2,"unit":"Hz","source":"measured","valid":true},"pitchRangeSemitones":{"value":8.1,"unit":"semitones","source":"measured","valid":true},"tonalVariety":{"value":0.91,"unit":"0-1","source":"measured","valid":true,"weight":15.4},"loudnessLufs":{"value":-24.4,"unit":"LUFS","source":"measured","valid":true},"truePeakDbfs":{"value":-4.7,"unit":"dBFS","source":"measured","valid":true},"volumeConsistency":{"value":0.83,"unit":"0-1","source":"measured","valid":true,"weight":12.8},"clarity":{"value":1.0,"unit":"0-1","source":"model","valid":true},"snrProxyDb":{"value":60.0,"unit":"dB","source":"measured","valid":true},"pauseEffectiveness":{"value":1.0,"unit":"0-1","source":"measured","valid":true,"lowConfidence":true,"weight":12.8},"facePresencePct":{"value":100.0,"unit":"% of samples","source":"measured","valid":true},"facingCameraPct":{"value":100.0,"unit":"% of face samples","source":"measured","valid":true},"faceWidthPx":{"value":150,"unit":"px of 640","source":"measured","valid":true},"headMovement":{"value":0.038,"unit":"face widths/0.2 s","source":"measured","valid":true},"headStillness":{"value":0.88,"unit":"0-1","source":"measured","valid":true,"lowConfidence":true},"smileLikePct":{"value":null,"unit":"% of samples","source":"notRated","valid":false,"reason":"it is not measured","code":"not-measured"},"severalFacesPct":{"value":0.0,"unit":"% of samples","source":"measured","valid":true},"meanLuma":{"value":141,"unit":"0-255","source":"measured","valid":true}},"scoreParts":[{"part":"voice","weight":25,"share":38.5,"value":0.943,"valid":true,"measures":["paceWordsPerMin","volumeConsistency","pauseEffectiveness"]},{"part":"posture","weight":20,"share":0.0,"value":null,"valid":false,"measures":[],"reason":"posture is not measured"},{"part":"eyeContact","weight":20,"share":30.8,"value":1.0,"valid":true,"measures":["eyeContactPct"]},{"part":"gestures","weight":15,"share":0.0,"value":null,"valid":false,"measures":[],"reason":"gestures are not measured"},{"part":"fewFillers","weight":10,"share":15.4,"value":1.0,"valid":true,"measures":["fillersPer100Words"]},{"part":"vocalVariety","weight":10,"share":15.4,"value":0.91,"valid":true,"measures":["tonalVariety"]}],"impressionTagMeasures":{"persuasive":["eyeContactPct","pauseEffectiveness","tonalVariety"],"polished":["paceWordsPerMin","pauseEffectiveness","volumeConsistency","eyeContactPct"],"confident":["confidenceScore"],"engaging":["eyeContactPct","tonalVariety"],"articulate":["clarity","paceWordsPerMin"]},"fillersAtLeast":true,"warnings":[],"video":{"width":1280,"height":720,"codec":"h264","rotation":0,"fps":30.0},"engines":{"asr":"moonshine","model":"tiny-en 0.0.73","aligner":"pocketsphinx 0.8","face":"dlib-hog 19.24","ffmpeg":"5.1.9-0+deb12u1","thresholds":"1"},"rulesVersion":1}'),
	('051b44d1-f7e6-5700-ad3e-5a671c3da351', 'ffde2b98-0a39-51b7-ac3d-18f19946d461', '59c2ae81-46f8-5703-9b6f-6b60878cfe23', '{"durationSec":28,"confidenceScore":96,"impressionTags":["persuasive","polished","confident","engaging","articulate"],"fillerWords":{},"toneTimeline":[{"t":0.0,"energy":0.48,"confidence":null},{"t":5.0,"energy":0.31,"confidence":null},{"t":10.0,"energy":0.45,"confidence":null},{"t":15.0,"energy":0.41,"confidence":null},{"t":20.0,"energy":0.52,"confidence":null},{"t":25.0,"energy":0.58,"confidence":null}],"emotionBreakdown":null,"gaze":{"eyeContactPct":1.0},"vocalAnalysis":{"paceWordsPerMin":151,"volumeConsistency":0.83,"tonalVariety":0.91,"clarity":1.0,"pauseEffectiveness":1.0},"bodyLanguageAnalysis":{"postureScore":null,"gestureNaturalness":null,"facialExpressiveness":null,"eyeContactPct":1.0,"movementPurpose":null},"strengths":["Your face was turned to the camera in 100 % of the sampled pictures, so viewers feel addressed (eyeContactPct).","You spoke at 151 words per minute, inside the 120 to 180 that listeners follow easily (paceWordsPerMin).","Your pauses, 1.2 s long on average, give listeners time to think, which rates 1 of 1 (pauseEffectiveness)."],"areasForImprovement":["Your volume is even at 0.83 of 1; the next step is to vary it on purpose (volumeConsistency).","Your melody rates 0.91 of 1; the next step is to let it fall at the end of each statement (tonalVariety).","Your pace averages 151 words per minute; the next step is to slow down for the main point (paceWordsPerMin)."],"practiceExercises":["Say one sentence of each take almost in a whisper and the next in full voice, and watch toneTimeline answer.","Record five statements and let your voice go down on the last word, keeping tonalVariety above 0.60.","Say the main sentence of your talk at half speed, keeping paceWordsPerMin between 120 and 180 overall."],"keyMoments":[{"timestamp":5,"type":"improvement","description":"Your voice carried least energy here, 0.31 of 1 (toneTimeline)."},{"timestamp":24,"type":"strength","description":"A clear pause of 1.1 s lets the thought land (pauseEffectiveness)."}],"feedback":"With 96 of 100 points this is an excellent recording of 28 s (confidenceScore). You spoke 151 words per minute and paused 5 times for 1.2 s on average (paceWordsPerMin, pauseMeanSeconds). Your face was turned to the camera in 100 % of the sampled pictures (eyeContactPct). Keep looking at the camera as you do, and take up one exercise at a time: you are on a very good way (eyeContactPct 1).","transcript":{"text":"And Mr. John Dashwood had then leisure to consider how much there might be prudently in his power to do for them. He was not an ill-sposed young man. Unless to be rather cold-hearted and rather selfish, is to be ill-disposed, Had he married a more amiable woman, he might have been made still more respectable than he was. He might even have been made amiable himself.","lowConfidence":false,"words":[{"w":"and","start":0.2,"end":0.37},{"w":"mr","start":0.37,"end":0.63},{"w":"john","start":0.63,"end":0.98},{"w":"dashwood","start":0.98,"end":1.59},{"w":"had","start":1.59,"end":1.84},{"w":"then","start":1.84,"end":2.21},{"w":"leisure","start":2.24,"end":2.72},{"w":"to","start":2.72,"end":2.89},{"w":"consider","start":2.89,"end":3.44},{"w":"how","start":3.44,"end":3.95},{"w":"much","start":4.0,"end":4.33},{"w":"there","start":4.33,"end":4.53},{"w":"might","start":4.53,"end":4.79},{"w":"be","start":4.79,"end":4.94},{"w":"prudently","start":4.94,"end":5.46},{"w":"in","start":5.46,"end":5.56},{"w":"his","start":5.56,"end":5.75},{"w":"power","start":5.75,"end":6.04},{"w":"to","start":6.04,"end":6.14},{"w":"do","start":6.14,"end":6.35},{"w":"for","start":6.35,"end":6.61},{"w":"them","start":6.61,"end":6.79},{"w":"he","start":8.02,"end":8.14},{"w":"was","start":8.14,"end":8.36},{"w":"not","start":8.36,"end":8.8},{"w":"an","start":8.93,"end":9.1},{"w":"ill","start":9.1,"end":9.3},{"w":"sposed","start":9.3,"end":9.91},{"w":"young","start":9.91,"end":10.13},{"w":"man","start":10.13,"end":10.54},{"w":"unless","start":11.96,"end":12.28},{"w":"to","start":12.28,"end":12.38},{"w":"be","start":12.38,"end":12.55},{"w":"rather","start":12.55,"end":12.91},{"w":"cold","start":12.91,"end":13.43},{"w":"hearted","start":13.43,"end":13.91},{"w":"and","start":13.91,"end":14.07},{"w":"rather","start":14.07,"end":14.46},{"w":"selfish","start":14.46,"end":15.29},{"w":"is","start":15.29,"end":15.56},{"w":"to","start":15.56,"end":15.67},{"w":"be","start":15.67,"end":15.85},{"w":"ill","start":15.85,"end":16.05},{"w":"disposed","start":16.05,"end":16.78},{"w":"had","start":18.61,"end":18.83},{"w":"he","start":18.83,"end":18.93},{"w":"married","start":18.93,"end":19.37},{"w":"a","start":19.37,"end":19.42},{"w":"more","start":19.42,"end":19.8},{"w":"amiable","start":19.8,"end":20.39},{"w":"woman","start":20.39,"end":20.87},{"w":"he","start":20.87,"end":21.1},{"w":"might","start":21.1,"end":21.38},{"w":"have","start":21.38,"end":21.58},{"w":"been","start":21.58,"end":21.74},{"w":"made","start":21.74,"end":22.08},{"w":"still","start":22.08,"end":22.46},{"w":"more","start":22.46,"end":22.63},{"w":"respectable","start":22.63,"end":23.39},{"w":"than","start":23.39,"end":23.51},{"w":"he","start":23.51,"end":23.59},{"w":"was","start":23.59,"end":24.22},{"w":"he","start":25.26,"end":25.42},{"w":"might","start":25.42,"end":25.68},{"w":"even","start":25.68,"end":25.96},{"w":"have","start":25.96,"end":26.11},{"w":"been","start":26.11,"end":26.36},{"w":"made","start":26.36,"end":26.74},{"w":"amiable","start":26.74,"end":27.31},{"w":"himself","start":27.31,"end":28.06}]},"measures":{"durationSec":{"value":28,"unit":"s","source":"measured","valid":true},"confidenceScore":{"value":96,"unit":"points of 100","source":"estimated","valid":true},"impressionTags":{"value":["persuasive","polished","confident","engaging","articulate"],"unit":"tags","source":"estimated","valid":true},"fillerWords":{"value":{},"unit":"words, at least","source":"model","valid":true},"toneTimeline":{"value":6,"unit":"points","source":"measured","valid":true},"toneTimeline.confidence":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"confidence over time is not measured"},"emotionBreakdown":{"value":null,"unit":"shares","source":"notRated","valid":false,"reason":"emotions are not measured"},"eyeContactPct":{"value":1.0,"unit":"share of sampled pictures with a face, 0-1","source":"measured","valid":true,"weight":30.8},"postureScore":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"posture is not measured"},"gestureNaturalness":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"gestures are not measured"},"facialExpressiveness":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"expressiveness is not measured, because there is no scale"},"movementPurpose":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"the purpose of movements is not measured"},"strengths":{"value":3,"unit":"sentences","source":"estimated","valid":true},"areasForImprovement":{"value":3,"unit":"sentences","source":"estimated","valid":true},"practiceExercises":{"value":3,"unit":"sentences","source":"estimated","valid":true},"keyMoments":{"value":2,"unit":"moments","source":"estimated","valid":true},"feedback":{"value":392,"unit":"characters","source":"estimated","valid":true},"transcript":{"value":70,"unit":"words","source":"model","valid":true},"fillersPer100Words":{"value":0.0,"unit":"per 100 words, at least","source":"model","valid":true,"weight":15.4},"paceWordsPerMin":{"value":151,"unit":"words/min","source":"model","valid":true,"weight":12.8},"wordCount":{"value":70,"unit":"words","source":"model","valid":true},"pauseCount":{"value":5,"unit":"pauses","source":"measured","valid":true},"pauseMeanSeconds":{"value":1.22,"unit":"s","source":"measured","valid":true},"pauseLongestSeconds":{"value":1.99,"unit":"s","source":"measured","valid":true},"pitchMedianHz":{"value":95.2,"unit":"Hz","source":"measured","valid":true},"pitchRangeSemitones":{"value":8.1,"unit":"semitones","source":"measured","valid":true},"tonalVariety":{"value":0.91,"unit":"0-1","source":"measured","valid":true,"weight":15.4},"loudnessLufs":{"value":-24.4,"unit":"LUFS","source":"measured","valid":true},"truePeakDbfs":{"value":-4.7,"unit":"dBFS","source":"measured","valid":true},"volumeConsistency":{"value":0.83,"unit":"0-1","source":"measured","valid":true,"weight":12.8},"clarity":{"value":1.0,"unit":"0-1","source":"model","valid":true},"snrProxyDb":{"value":60.0,"unit":"dB","source":"measured","valid":true},"pauseEffectiveness":{"value":1.0,"unit":"0-1","source":"measured","valid":true,"lowConfidence":true,"weight":12.8},"facePresencePct":{"value":100.0,"unit":"% of samples","source":"measured","valid":true},"facingCameraPct":{"value":100.0,"unit":"% of face samples","source":"measured","valid":true},"faceWidthPx":{"value":150,"unit":"px of 640","source":"measured","valid":true},"headMovement":{"value":0.038,"unit":"face widths/0.2 s","source":"measured","valid":true},"headStillness":{"value":0.88,"unit":"0-1","source":"measured","valid":true,"lowConfidence":true},"smileLikePct":{"value":null,"unit":"% of samples","source":"notRated","valid":false,"reason":"it is not measured","code":"not-measured"},"severalFacesPct":{"value":0.0,"unit":"% of samples","source":"measured","valid":true},"meanLuma":{"value":141,"unit":"0-255","source":"measured","valid":true}},"scoreParts":[{"part":"voice","weight":25,"share":38.5,"value":0.943,"valid":true,"measures":["paceWordsPerMin","volumeConsistency","pauseEffectiveness"]},{"part":"posture","weight":20,"share":0.0,"value":null,"valid":false,"measures":[],"reason":"posture is not measured"},{"part":"eyeContact","weight":20,"share":30.8,"value":1.0,"valid":true,"measures":["eyeContactPct"]},{"part":"gestures","weight":15,"share":0.0,"value":null,"valid":false,"measures":[],"reason":"gestures are not measured"},{"part":"fewFillers","weight":10,"share":15.4,"value":1.0,"valid":true,"measures":["fillersPer100Words"]},{"part":"vocalVariety","weight":10,"share":15.4,"value":0.91,"valid":true,"measures":["tonalVariety"]}],"impressionTagMeasures":{"persuasive":["eyeContactPct","pauseEffectiveness","tonalVariety"],"polished":["paceWordsPerMin","pauseEffectiveness","volumeConsistency","eyeContactPct"],"confident":["confidenceScore"],"engaging":["eyeContactPct","tonalVariety"],"articulate":["clarity","paceWordsPerMin"]},"fillersAtLeast":true,"warnings":[],"video":{"width":1280,"height":720,"codec":"h264","rotation":0,"fps":30.0},"engines":{"asr":"moonshine","model":"tiny-en 0.0.73","aligner":"pocketsphinx 0.8","face":"dlib-hog 19.24","ffmpeg":"5.1.9-0+deb12u1","thresholds":"1"},"rulesVersion":1}');

INSERT INTO reporting.request_key VALUES
	(true, '\xef96e18c19eb4746b8e21e973d81c38f00fe002dc8cd491bbed27d2daa527154');

INSERT INTO reporting.signing_keys VALUES
	('978cf6f9-1116-4f0f-ad98-c58040a49f04', 'C-lhg3em3brJ_JDnie43Gr-tp3D6aSkH38cHrt0DaqE', 'WEE_UYX86gcqqFXLhjaoAcsKRNWZk6eyvGXIo_InGfc', '2026-11-21 21:51:25.138229+00', '2026-12-21 21:51:25.138229+00', NULL),
	('b6ad323b-6f79-42f1-8b08-feed3d9d9379', '6RLGY-G6s48hqn7pWWvlvqBEtNpyhqXEhmSfXm6KFpQ', 'xxEnn1qOvmlDr4iuHgFLj0wiMEDR1HdFtVd8wAo4WCU', '2026-11-21 21:56:29.514073+00', '2026-12-21 21:56:29.514073+00', NULL);

SELECT pg_catalog.setval('reporting.parked_messages_id_seq', 1, false);

SELECT pg_catalog.setval('reporting.rebuilds_id_seq', 1, false);

ALTER TABLE ONLY reporting.consumer_partitions
    ADD CONSTRAINT consumer_partitions_pkey PRIMARY KEY (topic, partition);

ALTER TABLE ONLY reporting.cut_incarnations
    ADD CONSTRAINT cut_incarnations_pkey PRIMARY KEY (incarnation);

ALTER TABLE ONLY reporting.erased_subjects
    ADD CONSTRAINT erased_subjects_pkey PRIMARY KEY (subject);

ALTER TABLE ONLY reporting.events
    ADD CONSTRAINT events_id_key UNIQUE (id);

ALTER TABLE ONLY reporting.events
    ADD CONSTRAINT events_pkey PRIMARY KEY ("position");

ALTER TABLE ONLY reporting.events
    ADD CONSTRAINT events_stream_version_key UNIQUE (stream, version);

ALTER TABLE ONLY reporting.head
    ADD CONSTRAINT head_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY reporting.incarnations
    ADD CONSTRAINT incarnations_pkey PRIMARY KEY (incarnation);

ALTER TABLE ONLY reporting.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (name);

ALTER TABLE ONLY reporting.object_intents
    ADD CONSTRAINT object_intents_pkey PRIMARY KEY (object_key);

ALTER TABLE ONLY reporting.parked_messages
    ADD CONSTRAINT parked_messages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY reporting.parked_messages
    ADD CONSTRAINT parked_messages_topic_partition_identity_key UNIQUE (topic, partition, identity);

ALTER TABLE ONLY reporting.projections
    ADD CONSTRAINT projections_pkey PRIMARY KEY (name);

ALTER TABLE ONLY reporting.rebuilds
    ADD CONSTRAINT rebuilds_pkey PRIMARY KEY (id);

ALTER TABLE ONLY reporting.relay_partitions
    ADD CONSTRAINT relay_partitions_pkey PRIMARY KEY (partition);

ALTER TABLE ONLY reporting.relay
    ADD CONSTRAINT relay_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY reporting.report_history
    ADD CONSTRAINT report_history_pkey PRIMARY KEY (key);

ALTER TABLE ONLY reporting.report_history
    ADD CONSTRAINT report_history_report_id_key UNIQUE (report_id);

ALTER TABLE ONLY reporting.report_history
    ADD CONSTRAINT report_history_session_id_key UNIQUE (session_id);

ALTER TABLE ONLY reporting.reports
    ADD CONSTRAINT reports_pkey PRIMARY KEY (session_id);

ALTER TABLE ONLY reporting.reports
    ADD CONSTRAINT reports_report_id_key UNIQUE (report_id);

ALTER TABLE ONLY reporting.request_key
    ADD CONSTRAINT request_key_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY reporting.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (kid);

CREATE INDEX object_intents_by_subject ON reporting.object_intents USING btree (subject);

CREATE INDEX object_intents_due ON reporting.object_intents USING btree (deadline) WHERE ((deadline IS NOT NULL) OR unwanted);

CREATE INDEX parked_messages_by_key ON reporting.parked_messages USING btree (topic, partition, key, id);

CREATE INDEX report_history_pages ON reporting.report_history USING btree (owner_id, created_at DESC, session_id DESC);

CREATE INDEX reports_by_owner ON reporting.reports USING btree (owner_id);

CREATE TRIGGER events_are_immutable BEFORE DELETE OR UPDATE ON reporting.events FOR EACH ROW EXECUTE FUNCTION reporting.refuse_change();

CREATE TRIGGER events_are_not_truncated BEFORE TRUNCATE ON reporting.events FOR EACH STATEMENT EXECUTE FUNCTION reporting.refuse_change();

ALTER TABLE ONLY reporting.cut_incarnations
    ADD CONSTRAINT cut_incarnations_successor_fkey FOREIGN KEY (successor) REFERENCES reporting.incarnations(incarnation);

ALTER TABLE ONLY reporting.head
    ADD CONSTRAINT head_incarnation_fkey FOREIGN KEY (incarnation) REFERENCES reporting.incarnations(incarnation);

ALTER TABLE ONLY reporting.incarnations
    ADD CONSTRAINT incarnations_parent_fkey FOREIGN KEY (parent) REFERENCES reporting.incarnations(incarnation);

ALTER TABLE reporting.object_intents ENABLE ROW LEVEL SECURITY;

CREATE POLICY owners_rows ON reporting.object_intents USING (reporting.in_scope(subject));

CREATE POLICY owners_rows ON reporting.report_history USING (reporting.in_scope(owner_id));

CREATE POLICY owners_rows ON reporting.reports USING (reporting.in_scope(owner_id));

ALTER TABLE reporting.report_history ENABLE ROW LEVEL SECURITY;

ALTER TABLE reporting.reports ENABLE ROW LEVEL SECURITY;

GRANT USAGE ON SCHEMA reporting TO reporting;
GRANT USAGE ON SCHEMA reporting TO mirrormate_reader;

REVOKE ALL ON FUNCTION reporting.abandon_rebuild(rebuild bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION reporting.abandon_rebuild(rebuild bigint) TO reporting;

REVOKE ALL ON FUNCTION reporting.append_batch(first_ids uuid[], hashes bytea[], owners uuid[], though_erased boolean[], metadatas json[], calls json[], groups bigint[], streams text[], write_appends bigint[], write_streams bigint[], write_expected bigint[], write_sizes bigint[], event_writes bigint[], event_ids uuid[], event_types text[], event_schema_versions bigint[], event_datas json[]) FROM PUBLIC;
GRANT ALL ON FUNCTION reporting.append_batch(first_ids uuid[], hashes bytea[], owners uuid[], though_erased boolean[], metadatas json[], calls json[], groups bigint[], streams text[], write_appends bigint[], write_streams bigint[], write_expected bigint[], write_sizes bigint[], event_writes bigint[], event_ids uuid[], event_types text[], event_schema_versions bigint[], event_datas json[]) TO reporting;

REVOKE ALL ON FUNCTION reporting.begin_incarnation(next uuid, fork bigint, published bigint, top_epoch bigint, cut uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION reporting.begin_incarnation(next uuid, fork bigint, published bigint, top_epoch bigint, cut uuid[]) TO reporting;

REVOKE ALL ON FUNCTION reporting.begin_rebuild(model_name text, by_whom text, code_version text) FROM PUBLIC;
GRANT ALL ON FUNCTION reporting.begin_rebuild(model_name text, by_whom text, code_version text) TO reporting;

REVOKE ALL ON FUNCTION reporting.complete_rebuild(model_name text, keys_only boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION reporting.complete_rebuild(model_name text, keys_only boolean) TO reporting;

REVOKE ALL ON FUNCTION reporting.drop_rebuild(model_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION reporting.drop_rebuild(model_name text) TO reporting;

REVOKE ALL ON FUNCTION reporting.in_scope(owner uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION reporting.in_scope(owner uuid) TO reporting;
GRANT ALL ON FUNCTION reporting.in_scope(owner uuid) TO mirrormate_reader;

REVOKE ALL ON FUNCTION reporting.refuse_appends(reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION reporting.refuse_appends(reason text) TO reporting;

REVOKE ALL ON FUNCTION reporting.refuse_change() FROM PUBLIC;

REVOKE ALL ON FUNCTION reporting.rename_read_model(from_name text, to_name text, ending text) FROM PUBLIC;

REVOKE ALL ON FUNCTION reporting.row_delete_report(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION reporting.row_discard_object(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION reporting.row_discard_objects(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION reporting.row_discard_overdue(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION reporting.row_erase_subject(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION reporting.row_forget_subject(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION reporting.row_intend_object(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION reporting.row_keep_object(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION reporting.row_learn_key(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION reporting.row_move_watermark(args json) FROM PUBLIC;
GRANT ALL ON FUNCTION reporting.row_move_watermark(args json) TO reporting;

REVOKE ALL ON FUNCTION reporting.row_park(args json) FROM PUBLIC;
GRANT ALL ON FUNCTION reporting.row_park(args json) TO reporting;

REVOKE ALL ON FUNCTION reporting.row_retire_key(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION reporting.row_unpark(args json) FROM PUBLIC;
GRANT ALL ON FUNCTION reporting.row_unpark(args json) TO reporting;

REVOKE ALL ON FUNCTION reporting.row_write_report(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION reporting.switch_rebuild(rebuild bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION reporting.switch_rebuild(rebuild bigint) TO reporting;

REVOKE ALL ON FUNCTION reporting.undo_rebuild(model_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION reporting.undo_rebuild(model_name text) TO reporting;

GRANT SELECT,INSERT,UPDATE ON TABLE reporting.consumer_partitions TO reporting;
GRANT SELECT ON TABLE reporting.consumer_partitions TO mirrormate_reader;

GRANT SELECT ON TABLE reporting.cut_incarnations TO reporting;
GRANT SELECT ON TABLE reporting.cut_incarnations TO mirrormate_reader;

GRANT SELECT ON TABLE reporting.erased_subjects TO reporting;
GRANT SELECT ON TABLE reporting.erased_subjects TO mirrormate_reader;

GRANT SELECT ON TABLE reporting.events TO reporting;
GRANT SELECT ON TABLE reporting.events TO mirrormate_reader;

GRANT SELECT ON TABLE reporting.head TO reporting;
GRANT SELECT ON TABLE reporting.head TO mirrormate_reader;

GRANT SELECT ON TABLE reporting.incarnations TO reporting;
GRANT SELECT ON TABLE reporting.incarnations TO mirrormate_reader;

GRANT SELECT ON TABLE reporting.migrations TO reporting;
GRANT SELECT ON TABLE reporting.migrations TO mirrormate_reader;

GRANT SELECT,DELETE ON TABLE reporting.object_intents TO reporting;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE reporting.parked_messages TO reporting;

GRANT SELECT(id) ON TABLE reporting.parked_messages TO mirrormate_reader;

GRANT SELECT(topic) ON TABLE reporting.parked_messages TO mirrormate_reader;

GRANT SELECT(partition) ON TABLE reporting.parked_messages TO mirrormate_reader;

GRANT SELECT(record_offset) ON TABLE reporting.parked_messages TO mirrormate_reader;

GRANT SELECT(key) ON TABLE reporting.parked_messages TO mirrormate_reader;

GRANT SELECT(identity) ON TABLE reporting.parked_messages TO mirrormate_reader;

GRANT SELECT(type) ON TABLE reporting.parked_messages TO mirrormate_reader;

GRANT SELECT(reason) ON TABLE reporting.parked_messages TO mirrormate_reader;

GRANT SELECT(parked_at) ON TABLE reporting.parked_messages TO mirrormate_reader;

GRANT SELECT(release) ON TABLE reporting.parked_messages TO mirrormate_reader;

GRANT SELECT(dropped) ON TABLE reporting.parked_messages TO mirrormate_reader;

GRANT SELECT(attempts) ON TABLE reporting.parked_messages TO mirrormate_reader;

GRANT SELECT,INSERT,UPDATE ON TABLE reporting.projections TO reporting;
GRANT SELECT ON TABLE reporting.projections TO mirrormate_reader;

GRANT SELECT,UPDATE ON TABLE reporting.rebuilds TO reporting;
GRANT SELECT ON TABLE reporting.rebuilds TO mirrormate_reader;

GRANT SELECT,UPDATE ON TABLE reporting.relay TO reporting;
GRANT SELECT ON TABLE reporting.relay TO mirrormate_reader;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE reporting.relay_partitions TO reporting;
GRANT SELECT ON TABLE reporting.relay_partitions TO mirrormate_reader;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE reporting.report_history TO reporting;
GRANT SELECT ON TABLE reporting.report_history TO mirrormate_reader;

GRANT SELECT ON TABLE reporting.reports TO reporting;

GRANT SELECT ON TABLE reporting.request_key TO reporting;

GRANT SELECT ON TABLE reporting.signing_keys TO reporting;

