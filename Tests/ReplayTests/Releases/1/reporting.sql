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
	('mirrormate.analysis.v1', 3, 1, 7, 'cede896f-913d-4474-85e1-049f96458434/8', 'cede896f-913d-4474-85e1-049f96458434', 8, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 7, 1, 7, 'cede896f-913d-4474-85e1-049f96458434/27', 'cede896f-913d-4474-85e1-049f96458434', 27, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 1, 1, 1, 'cede896f-913d-4474-85e1-049f96458434/lease/1', 'cede896f-913d-4474-85e1-049f96458434', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 0, 1, 1, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/lease/1', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 5, 1, 9, 'cede896f-913d-4474-85e1-049f96458434/19', 'cede896f-913d-4474-85e1-049f96458434', 19, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 5, 1, 4, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/8', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 8, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 4, 1, 1, 'cede896f-913d-4474-85e1-049f96458434/lease/1', 'cede896f-913d-4474-85e1-049f96458434', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 6, 1, 2, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/9', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 9, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 7, 1, 2, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/11', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 11, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 2, 1, 3, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/15', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 15, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 2, 1, 8, 'cede896f-913d-4474-85e1-049f96458434/37', 'cede896f-913d-4474-85e1-049f96458434', 37, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 0, 1, 1, 'cede896f-913d-4474-85e1-049f96458434/lease/1', 'cede896f-913d-4474-85e1-049f96458434', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 2, 1, 5, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/55', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 55, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 4, 1, 3, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/21', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 21, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 3, 1, 2, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/2', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 2, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 0, 1, 1, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/lease/1', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 1, 1, 1, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/lease/1', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 6, 1, 1, 'cede896f-913d-4474-85e1-049f96458434/lease/1', 'cede896f-913d-4474-85e1-049f96458434', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 1, 1, 1, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/lease/1', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 4, 1, 1, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/lease/1', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 3, 1, 4, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/11', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 11, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 5, 1, 8, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/28', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 28, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 6, 1, 3, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/32', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 32, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 7, 1, 5, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/43', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 43, 1, NULL, false, NULL, 0, NULL);

INSERT INTO reporting.erased_subjects VALUES
	('a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f', '2026-11-21 20:36:00.879631+00');

INSERT INTO reporting.events VALUES
	(1, 'key-cd280822-1356-59af-8963-94fa8ff4af20', 1, 'fc52a90d-8540-5d80-8470-dacee0b998c3', 'SigningKeyLearned', 1, '{"kid":"1a913ef4-e2ba-41db-bcf3-f99a3250d402","x":"OqAVIdGGkF7xhXZEXcO0UiY1MQt9MXmKEpOiskHZpok","y":"Wx6X5UEgLtEp1_TAjrWOMaHQnVJwrdU7CrowZy3KGrs","notBefore":"2026-11-21T20:35:54.128955Z","expiresAt":"2026-12-21T20:35:54.128955Z"}', '{"correlation":"01a1ffd2-9893-7ac4-a4d5-f6cd391a34f7","causation":"c1e7b374-fc1f-52f4-980a-e54213c2d9d5","actor":"reporting","origin":"identity/8dfa18f7-2761-4fce-bdc9-4926f49c3338/1"}', '\xc1e7b374fc1f52f4980ae54213c2d9d5', '2026-11-21 20:35:57.982004+00'),
	(2, 'report-c4128d3b-82b0-5498-b2f0-b9622c202d6b', 1, '1f0b16d4-099a-5cef-9b92-343c7a0935f5', 'ReportWritten', 1, '{"sessionId":"c4128d3b-82b0-5498-b2f0-b9622c202d6b","ownerId":"75365c24-94e0-55af-8523-88fff106a5f1","document":{"key":"documents/75365c24-94e0-55af-8523-88fff106a5f1/c4128d3b-82b0-5498-b2f0-b9622c202d6b/01a1ffd2-a921-7116-9890-4fe32e8847f4.json","sha256":"1258e11385acf1e0ff1fe5334a354c56397e738aa171d5de27a1fbd3c31fc940","sizeBytes":13290},"summary":{"confidenceScore":96,"paceWordsPerMin":151,"eyeContactPct":1.0,"fillerCount":0,"durationSec":28,"impressionTags":["persuasive","polished","confident","engaging","articulate"]}}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a738-7810-9c2c-d21b2df5352a","causation":"90e8977c-838f-5c2f-88c9-d683f0002dfd","actor":"reporting","traceparent":"00-7fbe18bc6b7b48c6904594961ee5f1c6-f60d172e05b1b154-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/8"}', '\x90e8977c838f5c2f88c9d683f0002dfd', '2026-11-21 20:35:58.44801+00'),
	(3, 'report-4683d60c-4ecf-5f26-b224-ae44b5762002', 1, '4e221f90-67dd-5f27-8b92-f840b92c13dd', 'ReportDeleted', 1, '{"sessionId":"4683d60c-4ecf-5f26-b224-ae44b5762002","ownerId":"5454bc4f-b364-5540-9f86-899d9f5076a1","reason":"session-failed","wasWritten":false}', '{"owner":"5454bc4f-b364-5540-9f86-899d9f5076a1","correlation":"01a1ffd2-aa59-79be-a883-6d19b3fd244c","causation":"3a4f8fbe-fc5f-50e1-abd8-b21fa3a11e8c","actor":"reporting","traceparent":"00-2155862512a18cbcd50b4ad1ea14349a-8be09b7e48d3f864-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/17"}', '\x3a4f8fbefc5f50e1abd8b21fa3a11e8c', '2026-11-21 20:35:58.754902+00'),
	(4, 'report-70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', 1, '667b1934-cd8d-5b4e-9a4b-231cf0b10e21', 'ReportWritten', 1, '{"sessionId":"70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","document":{"key":"documents/851cf01d-c569-599e-a772-d80fe93e9065/70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4/01a1ffd2-acc1-770a-b8f3-b7ce22236f6c.json","sha256":"15a2d0511c391d5db1c4bb7ef47c36593dd04b7dc88a878e6c6f1b6375cd2806","sizeBytes":13290},"summary":{"confidenceScore":96,"paceWordsPerMin":151,"eyeContactPct":1.0,"fillerCount":0,"durationSec":28,"impressionTags":["persuasive","polished","confident","engaging","articulate"]}}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ab49-7bae-8db0-3b1b32517464","causation":"81496575-c7cf-52e3-936e-454c56895ac3","actor":"reporting","traceparent":"00-856989d73ec86b8cf507a651422b1659-887e218a61389c29-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/19"}', '\x81496575c7cf52e3936e454c56895ac3', '2026-11-21 20:35:59.330816+00'),
	(5, 'report-e17bb9d5-cb9b-54ad-bc55-2a9f8a5c7d2c', 1, '31b0d225-570d-59f9-a041-5596ddd8ee4a', 'ReportDeleted', 1, '{"sessionId":"e17bb9d5-cb9b-54ad-bc55-2a9f8a5c7d2c","ownerId":"dd778d0c-6c98-53c7-b77f-f42626ebf274","reason":"session-cancelled","wasWritten":false}', '{"owner":"dd778d0c-6c98-53c7-b77f-f42626ebf274","correlation":"01a1ffd2-ae35-7b78-92cb-254579299e5c","causation":"118a8a2e-9b35-549f-94c1-eed9d5b37ed3","actor":"reporting","traceparent":"00-0f80b022b0af4bd8de360dd845cb786e-4f12a2547e1f0b3c-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/32"}', '\x118a8a2e9b35549f94c1eed9d5b37ed3', '2026-11-21 20:35:59.687242+00'),
	(6, 'report-d324d888-8cb9-5d69-8f54-add8239f3664', 1, 'a9be2681-4976-5056-96ce-300be7c1c5b9', 'ReportWritten', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","document":{"key":"documents/6b16b53f-3412-55d4-8eb5-f7e3d9c76825/d324d888-8cb9-5d69-8f54-add8239f3664/01a1ffd2-b02e-7e8f-aead-67f01b99443e.json","sha256":"c83207363f458404d54321cdc893d59b6be41c122aff7ae104f7cf23afd0294c","sizeBytes":13290},"summary":{"confidenceScore":96,"paceWordsPerMin":151,"eyeContactPct":1.0,"fillerCount":0,"durationSec":28,"impressionTags":["persuasive","polished","confident","engaging","articulate"]}}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-aecd-7fce-b0f5-a37f450149d5","causation":"6b4bcb52-5739-5e23-8c07-2521157a8fad","actor":"reporting","traceparent":"00-87a4325c7fb1c9e36167c9db1518487a-66eca206921192c7-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/27"}', '\x6b4bcb5257395e238c072521157a8fad', '2026-11-21 20:36:00.202786+00'),
	(7, 'report-d324d888-8cb9-5d69-8f54-add8239f3664', 2, '75d3e845-d82a-54c1-8314-b6d76424d6b0', 'ReportDeleted', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","reason":"session-deleted","wasWritten":true}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-b06c-76d0-8ce7-518bd77f2786","causation":"f7064ba3-1949-5983-aedb-2b265a2502b2","actor":"reporting","traceparent":"00-cdceaf9f5fb2bb4ba96afecaba1309d9-db21afefeabf6f66-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/43"}', '\xf7064ba319495983aedb2b265a2502b2', '2026-11-21 20:36:00.258928+00'),
	(8, 'report-1d4e75a6-4131-564c-afd6-d0b3b6dce39c', 1, '869c0f0b-2699-5d8c-9464-ff3c11a3ce96', 'ReportWritten', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","document":{"key":"documents/a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f/1d4e75a6-4131-564c-afd6-d0b3b6dce39c/01a1ffd2-b28b-7266-a8b1-b33945da38b1.json","sha256":"c7c242d02637cb372d78e053bbc23ac0a22862dcfc5152b45230d044ac4c093f","sizeBytes":13290},"summary":{"confidenceScore":96,"paceWordsPerMin":151,"eyeContactPct":1.0,"fillerCount":0,"durationSec":28,"impressionTags":["persuasive","polished","confident","engaging","articulate"]}}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b120-7d2b-93bf-74bf46323827","causation":"17eb5f73-c5b7-5f9c-9355-66413481bb19","actor":"reporting","traceparent":"00-02087a900d7b4a30918a8af1bb1b396c-3f428bcc785e971b-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/35"}', '\x17eb5f73c5b75f9c935566413481bb19', '2026-11-21 20:36:00.807269+00'),
	(9, 'report-1d4e75a6-4131-564c-afd6-d0b3b6dce39c', 2, '25f09c0d-7707-5589-a929-a53e47af6332', 'ReportErased', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f"}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b2ce-74a7-9326-d06e245b9d38","causation":"1d46cf5e-70b0-5d90-bb7f-180dc98b34a4","actor":"reporting","traceparent":"00-4b6361ad5084e293d47528180bedf0b1-8d78dc5863a06de6-01","origin":"identity/8dfa18f7-2761-4fce-bdc9-4926f49c3338/15"}', '\x1d46cf5e70b05d90bb7f180dc98b34a4', '2026-11-21 20:36:00.887932+00'),
	(10, 'subject-a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f', 1, 'a65ba540-0856-5ed2-ab8e-a27776d384fb', 'SubjectErased', 1, '{"subjectId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","removed":{"rows":1,"objects":0}}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b2ce-74a7-9326-d06e245b9d38","causation":"1d46cf5e-70b0-5d90-bb7f-180dc98b34a4","actor":"reporting","traceparent":"00-4b6361ad5084e293d47528180bedf0b1-8d78dc5863a06de6-01","origin":"identity/8dfa18f7-2761-4fce-bdc9-4926f49c3338/15"}', NULL, '2026-11-21 20:36:00.887932+00'),
	(11, 'key-a165f0c4-4136-5817-87bd-b520a679f6a4', 1, 'ffbb554f-313b-52c8-a043-287b58022520', 'SigningKeyLearned', 1, '{"kid":"5f561dc7-dfc5-498c-8774-d3e7a484db9d","x":"lQE-DmwcqyR1y7C4sBJ9EE4k1mijliysCW51yhFGdXg","y":"EHNw38-KrRE530t3gGDJOcszml4aST0pSo03NIBBwG0","notBefore":"2026-11-21T20:41:01.025855Z","expiresAt":"2026-12-21T20:41:01.025855Z"}', '{"correlation":"01a1ffd2-b389-74e5-9437-688ee10b5235","causation":"3007b4e8-e38c-5353-866b-a90cd44af5e1","actor":"reporting","origin":"identity/8dfa18f7-2761-4fce-bdc9-4926f49c3338/21"}', '\x3007b4e8e38c5353866ba90cd44af5e1', '2026-11-21 20:36:01.106183+00');

INSERT INTO reporting.head VALUES
	(true, '0f9efb1c-23c7-4ab6-9616-9e7c697f8323', NULL);

INSERT INTO reporting.incarnations VALUES
	('0f9efb1c-23c7-4ab6-9616-9e7c697f8323', NULL, 0, '2026-11-21 20:35:53.145819+00');

INSERT INTO reporting.migrations VALUES
	('defaults', 'bbbc80e2f22d6c70', '2026-11-21 20:35:53.125555+00'),
	('scope', 'c7d456e957fc1364', '2026-11-21 20:35:53.126898+00'),
	('head', 'e72b49b65dda4c45', '2026-11-21 20:35:53.146803+00'),
	('events', 'bbfd42eb9788a7bd', '2026-11-21 20:35:53.277706+00'),
	('events_immutable', 'e01cf0229e7fd418', '2026-11-21 20:35:53.303945+00'),
	('erased_subjects', '2146bc0c2be40d91', '2026-11-21 20:35:53.329205+00'),
	('append_batch', '9f09a3219dbfffd4', '2026-11-21 20:35:53.343215+00'),
	('privileges', 'fdd9b5951144bb48', '2026-11-21 20:35:53.359433+00'),
	('relay', '1682739c19a064b0', '2026-11-21 20:35:53.393689+00'),
	('incarnation', '7e74a231e02a5b5a', '2026-11-21 20:35:53.414084+00'),
	('consumer_partitions', '48f1e25c7fe5bb7f', '2026-11-21 20:35:53.454074+00'),
	('parked_messages', '7e23a009eb467817', '2026-11-21 20:35:53.539497+00'),
	('projections', 'b60500a61b2cbb97', '2026-11-21 20:35:53.584624+00'),
	('rebuilds', '559cf9ed68b2b3bf', '2026-11-21 20:35:53.595823+00'),
	('rename_read_model', '86e564ba8b91283d', '2026-11-21 20:35:53.599856+00'),
	('begin_rebuild', 'c8cae99280351953', '2026-11-21 20:35:53.600799+00'),
	('complete_rebuild', '121993744112cac9', '2026-11-21 20:35:53.60647+00'),
	('switch_rebuild', 'f03d670e1faaf5bd', '2026-11-21 20:35:53.609824+00'),
	('undo_rebuild', '841c4c38c900d773', '2026-11-21 20:35:53.613237+00'),
	('drop_rebuild', 'cf1b4d618e545b4f', '2026-11-21 20:35:53.620539+00'),
	('request_key', 'eb88c0ad3dfad762', '2026-11-21 20:35:53.644598+00'),
	('signing_keys', 'cf99a50835fd752', '2026-11-21 20:35:53.667315+00'),
	('object_intents', '299a9fee0e13f609', '2026-11-21 20:35:53.690761+00'),
	('object_sweep', '1684e7c2309b09b2', '2026-11-21 20:35:53.698109+00'),
	('reader', '2a6dba18899e3b07', '2026-11-21 20:35:53.703431+00'),
	('reports', 'bfde30b93ee1aa2d', '2026-11-21 20:35:53.749822+00'),
	('report_history', 'c7e1f02a2422bc3a', '2026-11-21 20:35:53.775054+00');

INSERT INTO reporting.projections VALUES
	('report_history', 11);

INSERT INTO reporting.relay VALUES
	(true, 1, '01a1ffd2-991c-7a41-b0d8-d8d60390863d', '2026-11-21 20:36:07.845338+00', 11, NULL);

INSERT INTO reporting.relay_partitions VALUES
	(0, -1, 0, 0),
	(1, -1, 0, 0),
	(2, 2, 10, 1),
	(3, 1, 2, 1),
	(4, -1, 0, 0),
	(5, 1, 4, 1),
	(6, -1, 0, 0),
	(7, 2, 7, 1);

INSERT INTO reporting.report_history VALUES
	('c4128d3b-82b0-5498-b2f0-b9622c202d6b', 'c4128d3b-82b0-5498-b2f0-b9622c202d6b', 'd5378c8b-6a03-501c-97ea-7796642e8adc', '75365c24-94e0-55af-8523-88fff106a5f1', '2026-11-21 20:35:58.44801+00', 96, 151, 1, 0, 28, '["persuasive","polished","confident","engaging","articulate"]'),
	('70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', '70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', '66d4cd29-ee5b-58ed-9c1b-f6d9daae0065', '851cf01d-c569-599e-a772-d80fe93e9065', '2026-11-21 20:35:59.330816+00', 96, 151, 1, 0, 28, '["persuasive","polished","confident","engaging","articulate"]');

INSERT INTO reporting.reports VALUES
	('c4128d3b-82b0-5498-b2f0-b9622c202d6b', '75365c24-94e0-55af-8523-88fff106a5f1', 'd5378c8b-6a03-501c-97ea-7796642e8adc', '{"durationSec":28,"confidenceScore":96,"impressionTags":["persuasive","polished","confident","engaging","articulate"],"fillerWords":{},"toneTimeline":[{"t":0.0,"energy":0.48,"confidence":null},{"t":5.0,"energy":0.31,"confidence":null},{"t":10.0,"energy":0.45,"confidence":null},{"t":15.0,"energy":0.41,"confidence":null},{"t":20.0,"energy":0.52,"confidence":null},{"t":25.0,"energy":0.58,"confidence":null}],"emotionBreakdown":null,"gaze":{"eyeContactPct":1.0},"vocalAnalysis":{"paceWordsPerMin":151,"volumeConsistency":0.83,"tonalVariety":0.91,"clarity":1.0,"pauseEffectiveness":1.0},"bodyLanguageAnalysis":{"postureScore":null,"gestureNaturalness":null,"facialExpressiveness":null,"eyeContactPct":1.0,"movementPurpose":null},"strengths":["Your face was turned to the camera in 100 % of the sampled pictures, so viewers feel addressed (eyeContactPct).","You spoke at 151 words per minute, inside the 120 to 180 that listeners follow easily (paceWordsPerMin).","Your pauses, 1.2 s long on average, give listeners time to think, which rates 1 of 1 (pauseEffectiveness)."],"areasForImprovement":["Your volume is even at 0.83 of 1; the next step is to vary it on purpose (volumeConsistency).","Your melody rates 0.91 of 1; the next step is to let it fall at the end of each statement (tonalVariety).","Your pace averages 151 words per minute; the next step is to slow down for the main point (paceWordsPerMin)."],"practiceExercises":["Say one sentence of each take almost in a whisper and the next in full voice, and watch toneTimeline answer.","Record five statements and let your voice go down on the last word, keeping tonalVariety above 0.60.","Say the main sentence of your talk at half speed, keeping paceWordsPerMin between 120 and 180 overall."],"keyMoments":[{"timestamp":5,"type":"improvement","description":"Your voice carried least energy here, 0.31 of 1 (toneTimeline)."},{"timestamp":24,"type":"strength","description":"A clear pause of 1.1 s lets the thought land (pauseEffectiveness)."}],"feedback":"With 96 of 100 points this is an excellent recording of 28 s (confidenceScore). You spoke 151 words per minute and paused 5 times for 1.2 s on average (paceWordsPerMin, pauseMeanSeconds). Your face was turned to the camera in 100 % of the sampled pictures (eyeContactPct). Keep looking at the camera as you do, and take up one exercise at a time: you are on a very good way (eyeContactPct 1).","transcript":{"text":"And Mr. John Dashwood had then leisure to consider how much there might be prudently in his power to do for them. He was not an ill-sposed young man. Unless to be rather cold-hearted and rather selfish, is to be ill-disposed, Had he married a more amiable woman, he might have been made still more respectable than he was. He might even have been made amiable himself.","lowConfidence":false,"words":[{"w":"and","start":0.2,"end":0.37},{"w":"mr","start":0.37,"end":0.63},{"w":"john","start":0.63,"end":0.98},{"w":"dashwood","start":0.98,"end":1.59},{"w":"had","start":1.59,"end":1.84},{"w":"then","start":1.84,"end":2.21},{"w":"leisure","start":2.24,"end":2.72},{"w":"to","start":2.72,"end":2.89},{"w":"consider","start":2.89,"end":3.44},{"w":"how","start":3.44,"end":3.95},{"w":"much","start":4.0,"end":4.33},{"w":"there","start":4.33,"end":4.53},{"w":"might","start":4.53,"end":4.79},{"w":"be","start":4.79,"end":4.94},{"w":"prudently","start":4.94,"end":5.46},{"w":"in","start":5.46,"end":5.56},{"w":"his","start":5.56,"end":5.75},{"w":"power","start":5.75,"end":6.04},{"w":"to","start":6.04,"end":6.14},{"w":"do","start":6.14,"end":6.35},{"w":"for","start":6.35,"end":6.61},{"w":"them","start":6.61,"end":6.79},{"w":"he","start":8.02,"end":8.14},{"w":"was","start":8.14,"end":8.36},{"w":"not","start":8.36,"end":8.8},{"w":"an","start":8.93,"end":9.1},{"w":"ill","start":9.1,"end":9.3},{"w":"sposed","start":9.3,"end":9.91},{"w":"young","start":9.91,"end":10.13},{"w":"man","start":10.13,"end":10.54},{"w":"unless","start":11.96,"end":12.28},{"w":"to","start":12.28,"end":12.38},{"w":"be","start":12.38,"end":12.55},{"w":"rather","start":12.55,"end":12.91},{"w":"cold","start":12.91,"end":13.43},{"w":"hearted","start":13.43,"end":13.91},{"w":"and","start":13.91,"end":14.07},{"w":"rather","start":14.07,"end":14.46},{"w":"selfish","start":14.46,"end":15.29},{"w":"is","start":15.29,"end":15.56},{"w":"to","start":15.56,"end":15.67},{"w":"be","start":15.67,"end":15.85},{"w":"ill","start":15.85,"end":16.05},{"w":"disposed","start":16.05,"end":16.78},{"w":"had","start":18.61,"end":18.83},{"w":"he","start":18.83,"end":18.93},{"w":"married","start":18.93,"end":19.37},{"w":"a","start":19.37,"end":19.42},{"w":"more","start":19.42,"end":19.8},{"w":"amiable","start":19.8,"end":20.39},{"w":"woman","start":20.39,"end":20.87},{"w":"he","start":20.87,"end":21.1},{"w":"might","start":21.1,"end":21.38},{"w":"have","start":21.38,"end":21.58},{"w":"been","start":21.58,"end":21.74},{"w":"made","start":21.74,"end":22.08},{"w":"still","start":22.08,"end":22.46},{"w":"more","start":22.46,"end":22.63},{"w":"respectable","start":22.63,"end":23.39},{"w":"than","start":23.39,"end":23.51},{"w":"he","start":23.51,"end":23.59},{"w":"was","start":23.59,"end":24.22},{"w":"he","start":25.26,"end":25.42},{"w":"might","start":25.42,"end":25.68},{"w":"even","start":25.68,"end":25.96},{"w":"have","start":25.96,"end":26.11},{"w":"been","start":26.11,"end":26.36},{"w":"made","start":26.36,"end":26.74},{"w":"amiable","start":26.74,"end":27.31},{"w":"himself","start":27.31,"end":28.06}]},"measures":{"durationSec":{"value":28,"unit":"s","source":"measured","valid":true},"confidenceScore":{"value":96,"unit":"points of 100","source":"estimated","valid":true},"impressionTags":{"value":["persuasive","polished","confident","engaging","articulate"],"unit":"tags","source":"estimated","valid":true},"fillerWords":{"value":{},"unit":"words, at least","source":"model","valid":true},"toneTimeline":{"value":6,"unit":"points","source":"measured","valid":true},"toneTimeline.confidence":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"confidence over time is not measured"},"emotionBreakdown":{"value":null,"unit":"shares","source":"notRated","valid":false,"reason":"emotions are not measured"},"eyeContactPct":{"value":1.0,"unit":"share of sampled pictures with a face, 0-1","source":"measured","valid":true,"weight":30.8},"postureScore":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"posture is not measured"},"gestureNaturalness":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"gestures are not measured"},"facialExpressiveness":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"expressiveness is not measured, because there is no scale"},"movementPurpose":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"the purpose of movements is not measured"},"strengths":{"value":3,"unit":"sentences","source":"estimated","valid":true},"areasForImprovement":{"value":3,"unit":"sentences","source":"estimated","valid":true},"practiceExercises":{"value":3,"unit":"sentences","source":"estimated","valid":true},"keyMoments":{"value":2,"unit":"moments","source":"estimated","valid":true},"feedback":{"value":392,"unit":"characters","source":"estimated","valid":true},"transcript":{"value":70,"unit":"words","source":"model","valid":true},"fillersPer100Words":{"value":0.0,"unit":"per 100 words, at least","source":"model","valid":true,"weight":15.4},"paceWordsPerMin":{"value":151,"unit":"words/min","source":"model","valid":true,"weight":12.8},"wordCount":{"value":70,"unit":"words","source":"model","valid":true},"pauseCount":{"value":5,"unit":"pauses","source":"measured","valid":true},"pauseMeanSeconds":{"value":1.22,"unit":"s","source":"measured","valid":true},"pauseLongestSeconds":{"value":1.99,"unit":"s","source":"measured","valid":true},"pitchMedianHz":{"value":95.2,"unit":"Hz","source":"measured","valid":true},"pitchRangeSemitones":{"value":8.1,"unit":"semitones","source":"measured","valid":true},"tonalVariety":{"value":0.91,"unit":"0-1","source":"measured","valid":true,"weight":15.4},"loudnessLufs":{"value":-24.4,"unit":"LUFS","source":"measured","valid":true},"truePeakDbfs":{"value":-4.7,"unit":"dBFS","source":"measured","valid":true},"volumeConsistency":{"value":0.83,"unit":"0-1","source":"measured","valid":true,"weight":12.8},"clarity":{"value":1.0,"unit":"0-1","source":"model","valid":true},"snrProxyDb":{"value":60.0,"unit":"dB","source":"measured","valid":true},"pauseEffectiveness":{"value":1.0,"unit":"0-1","source":"measured","valid":true,"lowConfidence":true,"weight":12.8},"facePresencePct":{"value":100.0,"unit":"% of samples","source":"measured","valid":true},"facingCameraPct":{"value":100.0,"unit":"% of face samples","source":"measured","valid":true},"faceWidthPx":{"value":150,"unit":"px of 640","source":"measured","valid":true},"headMovement":{"value":0.038,"unit":"face widths/0.2 s","source":"measured","valid":true},"headStillness":{"value":0.88,"unit":"0-1","source":"measured","valid":true,"lowConfidence":true},"smileLikePct":{"value":null,"unit":"% of samples","source":"notRated","valid":false,"reason":"it is not measured","code":"not-measured"},"severalFacesPct":{"value":0.0,"unit":"% of samples","source":"measured","valid":true},"meanLuma":{"value":141,"unit":"0-255","source":"measured","valid":true}},"scoreParts":[{"part":"voice","weight":25,"share":38.5,"value":0.943,"valid":true,"measures":["paceWordsPerMin","volumeConsistency","pauseEffectiveness"]},{"part":"posture","weight":20,"share":0.0,"value":null,"valid":false,"measures":[],"reason":"posture is not measured"},{"part":"eyeContact","weight":20,"share":30.8,"value":1.0,"valid":true,"measures":["eyeContactPct"]},{"part":"gestures","weight":15,"share":0.0,"value":null,"valid":false,"measures":[],"reason":"gestures are not measured"},{"part":"fewFillers","weight":10,"share":15.4,"value":1.0,"valid":true,"measures":["fillersPer100Words"]},{"part":"vocalVariety","weight":10,"share":15.4,"value":0.91,"valid":true,"measures":["tonalVariety"]}],"impressionTagMeasures":{"persuasive":["eyeContactPct","pauseEffectiveness","tonalVariety"],"polished":["paceWordsPerMin","pauseEffectiveness","volumeConsistency","eyeContactPct"],"confident":["confidenceScore"],"engaging":["eyeContactPct","tonalVariety"],"articulate":["clarity","paceWordsPerMin"]},"fillersAtLeast":true,"warnings":[],"video":{"width":1280,"height":720,"codec":"h264","rotation":0,"fps":30.0},"engines":{"asr":"moonshine","model":"tiny-en 0.0.73","aligner":"pocketsphinx 0.8","face":"dlib-hog 19.24","ffmpeg":"5.1.9-0+deb12u1","thresholds":"1"},"rulesVersion":1}'),
	('70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4', '851cf01d-c569-599e-a772-d80fe93e9065', '66d4cd29-ee5b-58ed-9c1b-f6d9daae0065', '{"durationSec":28,"confidenceScore":96,"impressionTags":["persuasive","polished","confident","engaging","articulate"],"fillerWords":{},"toneTimeline":[{"t":0.0,"energy":0.48,"confidence":null},{"t":5.0,"energy":0.31,"confidence":null},{"t":10.0,"energy":0.45,"confidence":null},{"t":15.0,"energy":0.41,"confidence":null},{"t":20.0,"energy":0.52,"confidence":null},{"t":25.0,"energy":0.58,"confidence":null}],"emotionBreakdown":null,"gaze":{"eyeContactPct":1.0},"vocalAnalysis":{"paceWordsPerMin":151,"volumeConsistency":0.83,"tonalVariety":0.91,"clarity":1.0,"pauseEffectiveness":1.0},"bodyLanguageAnalysis":{"postureScore":null,"gestureNaturalness":null,"facialExpressiveness":null,"eyeContactPct":1.0,"movementPurpose":null},"strengths":["Your face was turned to the camera in 100 % of the sampled pictures, so viewers feel addressed (eyeContactPct).","You spoke at 151 words per minute, inside the 120 to 180 that listeners follow easily (paceWordsPerMin).","Your pauses, 1.2 s long on average, give listeners time to think, which rates 1 of 1 (pauseEffectiveness)."],"areasForImprovement":["Your volume is even at 0.83 of 1; the next step is to vary it on purpose (volumeConsistency).","Your melody rates 0.91 of 1; the next step is to let it fall at the end of each statement (tonalVariety).","Your pace averages 151 words per minute; the next step is to slow down for the main point (paceWordsPerMin)."],"practiceExercises":["Say one sentence of each take almost in a whisper and the next in full voice, and watch toneTimeline answer.","Record five statements and let your voice go down on the last word, keeping tonalVariety above 0.60.","Say the main sentence of your talk at half speed, keeping paceWordsPerMin between 120 and 180 overall."],"keyMoments":[{"timestamp":5,"type":"improvement","description":"Your voice carried least energy here, 0.31 of 1 (toneTimeline)."},{"timestamp":24,"type":"strength","description":"A clear pause of 1.1 s lets the thought land (pauseEffectiveness)."}],"feedback":"With 96 of 100 points this is an excellent recording of 28 s (confidenceScore). You spoke 151 words per minute and paused 5 times for 1.2 s on average (paceWordsPerMin, pauseMeanSeconds). Your face was turned to the camera in 100 % of the sampled pictures (eyeContactPct). Keep looking at the camera as you do, and take up one exercise at a time: you are on a very good way (eyeContactPct 1).","transcript":{"text":"And Mr. John Dashwood had then leisure to consider how much there might be prudently in his power to do for them. He was not an ill-sposed young man. Unless to be rather cold-hearted and rather selfish, is to be ill-disposed, Had he married a more amiable woman, he might have been made still more respectable than he was. He might even have been made amiable himself.","lowConfidence":false,"words":[{"w":"and","start":0.2,"end":0.37},{"w":"mr","start":0.37,"end":0.63},{"w":"john","start":0.63,"end":0.98},{"w":"dashwood","start":0.98,"end":1.59},{"w":"had","start":1.59,"end":1.84},{"w":"then","start":1.84,"end":2.21},{"w":"leisure","start":2.24,"end":2.72},{"w":"to","start":2.72,"end":2.89},{"w":"consider","start":2.89,"end":3.44},{"w":"how","start":3.44,"end":3.95},{"w":"much","start":4.0,"end":4.33},{"w":"there","start":4.33,"end":4.53},{"w":"might","start":4.53,"end":4.79},{"w":"be","start":4.79,"end":4.94},{"w":"prudently","start":4.94,"end":5.46},{"w":"in","start":5.46,"end":5.56},{"w":"his","start":5.56,"end":5.75},{"w":"power","start":5.75,"end":6.04},{"w":"to","start":6.04,"end":6.14},{"w":"do","start":6.14,"end":6.35},{"w":"for","start":6.35,"end":6.61},{"w":"them","start":6.61,"end":6.79},{"w":"he","start":8.02,"end":8.14},{"w":"was","start":8.14,"end":8.36},{"w":"not","start":8.36,"end":8.8},{"w":"an","start":8.93,"end":9.1},{"w":"ill","start":9.1,"end":9.3},{"w":"sposed","start":9.3,"end":9.91},{"w":"young","start":9.91,"end":10.13},{"w":"man","start":10.13,"end":10.54},{"w":"unless","start":11.96,"end":12.28},{"w":"to","start":12.28,"end":12.38},{"w":"be","start":12.38,"end":12.55},{"w":"rather","start":12.55,"end":12.91},{"w":"cold","start":12.91,"end":13.43},{"w":"hearted","start":13.43,"end":13.91},{"w":"and","start":13.91,"end":14.07},{"w":"rather","start":14.07,"end":14.46},{"w":"selfish","start":14.46,"end":15.29},{"w":"is","start":15.29,"end":15.56},{"w":"to","start":15.56,"end":15.67},{"w":"be","start":15.67,"end":15.85},{"w":"ill","start":15.85,"end":16.05},{"w":"disposed","start":16.05,"end":16.78},{"w":"had","start":18.61,"end":18.83},{"w":"he","start":18.83,"end":18.93},{"w":"married","start":18.93,"end":19.37},{"w":"a","start":19.37,"end":19.42},{"w":"more","start":19.42,"end":19.8},{"w":"amiable","start":19.8,"end":20.39},{"w":"woman","start":20.39,"end":20.87},{"w":"he","start":20.87,"end":21.1},{"w":"might","start":21.1,"end":21.38},{"w":"have","start":21.38,"end":21.58},{"w":"been","start":21.58,"end":21.74},{"w":"made","start":21.74,"end":22.08},{"w":"still","start":22.08,"end":22.46},{"w":"more","start":22.46,"end":22.63},{"w":"respectable","start":22.63,"end":23.39},{"w":"than","start":23.39,"end":23.51},{"w":"he","start":23.51,"end":23.59},{"w":"was","start":23.59,"end":24.22},{"w":"he","start":25.26,"end":25.42},{"w":"might","start":25.42,"end":25.68},{"w":"even","start":25.68,"end":25.96},{"w":"have","start":25.96,"end":26.11},{"w":"been","start":26.11,"end":26.36},{"w":"made","start":26.36,"end":26.74},{"w":"amiable","start":26.74,"end":27.31},{"w":"himself","start":27.31,"end":28.06}]},"measures":{"durationSec":{"value":28,"unit":"s","source":"measured","valid":true},"confidenceScore":{"value":96,"unit":"points of 100","source":"estimated","valid":true},"impressionTags":{"value":["persuasive","polished","confident","engaging","articulate"],"unit":"tags","source":"estimated","valid":true},"fillerWords":{"value":{},"unit":"words, at least","source":"model","valid":true},"toneTimeline":{"value":6,"unit":"points","source":"measured","valid":true},"toneTimeline.confidence":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"confidence over time is not measured"},"emotionBreakdown":{"value":null,"unit":"shares","source":"notRated","valid":false,"reason":"emotions are not measured"},"eyeContactPct":{"value":1.0,"unit":"share of sampled pictures with a face, 0-1","source":"measured","valid":true,"weight":30.8},"postureScore":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"posture is not measured"},"gestureNaturalness":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"gestures are not measured"},"facialExpressiveness":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"expressiveness is not measured, because there is no scale"},"movementPurpose":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"the purpose of movements is not measured"},"strengths":{"value":3,"unit":"sentences","source":"estimated","valid":true},"areasForImprovement":{"value":3,"unit":"sentences","source":"estimated","valid":true},"practiceExercises":{"value":3,"unit":"sentences","source":"estimated","valid":true},"keyMoments":{"value":2,"unit":"moments","source":"estimated","valid":true},"feedback":{"value":392,"unit":"characters","source":"estimated","valid":true},"transcript":{"value":70,"unit":"words","source":"model","valid":true},"fillersPer100Words":{"value":0.0,"unit":"per 100 words, at least","source":"model","valid":true,"weight":15.4},"paceWordsPerMin":{"value":151,"unit":"words/min","source":"model","valid":true,"weight":12.8},"wordCount":{"value":70,"unit":"words","source":"model","valid":true},"pauseCount":{"value":5,"unit":"pauses","source":"measured","valid":true},"pauseMeanSeconds":{"value":1.22,"unit":"s","source":"measured","valid":true},"pauseLongestSeconds":{"value":1.99,"unit":"s","source":"measured","valid":true},"pitchMedianHz":{"value":95.2,"unit":"Hz","source":"measured","valid":true},"pitchRangeSemitones":{"value":8.1,"unit":"semitones","source":"measured","valid":true},"tonalVariety":{"value":0.91,"unit":"0-1","source":"measured","valid":true,"weight":15.4},"loudnessLufs":{"value":-24.4,"unit":"LUFS","source":"measured","valid":true},"truePeakDbfs":{"value":-4.7,"unit":"dBFS","source":"measured","valid":true},"volumeConsistency":{"value":0.83,"unit":"0-1","source":"measured","valid":true,"weight":12.8},"clarity":{"value":1.0,"unit":"0-1","source":"model","valid":true},"snrProxyDb":{"value":60.0,"unit":"dB","source":"measured","valid":true},"pauseEffectiveness":{"value":1.0,"unit":"0-1","source":"measured","valid":true,"lowConfidence":true,"weight":12.8},"facePresencePct":{"value":100.0,"unit":"% of samples","source":"measured","valid":true},"facingCameraPct":{"value":100.0,"unit":"% of face samples","source":"measured","valid":true},"faceWidthPx":{"value":150,"unit":"px of 640","source":"measured","valid":true},"headMovement":{"value":0.038,"unit":"face widths/0.2 s","source":"measured","valid":true},"headStillness":{"value":0.88,"unit":"0-1","source":"measured","valid":true,"lowConfidence":true},"smileLikePct":{"value":null,"unit":"% of samples","source":"notRated","valid":false,"reason":"it is not measured","code":"not-measured"},"severalFacesPct":{"value":0.0,"unit":"% of samples","source":"measured","valid":true},"meanLuma":{"value":141,"unit":"0-255","source":"measured","valid":true}},"scoreParts":[{"part":"voice","weight":25,"share":38.5,"value":0.943,"valid":true,"measures":["paceWordsPerMin","volumeConsistency","pauseEffectiveness"]},{"part":"posture","weight":20,"share":0.0,"value":null,"valid":false,"measures":[],"reason":"posture is not measured"},{"part":"eyeContact","weight":20,"share":30.8,"value":1.0,"valid":true,"measures":["eyeContactPct"]},{"part":"gestures","weight":15,"share":0.0,"value":null,"valid":false,"measures":[],"reason":"gestures are not measured"},{"part":"fewFillers","weight":10,"share":15.4,"value":1.0,"valid":true,"measures":["fillersPer100Words"]},{"part":"vocalVariety","weight":10,"share":15.4,"value":0.91,"valid":true,"measures":["tonalVariety"]}],"impressionTagMeasures":{"persuasive":["eyeContactPct","pauseEffectiveness","tonalVariety"],"polished":["paceWordsPerMin","pauseEffectiveness","volumeConsistency","eyeContactPct"],"confident":["confidenceScore"],"engaging":["eyeContactPct","tonalVariety"],"articulate":["clarity","paceWordsPerMin"]},"fillersAtLeast":true,"warnings":[],"video":{"width":1280,"height":720,"codec":"h264","rotation":0,"fps":30.0},"engines":{"asr":"moonshine","model":"tiny-en 0.0.73","aligner":"pocketsphinx 0.8","face":"dlib-hog 19.24","ffmpeg":"5.1.9-0+deb12u1","thresholds":"1"},"rulesVersion":1}');

INSERT INTO reporting.request_key VALUES
	(true, '\x86560c1945c24ef895cbc66a274d9373c0b4d038cc374d769bc0b53c9188fa4f');

INSERT INTO reporting.signing_keys VALUES
	('1a913ef4-e2ba-41db-bcf3-f99a3250d402', 'OqAVIdGGkF7xhXZEXcO0UiY1MQt9MXmKEpOiskHZpok', 'Wx6X5UEgLtEp1_TAjrWOMaHQnVJwrdU7CrowZy3KGrs', '2026-11-21 20:35:54.128955+00', '2026-12-21 20:35:54.128955+00', NULL),
	('5f561dc7-dfc5-498c-8774-d3e7a484db9d', 'lQE-DmwcqyR1y7C4sBJ9EE4k1mijliysCW51yhFGdXg', 'EHNw38-KrRE530t3gGDJOcszml4aST0pSo03NIBBwG0', '2026-11-21 20:41:01.025855+00', '2026-12-21 20:41:01.025855+00', NULL);

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

