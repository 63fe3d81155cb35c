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
	('mirrormate.identity.v1', 2, 1, 2, 'fc03a36b-e35c-4bea-9125-ed0840733a55/2', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 2, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 7, 1, 3, 'fc03a36b-e35c-4bea-9125-ed0840733a55/15', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 15, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 3, 1, 2, 'fc03a36b-e35c-4bea-9125-ed0840733a55/9', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 9, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 7, 1, 8, 'a5544583-04ab-48ee-a3c7-075daeebcbea/37', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 37, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 0, 1, 1, '67aa24d3-31b1-443b-a01e-a9981feea048/lease/1', '67aa24d3-31b1-443b-a01e-a9981feea048', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 3, 1, 1, 'a5544583-04ab-48ee-a3c7-075daeebcbea/lease/1', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 0, 1, 1, 'a5544583-04ab-48ee-a3c7-075daeebcbea/lease/1', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 4, 1, 9, 'a5544583-04ab-48ee-a3c7-075daeebcbea/27', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 27, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 4, 1, 5, 'fc03a36b-e35c-4bea-9125-ed0840733a55/21', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 21, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 6, 1, 1, 'fc03a36b-e35c-4bea-9125-ed0840733a55/lease/1', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 1, 1, 7, 'a5544583-04ab-48ee-a3c7-075daeebcbea/19', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 19, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 2, 1, 7, 'a5544583-04ab-48ee-a3c7-075daeebcbea/8', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 8, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 2, 1, 4, '67aa24d3-31b1-443b-a01e-a9981feea048/11', '67aa24d3-31b1-443b-a01e-a9981feea048', 11, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 1, 1, 5, '67aa24d3-31b1-443b-a01e-a9981feea048/28', '67aa24d3-31b1-443b-a01e-a9981feea048', 28, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 1, 1, 3, 'fc03a36b-e35c-4bea-9125-ed0840733a55/8', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 8, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 5, 1, 1, 'a5544583-04ab-48ee-a3c7-075daeebcbea/lease/1', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 0, 1, 1, 'fc03a36b-e35c-4bea-9125-ed0840733a55/lease/1', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 6, 1, 1, 'a5544583-04ab-48ee-a3c7-075daeebcbea/lease/1', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 5, 1, 1, 'fc03a36b-e35c-4bea-9125-ed0840733a55/lease/1', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 5, 1, 1, '67aa24d3-31b1-443b-a01e-a9981feea048/lease/1', '67aa24d3-31b1-443b-a01e-a9981feea048', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 6, 1, 1, '67aa24d3-31b1-443b-a01e-a9981feea048/lease/1', '67aa24d3-31b1-443b-a01e-a9981feea048', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 3, 1, 3, '67aa24d3-31b1-443b-a01e-a9981feea048/32', '67aa24d3-31b1-443b-a01e-a9981feea048', 32, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 4, 1, 8, '67aa24d3-31b1-443b-a01e-a9981feea048/43', '67aa24d3-31b1-443b-a01e-a9981feea048', 43, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 7, 1, 5, '67aa24d3-31b1-443b-a01e-a9981feea048/55', '67aa24d3-31b1-443b-a01e-a9981feea048', 55, 1, NULL, false, NULL, 0, NULL);

INSERT INTO reporting.erased_subjects VALUES
	('413dc46a-0026-54e9-8df7-08e017108c5f', '2026-11-21 20:48:18.601667+00');

INSERT INTO reporting.events VALUES
	(1, 'key-8b2dd12f-57af-5f59-a8e5-e54b17c1bc5a', 1, '615a5021-794c-5819-ba67-6b0630abc742', 'SigningKeyLearned', 1, '{"kid":"029fd939-d459-49ff-abba-f4b23c2939ce","x":"-oYPS9Ntl4vPRwZa8ZDOhZdbNL3ng-HDzCMYLJ-V2KE","y":"Ps2gQXywZNKywcsf1rHLxUvGAvE_t5ktnSV1u5wlEgs","notBefore":"2026-11-21T20:48:12.921559Z","expiresAt":"2026-12-21T20:48:12.921559Z"}', '{"correlation":"01a1ffdd-de81-76dd-ba8e-704dd790ebdf","causation":"43d24649-08f4-5de9-9b55-8418c722d636","actor":"reporting","origin":"identity/fc03a36b-e35c-4bea-9125-ed0840733a55/1"}', '\x43d2464908f45de99b558418c722d636', '2026-11-21 20:48:14.120111+00'),
	(2, 'report-162adea7-e466-52fa-8144-11f1403ba12c', 1, '2f018776-c480-5628-9157-c1e275736df1', 'ReportWritten', 1, '{"sessionId":"162adea7-e466-52fa-8144-11f1403ba12c","ownerId":"339b3bd7-808b-5447-bdb9-0455de0d9159","document":{"key":"documents/339b3bd7-808b-5447-bdb9-0455de0d9159/162adea7-e466-52fa-8144-11f1403ba12c/01a1ffdd-e924-7d0a-9ac9-4e36037c2c2b.json","sha256":"4d759b90cda30543df2598e138dd076721bb07998d2f11b8c05d78fb9315396a","sizeBytes":13290},"summary":{"confidenceScore":96,"paceWordsPerMin":151,"eyeContactPct":1.0,"fillerCount":0,"durationSec":28,"impressionTags":["persuasive","polished","confident","engaging","articulate"]}}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e721-7fd7-bce2-2b5046064dee","causation":"3bbb42ac-50a9-5760-9df0-1ae44c89b96d","actor":"reporting","traceparent":"00-a89260e05782a571458d25e8051eaa18-c571dfa11e650da6-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/8"}', '\x3bbb42ac50a957609df01ae44c89b96d', '2026-11-21 20:48:15.705792+00'),
	(3, 'report-490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc', 1, 'a0ed3663-fa61-5ef5-8298-a6130150314a', 'ReportDeleted', 1, '{"sessionId":"490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc","ownerId":"e88f6646-fa20-5866-a935-0384095b5309","reason":"session-failed","wasWritten":false}', '{"owner":"e88f6646-fa20-5866-a935-0384095b5309","correlation":"01a1ffdd-eaaf-7fe7-83d1-dec2198b2c37","causation":"648b907c-4321-51bf-bff8-c464ba891db3","actor":"reporting","traceparent":"00-fb920479a25144228f27b5abd774ba44-e1a1321f67d233e0-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/17"}', '\x648b907c432151bfbff8c464ba891db3', '2026-11-21 20:48:16.125133+00'),
	(4, 'report-1c3445d2-bc71-50b7-8956-6da9388132e5', 1, '22fa9c66-9b16-5b66-a989-bb304e2c6025', 'ReportWritten', 1, '{"sessionId":"1c3445d2-bc71-50b7-8956-6da9388132e5","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","document":{"key":"documents/c07d663c-8788-5a68-a5a6-4841a4503f57/1c3445d2-bc71-50b7-8956-6da9388132e5/01a1ffdd-ee17-7564-85f8-ce5c0846dded.json","sha256":"2e6ffe6d0f455aee23e88c76e9fc568e6ab365b421dbf7786ead764dc71d5d3c","sizeBytes":13290},"summary":{"confidenceScore":96,"paceWordsPerMin":151,"eyeContactPct":1.0,"fillerCount":0,"durationSec":28,"impressionTags":["persuasive","polished","confident","engaging","articulate"]}}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ec2e-75b6-a0e5-d0667982df97","causation":"a4ae8cc1-b078-5f4f-97da-480b0841d14f","actor":"reporting","traceparent":"00-27dfffbe06afe3bbb7e02e002ff1c949-79ad7d95f170bf47-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/19"}', '\xa4ae8cc1b0785f4f97da480b0841d14f', '2026-11-21 20:48:16.948291+00'),
	(5, 'report-8bfbf10c-424e-5c21-9f1b-1ecc95c23461', 1, 'bb2e8c79-a7ff-55a1-b1e9-062d375dd4bc', 'ReportDeleted', 1, '{"sessionId":"8bfbf10c-424e-5c21-9f1b-1ecc95c23461","ownerId":"f4674116-33e2-5e03-a073-ba1d7cae582c","reason":"session-cancelled","wasWritten":false}', '{"owner":"f4674116-33e2-5e03-a073-ba1d7cae582c","correlation":"01a1ffdd-ef5a-7441-a79c-8d43985ab11f","causation":"d39a4212-10d5-55ef-89d7-a2c385e87dc4","actor":"reporting","traceparent":"00-b4a4f517277dbd090d6805849a8eb207-18f035fc354ba2f4-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/32"}', '\xd39a421210d555ef89d7a2c385e87dc4', '2026-11-21 20:48:17.259065+00'),
	(6, 'report-28684897-bcdc-53e2-9aee-4de0bf656a78', 1, 'b9fa01aa-7fee-5b47-b11a-bdd2bdfc402d', 'ReportWritten', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","document":{"key":"documents/2d5bfaaf-c171-5bc0-a03a-27923c66fa59/28684897-bcdc-53e2-9aee-4de0bf656a78/01a1ffdd-f1b6-7f02-8628-e46d6cd16468.json","sha256":"80f16396335d94983192e19a8f705dc32de807ef31957edba4b17011a1758cf1","sizeBytes":13290},"summary":{"confidenceScore":96,"paceWordsPerMin":151,"eyeContactPct":1.0,"fillerCount":0,"durationSec":28,"impressionTags":["persuasive","polished","confident","engaging","articulate"]}}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-f035-7cbc-81ee-6bfd7312e2d9","causation":"072fafd3-20fe-5082-8273-940e04cf1cbb","actor":"reporting","traceparent":"00-2094120d97d509ea9ed93f86f6574d5c-2217bef52074c79e-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/27"}', '\x072fafd320fe50828273940e04cf1cbb', '2026-11-21 20:48:17.873764+00'),
	(7, 'report-28684897-bcdc-53e2-9aee-4de0bf656a78', 2, '097aa6b7-97bb-5e47-8330-02070a2fac8c', 'ReportDeleted', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","reason":"session-deleted","wasWritten":true}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-f1f5-73ca-af7b-90fea75b4ff4","causation":"1542ff8a-be0b-57d3-8442-835e3471c1b7","actor":"reporting","traceparent":"00-d68bc97d984969fd95d02b601ce69f6b-938c4f47b61b5944-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/43"}', '\x1542ff8abe0b57d38442835e3471c1b7', '2026-11-21 20:48:17.9368+00'),
	(8, 'report-ce73bd66-c63a-5989-83c1-a9b71067f90e', 1, '71e55b4d-17c7-5013-9984-cbab2533cd16', 'ReportWritten', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f","document":{"key":"documents/413dc46a-0026-54e9-8df7-08e017108c5f/ce73bd66-c63a-5989-83c1-a9b71067f90e/01a1ffdd-f42e-7fe7-a046-42820dccd4df.json","sha256":"1e2deab9c654f94424a0f0294069b6600ba86745ba4ff735f773fbe704ac3b32","sizeBytes":13290},"summary":{"confidenceScore":96,"paceWordsPerMin":151,"eyeContactPct":1.0,"fillerCount":0,"durationSec":28,"impressionTags":["persuasive","polished","confident","engaging","articulate"]}}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f2b1-7547-aa59-7af643625a02","causation":"98e0997e-8c70-5c5a-a901-08b6dec72d30","actor":"reporting","traceparent":"00-13ecc029f70668c81fa55cfbee6bd535-042b10976de3b80a-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/35"}', '\x98e0997e8c705c5aa90108b6dec72d30', '2026-11-21 20:48:18.554349+00'),
	(9, 'report-ce73bd66-c63a-5989-83c1-a9b71067f90e', 2, 'a35bbef0-11bf-5ad5-a918-6e860202045a', 'ReportErased', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f"}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f48e-7a5e-9431-e192160e95ce","causation":"5f9accf3-649d-5407-9edb-ca71601e3e41","actor":"reporting","traceparent":"00-f5533794e3c7b78bdc7343d8157df5bc-6ed31f75bd8e228b-01","origin":"identity/fc03a36b-e35c-4bea-9125-ed0840733a55/15"}', '\x5f9accf3649d54079edbca71601e3e41', '2026-11-21 20:48:18.616386+00'),
	(10, 'subject-413dc46a-0026-54e9-8df7-08e017108c5f', 1, '65a3a13b-82aa-530e-af88-b86f2b0cdeaa', 'SubjectErased', 1, '{"subjectId":"413dc46a-0026-54e9-8df7-08e017108c5f","removed":{"rows":1,"objects":0}}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f48e-7a5e-9431-e192160e95ce","causation":"5f9accf3-649d-5407-9edb-ca71601e3e41","actor":"reporting","traceparent":"00-f5533794e3c7b78bdc7343d8157df5bc-6ed31f75bd8e228b-01","origin":"identity/fc03a36b-e35c-4bea-9125-ed0840733a55/15"}', NULL, '2026-11-21 20:48:18.616386+00'),
	(11, 'key-09a2d019-875c-523b-abe1-ac0ca8d6b43b', 1, '130d0920-1842-5f7e-8851-6b4f0f78e619', 'SigningKeyLearned', 1, '{"kid":"6471d4c3-f9ed-4460-8137-839dbe85fa83","x":"Qf-xU1RcGa56OfwR0XVVC8vZe5xmvbaS9ixgs-qgeFM","y":"HOFIrexT60scyfYu-9Km3WBX8jSnDykoXs0U_uoDjrI","notBefore":"2026-11-21T20:53:18.811814Z","expiresAt":"2026-12-21T20:53:18.811814Z"}', '{"correlation":"01a1ffdd-f580-742d-be8b-49707867ef9d","causation":"c0ce623a-86b2-50f6-866f-d5b5cc0a6ce6","actor":"reporting","origin":"identity/fc03a36b-e35c-4bea-9125-ed0840733a55/21"}', '\xc0ce623a86b250f6866fd5b5cc0a6ce6', '2026-11-21 20:48:18.873269+00');

INSERT INTO reporting.head VALUES
	(true, 'c827503e-27b9-44bb-9886-36717b49f0f2', NULL);

INSERT INTO reporting.incarnations VALUES
	('c827503e-27b9-44bb-9886-36717b49f0f2', NULL, 0, '2026-11-21 20:48:12.090548+00');

INSERT INTO reporting.migrations VALUES
	('defaults', 'bbbc80e2f22d6c70', '2026-11-21 20:48:12.041124+00'),
	('scope', 'c7d456e957fc1364', '2026-11-21 20:48:12.04785+00'),
	('head', 'e72b49b65dda4c45', '2026-11-21 20:48:12.091367+00'),
	('events', 'bbfd42eb9788a7bd', '2026-11-21 20:48:12.129813+00'),
	('events_immutable', 'e01cf0229e7fd418', '2026-11-21 20:48:12.135282+00'),
	('erased_subjects', '2146bc0c2be40d91', '2026-11-21 20:48:12.161823+00'),
	('append_batch', '9f09a3219dbfffd4', '2026-11-21 20:48:12.166112+00'),
	('privileges', 'fdd9b5951144bb48', '2026-11-21 20:48:12.175211+00'),
	('relay', '1682739c19a064b0', '2026-11-21 20:48:12.195117+00'),
	('incarnation', '7e74a231e02a5b5a', '2026-11-21 20:48:12.219354+00'),
	('consumer_partitions', '48f1e25c7fe5bb7f', '2026-11-21 20:48:12.24209+00'),
	('parked_messages', '7e23a009eb467817', '2026-11-21 20:48:12.272945+00'),
	('projections', 'b60500a61b2cbb97', '2026-11-21 20:48:12.287761+00'),
	('rebuilds', '559cf9ed68b2b3bf', '2026-11-21 20:48:12.301198+00'),
	('rename_read_model', '86e564ba8b91283d', '2026-11-21 20:48:12.30762+00'),
	('begin_rebuild', 'c8cae99280351953', '2026-11-21 20:48:12.316105+00'),
	('complete_rebuild', '121993744112cac9', '2026-11-21 20:48:12.321669+00'),
	('switch_rebuild', 'f03d670e1faaf5bd', '2026-11-21 20:48:12.330997+00'),
	('undo_rebuild', '841c4c38c900d773', '2026-11-21 20:48:12.338549+00'),
	('drop_rebuild', 'cf1b4d618e545b4f', '2026-11-21 20:48:12.348692+00'),
	('request_key', 'eb88c0ad3dfad762', '2026-11-21 20:48:12.364293+00'),
	('signing_keys', 'cf99a50835fd752', '2026-11-21 20:48:12.376125+00'),
	('object_intents', '299a9fee0e13f609', '2026-11-21 20:48:12.394665+00'),
	('object_sweep', '1684e7c2309b09b2', '2026-11-21 20:48:12.398515+00'),
	('reader', '2a6dba18899e3b07', '2026-11-21 20:48:12.405104+00'),
	('reports', 'bfde30b93ee1aa2d', '2026-11-21 20:48:12.432711+00'),
	('report_history', 'c7e1f02a2422bc3a', '2026-11-21 20:48:12.458352+00');

INSERT INTO reporting.projections VALUES
	('report_history', 11);

INSERT INTO reporting.relay VALUES
	(true, 1, '01a1ffdd-de41-7b12-a2d6-524839997c7a', '2026-11-21 20:48:24.951641+00', 11, NULL);

INSERT INTO reporting.relay_partitions VALUES
	(0, -1, 0, 0),
	(1, 1, 4, 1),
	(2, 1, 2, 1),
	(3, -1, 0, 0),
	(4, 2, 7, 1),
	(5, -1, 0, 0),
	(6, -1, 0, 0),
	(7, 2, 10, 1);

INSERT INTO reporting.report_history VALUES
	('162adea7-e466-52fa-8144-11f1403ba12c', '162adea7-e466-52fa-8144-11f1403ba12c', '27615765-53d6-59cc-8341-541f050a495a', '339b3bd7-808b-5447-bdb9-0455de0d9159', '2026-11-21 20:48:15.705792+00', 96, 151, 1, 0, 28, '["persuasive","polished","confident","engaging","articulate"]'),
	('1c3445d2-bc71-50b7-8956-6da9388132e5', '1c3445d2-bc71-50b7-8956-6da9388132e5', '5b58a5ea-5fcd-5650-a26f-2fe5d843e9d5', 'c07d663c-8788-5a68-a5a6-4841a4503f57', '2026-11-21 20:48:16.948291+00', 96, 151, 1, 0, 28, '["persuasive","polished","confident","engaging","articulate"]');

INSERT INTO reporting.reports VALUES
	('162adea7-e466-52fa-8144-11f1403ba12c', '339b3bd7-808b-5447-bdb9-0455de0d9159', '27615765-53d6-59cc-8341-541f050a495a', '{"durationSec":28,"confidenceScore":96,"impressionTags":["persuasive","polished","confident","engaging","articulate"],"fillerWords":{},"toneTimeline":[{"t":0.0,"energy":0.48,"confidence":null},{"t":5.0,"energy":0.31,"confidence":null},{"t":10.0,"energy":0.45,"confidence":null},{"t":15.0,"energy":0.41,"confidence":null},{"t":20.0,"energy":0.52,"confidence":null},{"t":25.0,"energy":0.58,"confidence":null}],"emotionBreakdown":null,"gaze":{"eyeContactPct":1.0},"vocalAnalysis":{"paceWordsPerMin":151,"volumeConsistency":0.83,"tonalVariety":0.91,"clarity":1.0,"pauseEffectiveness":1.0},"bodyLanguageAnalysis":{"postureScore":null,"gestureNaturalness":null,"facialExpressiveness":null,"eyeContactPct":1.0,"movementPurpose":null},"strengths":["Your face was turned to the camera in 100 % of the sampled pictures, so viewers feel addressed (eyeContactPct).","You spoke at 151 words per minute, inside the 120 to 180 that listeners follow easily (paceWordsPerMin).","Your pauses, 1.2 s long on average, give listeners time to think, which rates 1 of 1 (pauseEffectiveness)."],"areasForImprovement":["Your volume is even at 0.83 of 1; the next step is to vary it on purpose (volumeConsistency).","Your melody rates 0.91 of 1; the next step is to let it fall at the end of each statement (tonalVariety).","Your pace averages 151 words per minute; the next step is to slow down for the main point (paceWordsPerMin)."],"practiceExercises":["Say one sentence of each take almost in a whisper and the next in full voice, and watch toneTimeline answer.","Record five statements and let your voice go down on the last word, keeping tonalVariety above 0.60.","Say the main sentence of your talk at half speed, keeping paceWordsPerMin between 120 and 180 overall."],"keyMoments":[{"timestamp":5,"type":"improvement","description":"Your voice carried least energy here, 0.31 of 1 (toneTimeline)."},{"timestamp":24,"type":"strength","description":"A clear pause of 1.1 s lets the thought land (pauseEffectiveness)."}],"feedback":"With 96 of 100 points this is an excellent recording of 28 s (confidenceScore). You spoke 151 words per minute and paused 5 times for 1.2 s on average (paceWordsPerMin, pauseMeanSeconds). Your face was turned to the camera in 100 % of the sampled pictures (eyeContactPct). Keep looking at the camera as you do, and take up one exercise at a time: you are on a very good way (eyeContactPct 1).","transcript":{"text":"And Mr. John Dashwood had then leisure to consider how much there might be prudently in his power to do for them. He was not an ill-sposed young man. Unless to be rather cold-hearted and rather selfish, is to be ill-disposed, Had he married a more amiable woman, he might have been made still more respectable than he was. He might even have been made amiable himself.","lowConfidence":false,"words":[{"w":"and","start":0.2,"end":0.37},{"w":"mr","start":0.37,"end":0.63},{"w":"john","start":0.63,"end":0.98},{"w":"dashwood","start":0.98,"end":1.59},{"w":"had","start":1.59,"end":1.84},{"w":"then","start":1.84,"end":2.21},{"w":"leisure","start":2.24,"end":2.72},{"w":"to","start":2.72,"end":2.89},{"w":"consider","start":2.89,"end":3.44},{"w":"how","start":3.44,"end":3.95},{"w":"much","start":4.0,"end":4.33},{"w":"there","start":4.33,"end":4.53},{"w":"might","start":4.53,"end":4.79},{"w":"be","start":4.79,"end":4.94},{"w":"prudently","start":4.94,"end":5.46},{"w":"in","start":5.46,"end":5.56},{"w":"his","start":5.56,"end":5.75},{"w":"power","start":5.75,"end":6.04},{"w":"to","start":6.04,"end":6.14},{"w":"do","start":6.14,"end":6.35},{"w":"for","start":6.35,"end":6.61},{"w":"them","start":6.61,"end":6.79},{"w":"he","start":8.02,"end":8.14},{"w":"was","start":8.14,"end":8.36},{"w":"not","start":8.36,"end":8.8},{"w":"an","start":8.93,"end":9.1},{"w":"ill","start":9.1,"end":9.3},{"w":"sposed","start":9.3,"end":9.91},{"w":"young","start":9.91,"end":10.13},{"w":"man","start":10.13,"end":10.54},{"w":"unless","start":11.96,"end":12.28},{"w":"to","start":12.28,"end":12.38},{"w":"be","start":12.38,"end":12.55},{"w":"rather","start":12.55,"end":12.91},{"w":"cold","start":12.91,"end":13.43},{"w":"hearted","start":13.43,"end":13.91},{"w":"and","start":13.91,"end":14.07},{"w":"rather","start":14.07,"end":14.46},{"w":"selfish","start":14.46,"end":15.29},{"w":"is","start":15.29,"end":15.56},{"w":"to","start":15.56,"end":15.67},{"w":"be","start":15.67,"end":15.85},{"w":"ill","start":15.85,"end":16.05},{"w":"disposed","start":16.05,"end":16.78},{"w":"had","start":18.61,"end":18.83},{"w":"he","start":18.83,"end":18.93},{"w":"married","start":18.93,"end":19.37},{"w":"a","start":19.37,"end":19.42},{"w":"more","start":19.42,"end":19.8},{"w":"amiable","start":19.8,"end":20.39},{"w":"woman","start":20.39,"end":20.87},{"w":"he","start":20.87,"end":21.1},{"w":"might","start":21.1,"end":21.38},{"w":"have","start":21.38,"end":21.58},{"w":"been","start":21.58,"end":21.74},{"w":"made","start":21.74,"end":22.08},{"w":"still","start":22.08,"end":22.46},{"w":"more","start":22.46,"end":22.63},{"w":"respectable","start":22.63,"end":23.39},{"w":"than","start":23.39,"end":23.51},{"w":"he","start":23.51,"end":23.59},{"w":"was","start":23.59,"end":24.22},{"w":"he","start":25.26,"end":25.42},{"w":"might","start":25.42,"end":25.68},{"w":"even","start":25.68,"end":25.96},{"w":"have","start":25.96,"end":26.11},{"w":"been","start":26.11,"end":26.36},{"w":"made","start":26.36,"end":26.74},{"w":"amiable","start":26.74,"end":27.31},{"w":"himself","start":27.31,"end":28.06}]},"measures":{"durationSec":{"value":28,"unit":"s","source":"measured","valid":true},"confidenceScore":{"value":96,"unit":"points of 100","source":"estimated","valid":true},"impressionTags":{"value":["persuasive","polished","confident","engaging","articulate"],"unit":"tags","source":"estimated","valid":true},"fillerWords":{"value":{},"unit":"words, at least","source":"model","valid":true},"toneTimeline":{"value":6,"unit":"points","source":"measured","valid":true},"toneTimeline.confidence":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"confidence over time is not measured"},"emotionBreakdown":{"value":null,"unit":"shares","source":"notRated","valid":false,"reason":"emotions are not measured"},"eyeContactPct":{"value":1.0,"unit":"share of sampled pictures with a face, 0-1","source":"measured","valid":true,"weight":30.8},"postureScore":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"posture is not measured"},"gestureNaturalness":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"gestures are not measured"},"facialExpressiveness":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"expressiveness is not measured, because there is no scale"},"movementPurpose":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"the purpose of movements is not measured"},"strengths":{"value":3,"unit":"sentences","source":"estimated","valid":true},"areasForImprovement":{"value":3,"unit":"sentences","source":"estimated","valid":true},"practiceExercises":{"value":3,"unit":"sentences","source":"estimated","valid":true},"keyMoments":{"value":2,"unit":"moments","source":"estimated","valid":true},"feedback":{"value":392,"unit":"characters","source":"estimated","valid":true},"transcript":{"value":70,"unit":"words","source":"model","valid":true},"fillersPer100Words":{"value":0.0,"unit":"per 100 words, at least","source":"model","valid":true,"weight":15.4},"paceWordsPerMin":{"value":151,"unit":"words/min","source":"model","valid":true,"weight":12.8},"wordCount":{"value":70,"unit":"words","source":"model","valid":true},"pauseCount":{"value":5,"unit":"pauses","source":"measured","valid":true},"pauseMeanSeconds":{"value":1.22,"unit":"s","source":"measured","valid":true},"pauseLongestSeconds":{"value":1.99,"unit":"s","source":"measured","valid":true},"pitchMedianHz":{"value":95.2,"unit":"Hz","source":"measured","valid":true},"pitchRangeSemitones":{"value":8.1,"unit":"semitones","source":"measured","valid":true},"tonalVariety":{"value":0.91,"unit":"0-1","source":"measured","valid":true,"weight":15.4},"loudnessLufs":{"value":-24.4,"unit":"LUFS","source":"measured","valid":true},"truePeakDbfs":{"value":-4.7,"unit":"dBFS","source":"measured","valid":true},"volumeConsistency":{"value":0.83,"unit":"0-1","source":"measured","valid":true,"weight":12.8},"clarity":{"value":1.0,"unit":"0-1","source":"model","valid":true},"snrProxyDb":{"value":60.0,"unit":"dB","source":"measured","valid":true},"pauseEffectiveness":{"value":1.0,"unit":"0-1","source":"measured","valid":true,"lowConfidence":true,"weight":12.8},"facePresencePct":{"value":100.0,"unit":"% of samples","source":"measured","valid":true},"facingCameraPct":{"value":100.0,"unit":"% of face samples","source":"measured","valid":true},"faceWidthPx":{"value":150,"unit":"px of 640","source":"measured","valid":true},"headMovement":{"value":0.038,"unit":"face widths/0.2 s","source":"measured","valid":true},"headStillness":{"value":0.88,"unit":"0-1","source":"measured","valid":true,"lowConfidence":true},"smileLikePct":{"value":null,"unit":"% of samples","source":"notRated","valid":false,"reason":"it is not measured","code":"not-measured"},"severalFacesPct":{"value":0.0,"unit":"% of samples","source":"measured","valid":true},"meanLuma":{"value":141,"unit":"0-255","source":"measured","valid":true}},"scoreParts":[{"part":"voice","weight":25,"share":38.5,"value":0.943,"valid":true,"measures":["paceWordsPerMin","volumeConsistency","pauseEffectiveness"]},{"part":"posture","weight":20,"share":0.0,"value":null,"valid":false,"measures":[],"reason":"posture is not measured"},{"part":"eyeContact","weight":20,"share":30.8,"value":1.0,"valid":true,"measures":["eyeContactPct"]},{"part":"gestures","weight":15,"share":0.0,"value":null,"valid":false,"measures":[],"reason":"gestures are not measured"},{"part":"fewFillers","weight":10,"share":15.4,"value":1.0,"valid":true,"measures":["fillersPer100Words"]},{"part":"vocalVariety","weight":10,"share":15.4,"value":0.91,"valid":true,"measures":["tonalVariety"]}],"impressionTagMeasures":{"persuasive":["eyeContactPct","pauseEffectiveness","tonalVariety"],"polished":["paceWordsPerMin","pauseEffectiveness","volumeConsistency","eyeContactPct"],"confident":["confidenceScore"],"engaging":["eyeContactPct","tonalVariety"],"articulate":["clarity","paceWordsPerMin"]},"fillersAtLeast":true,"warnings":[],"video":{"width":1280,"height":720,"codec":"h264","rotation":0,"fps":30.0},"engines":{"asr":"moonshine","model":"tiny-en 0.0.73","aligner":"pocketsphinx 0.8","face":"dlib-hog 19.24","ffmpeg":"5.1.9-0+deb12u1","thresholds":"1"},"rulesVersion":1}'),
	('1c3445d2-bc71-50b7-8956-6da9388132e5', 'c07d663c-8788-5a68-a5a6-4841a4503f57', '5b58a5ea-5fcd-5650-a26f-2fe5d843e9d5', '{"durationSec":28,"confidenceScore":96,"impressionTags":["persuasive","polished","confident","engaging","articulate"],"fillerWords":{},"toneTimeline":[{"t":0.0,"energy":0.48,"confidence":null},{"t":5.0,"energy":0.31,"confidence":null},{"t":10.0,"energy":0.45,"confidence":null},{"t":15.0,"energy":0.41,"confidence":null},{"t":20.0,"energy":0.52,"confidence":null},{"t":25.0,"energy":0.58,"confidence":null}],"emotionBreakdown":null,"gaze":{"eyeContactPct":1.0},"vocalAnalysis":{"paceWordsPerMin":151,"volumeConsistency":0.83,"tonalVariety":0.91,"clarity":1.0,"pauseEffectiveness":1.0},"bodyLanguageAnalysis":{"postureScore":null,"gestureNaturalness":null,"facialExpressiveness":null,"eyeContactPct":1.0,"movementPurpose":null},"strengths":["Your face was turned to the camera in 100 % of the sampled pictures, so viewers feel addressed (eyeContactPct).","You spoke at 151 words per minute, inside the 120 to 180 that listeners follow easily (paceWordsPerMin).","Your pauses, 1.2 s long on average, give listeners time to think, which rates 1 of 1 (pauseEffectiveness)."],"areasForImprovement":["Your volume is even at 0.83 of 1; the next step is to vary it on purpose (volumeConsistency).","Your melody rates 0.91 of 1; the next step is to let it fall at the end of each statement (tonalVariety).","Your pace averages 151 words per minute; the next step is to slow down for the main point (paceWordsPerMin)."],"practiceExercises":["Say one sentence of each take almost in a whisper and the next in full voice, and watch toneTimeline answer.","Record five statements and let your voice go down on the last word, keeping tonalVariety above 0.60.","Say the main sentence of your talk at half speed, keeping paceWordsPerMin between 120 and 180 overall."],"keyMoments":[{"timestamp":5,"type":"improvement","description":"Your voice carried least energy here, 0.31 of 1 (toneTimeline)."},{"timestamp":24,"type":"strength","description":"A clear pause of 1.1 s lets the thought land (pauseEffectiveness)."}],"feedback":"With 96 of 100 points this is an excellent recording of 28 s (confidenceScore). You spoke 151 words per minute and paused 5 times for 1.2 s on average (paceWordsPerMin, pauseMeanSeconds). Your face was turned to the camera in 100 % of the sampled pictures (eyeContactPct). Keep looking at the camera as you do, and take up one exercise at a time: you are on a very good way (eyeContactPct 1).","transcript":{"text":"And Mr. John Dashwood had then leisure to consider how much there might be prudently in his power to do for them. He was not an ill-sposed young man. Unless to be rather cold-hearted and rather selfish, is to be ill-disposed, Had he married a more amiable woman, he might have been made still more respectable than he was. He might even have been made amiable himself.","lowConfidence":false,"words":[{"w":"and","start":0.2,"end":0.37},{"w":"mr","start":0.37,"end":0.63},{"w":"john","start":0.63,"end":0.98},{"w":"dashwood","start":0.98,"end":1.59},{"w":"had","start":1.59,"end":1.84},{"w":"then","start":1.84,"end":2.21},{"w":"leisure","start":2.24,"end":2.72},{"w":"to","start":2.72,"end":2.89},{"w":"consider","start":2.89,"end":3.44},{"w":"how","start":3.44,"end":3.95},{"w":"much","start":4.0,"end":4.33},{"w":"there","start":4.33,"end":4.53},{"w":"might","start":4.53,"end":4.79},{"w":"be","start":4.79,"end":4.94},{"w":"prudently","start":4.94,"end":5.46},{"w":"in","start":5.46,"end":5.56},{"w":"his","start":5.56,"end":5.75},{"w":"power","start":5.75,"end":6.04},{"w":"to","start":6.04,"end":6.14},{"w":"do","start":6.14,"end":6.35},{"w":"for","start":6.35,"end":6.61},{"w":"them","start":6.61,"end":6.79},{"w":"he","start":8.02,"end":8.14},{"w":"was","start":8.14,"end":8.36},{"w":"not","start":8.36,"end":8.8},{"w":"an","start":8.93,"end":9.1},{"w":"ill","start":9.1,"end":9.3},{"w":"sposed","start":9.3,"end":9.91},{"w":"young","start":9.91,"end":10.13},{"w":"man","start":10.13,"end":10.54},{"w":"unless","start":11.96,"end":12.28},{"w":"to","start":12.28,"end":12.38},{"w":"be","start":12.38,"end":12.55},{"w":"rather","start":12.55,"end":12.91},{"w":"cold","start":12.91,"end":13.43},{"w":"hearted","start":13.43,"end":13.91},{"w":"and","start":13.91,"end":14.07},{"w":"rather","start":14.07,"end":14.46},{"w":"selfish","start":14.46,"end":15.29},{"w":"is","start":15.29,"end":15.56},{"w":"to","start":15.56,"end":15.67},{"w":"be","start":15.67,"end":15.85},{"w":"ill","start":15.85,"end":16.05},{"w":"disposed","start":16.05,"end":16.78},{"w":"had","start":18.61,"end":18.83},{"w":"he","start":18.83,"end":18.93},{"w":"married","start":18.93,"end":19.37},{"w":"a","start":19.37,"end":19.42},{"w":"more","start":19.42,"end":19.8},{"w":"amiable","start":19.8,"end":20.39},{"w":"woman","start":20.39,"end":20.87},{"w":"he","start":20.87,"end":21.1},{"w":"might","start":21.1,"end":21.38},{"w":"have","start":21.38,"end":21.58},{"w":"been","start":21.58,"end":21.74},{"w":"made","start":21.74,"end":22.08},{"w":"still","start":22.08,"end":22.46},{"w":"more","start":22.46,"end":22.63},{"w":"respectable","start":22.63,"end":23.39},{"w":"than","start":23.39,"end":23.51},{"w":"he","start":23.51,"end":23.59},{"w":"was","start":23.59,"end":24.22},{"w":"he","start":25.26,"end":25.42},{"w":"might","start":25.42,"end":25.68},{"w":"even","start":25.68,"end":25.96},{"w":"have","start":25.96,"end":26.11},{"w":"been","start":26.11,"end":26.36},{"w":"made","start":26.36,"end":26.74},{"w":"amiable","start":26.74,"end":27.31},{"w":"himself","start":27.31,"end":28.06}]},"measures":{"durationSec":{"value":28,"unit":"s","source":"measured","valid":true},"confidenceScore":{"value":96,"unit":"points of 100","source":"estimated","valid":true},"impressionTags":{"value":["persuasive","polished","confident","engaging","articulate"],"unit":"tags","source":"estimated","valid":true},"fillerWords":{"value":{},"unit":"words, at least","source":"model","valid":true},"toneTimeline":{"value":6,"unit":"points","source":"measured","valid":true},"toneTimeline.confidence":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"confidence over time is not measured"},"emotionBreakdown":{"value":null,"unit":"shares","source":"notRated","valid":false,"reason":"emotions are not measured"},"eyeContactPct":{"value":1.0,"unit":"share of sampled pictures with a face, 0-1","source":"measured","valid":true,"weight":30.8},"postureScore":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"posture is not measured"},"gestureNaturalness":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"gestures are not measured"},"facialExpressiveness":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"expressiveness is not measured, because there is no scale"},"movementPurpose":{"value":null,"unit":"0-1","source":"notRated","valid":false,"reason":"the purpose of movements is not measured"},"strengths":{"value":3,"unit":"sentences","source":"estimated","valid":true},"areasForImprovement":{"value":3,"unit":"sentences","source":"estimated","valid":true},"practiceExercises":{"value":3,"unit":"sentences","source":"estimated","valid":true},"keyMoments":{"value":2,"unit":"moments","source":"estimated","valid":true},"feedback":{"value":392,"unit":"characters","source":"estimated","valid":true},"transcript":{"value":70,"unit":"words","source":"model","valid":true},"fillersPer100Words":{"value":0.0,"unit":"per 100 words, at least","source":"model","valid":true,"weight":15.4},"paceWordsPerMin":{"value":151,"unit":"words/min","source":"model","valid":true,"weight":12.8},"wordCount":{"value":70,"unit":"words","source":"model","valid":true},"pauseCount":{"value":5,"unit":"pauses","source":"measured","valid":true},"pauseMeanSeconds":{"value":1.22,"unit":"s","source":"measured","valid":true},"pauseLongestSeconds":{"value":1.99,"unit":"s","source":"measured","valid":true},"pitchMedianHz":{"value":95.2,"unit":"Hz","source":"measured","valid":true},"pitchRangeSemitones":{"value":8.1,"unit":"semitones","source":"measured","valid":true},"tonalVariety":{"value":0.91,"unit":"0-1","source":"measured","valid":true,"weight":15.4},"loudnessLufs":{"value":-24.4,"unit":"LUFS","source":"measured","valid":true},"truePeakDbfs":{"value":-4.7,"unit":"dBFS","source":"measured","valid":true},"volumeConsistency":{"value":0.83,"unit":"0-1","source":"measured","valid":true,"weight":12.8},"clarity":{"value":1.0,"unit":"0-1","source":"model","valid":true},"snrProxyDb":{"value":60.0,"unit":"dB","source":"measured","valid":true},"pauseEffectiveness":{"value":1.0,"unit":"0-1","source":"measured","valid":true,"lowConfidence":true,"weight":12.8},"facePresencePct":{"value":100.0,"unit":"% of samples","source":"measured","valid":true},"facingCameraPct":{"value":100.0,"unit":"% of face samples","source":"measured","valid":true},"faceWidthPx":{"value":150,"unit":"px of 640","source":"measured","valid":true},"headMovement":{"value":0.038,"unit":"face widths/0.2 s","source":"measured","valid":true},"headStillness":{"value":0.88,"unit":"0-1","source":"measured","valid":true,"lowConfidence":true},"smileLikePct":{"value":null,"unit":"% of samples","source":"notRated","valid":false,"reason":"it is not measured","code":"not-measured"},"severalFacesPct":{"value":0.0,"unit":"% of samples","source":"measured","valid":true},"meanLuma":{"value":141,"unit":"0-255","source":"measured","valid":true}},"scoreParts":[{"part":"voice","weight":25,"share":38.5,"value":0.943,"valid":true,"measures":["paceWordsPerMin","volumeConsistency","pauseEffectiveness"]},{"part":"posture","weight":20,"share":0.0,"value":null,"valid":false,"measures":[],"reason":"posture is not measured"},{"part":"eyeContact","weight":20,"share":30.8,"value":1.0,"valid":true,"measures":["eyeContactPct"]},{"part":"gestures","weight":15,"share":0.0,"value":null,"valid":false,"measures":[],"reason":"gestures are not measured"},{"part":"fewFillers","weight":10,"share":15.4,"value":1.0,"valid":true,"measures":["fillersPer100Words"]},{"part":"vocalVariety","weight":10,"share":15.4,"value":0.91,"valid":true,"measures":["tonalVariety"]}],"impressionTagMeasures":{"persuasive":["eyeContactPct","pauseEffectiveness","tonalVariety"],"polished":["paceWordsPerMin","pauseEffectiveness","volumeConsistency","eyeContactPct"],"confident":["confidenceScore"],"engaging":["eyeContactPct","tonalVariety"],"articulate":["clarity","paceWordsPerMin"]},"fillersAtLeast":true,"warnings":[],"video":{"width":1280,"height":720,"codec":"h264","rotation":0,"fps":30.0},"engines":{"asr":"moonshine","model":"tiny-en 0.0.73","aligner":"pocketsphinx 0.8","face":"dlib-hog 19.24","ffmpeg":"5.1.9-0+deb12u1","thresholds":"1"},"rulesVersion":1}');

INSERT INTO reporting.request_key VALUES
	(true, '\x5b4e8d2397894df59ba6140d716ab73a644ed50be6e34332ad93b97482902966');

INSERT INTO reporting.signing_keys VALUES
	('029fd939-d459-49ff-abba-f4b23c2939ce', '-oYPS9Ntl4vPRwZa8ZDOhZdbNL3ng-HDzCMYLJ-V2KE', 'Ps2gQXywZNKywcsf1rHLxUvGAvE_t5ktnSV1u5wlEgs', '2026-11-21 20:48:12.921559+00', '2026-12-21 20:48:12.921559+00', NULL),
	('6471d4c3-f9ed-4460-8137-839dbe85fa83', 'Qf-xU1RcGa56OfwR0XVVC8vZe5xmvbaS9ixgs-qgeFM', 'HOFIrexT60scyfYu-9Km3WBX8jSnDykoXs0U_uoDjrI', '2026-11-21 20:53:18.811814+00', '2026-12-21 20:53:18.811814+00', NULL);

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

