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

CREATE FUNCTION quota.append_batch(first_ids uuid[], hashes bytea[], owners uuid[], though_erased boolean[], metadatas json[], calls json[], groups bigint[], streams text[], write_appends bigint[], write_streams bigint[], write_expected bigint[], write_sizes bigint[], event_writes bigint[], event_ids uuid[], event_types text[], event_schema_versions bigint[], event_datas json[]) RETURNS TABLE(verdict text, at_position bigint, at_time timestamp with time zone, stream_found text, version_found bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'quota', 'pg_temp'
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

CREATE FUNCTION quota.begin_incarnation(next uuid, fork bigint, published bigint, top_epoch bigint, cut uuid[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'quota', 'pg_temp'
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

CREATE FUNCTION quota.begin_rebuild(model_name text, by_whom text, code_version text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'quota', 'pg_temp'
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

CREATE FUNCTION quota.complete_rebuild(model_name text, keys_only boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'quota', 'pg_temp'
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

CREATE FUNCTION quota.drop_rebuild(model_name text) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'quota', 'pg_temp'
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

CREATE FUNCTION quota.in_scope(owner uuid) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    select coalesce(
        nullif(current_setting('mirrormate.scope', true), '') in ('system', owner::text), false)
$$;

CREATE FUNCTION quota.refuse_appends(reason text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'quota', 'pg_temp'
    AS $$
    update head set refused = reason where refused is distinct from reason;
$$;

CREATE FUNCTION quota.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    raise exception 'events are immutable: append a new event that corrects the old one' using errcode = '42501';
end $$;

CREATE FUNCTION quota.rename_read_model(from_name text, to_name text, ending text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'quota', 'pg_temp'
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

CREATE FUNCTION quota.row_discard_object(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update object_intents set unwanted = true where object_key = args ->> 'key';
    select null::text;
$$;

CREATE FUNCTION quota.row_discard_objects(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update object_intents set unwanted = true where subject = (args ->> 'subject')::uuid;
    select null::text;
$$;

CREATE FUNCTION quota.row_discard_overdue(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update object_intents set unwanted = true where deadline < clock_timestamp() and not unwanted;
    select null::text;
$$;

CREATE FUNCTION quota.row_erase_subject(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into erased_subjects (subject) values ((args ->> 'subject')::uuid) on conflict do nothing;
    select null::text;
$$;

CREATE FUNCTION quota.row_intend_object(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into object_intents (object_key, subject, purpose, deadline)
    values (args ->> 'key', (args ->> 'subject')::uuid, args ->> 'purpose', (args ->> 'deadline')::timestamptz)
    -- A repeat after a crash announces the same object again.
    on conflict (object_key) do update set deadline = excluded.deadline where not object_intents.unwanted;
    select null::text;
$$;

CREATE FUNCTION quota.row_keep_object(args json) RETURNS text
    LANGUAGE plpgsql
    AS $$
begin
    update object_intents set deadline = null where object_key = args ->> 'key' and not unwanted;
    return case when found then null else 'object-not-intended' end;
end $$;

CREATE FUNCTION quota.row_learn_key(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into signing_keys (kid, x, y, not_before, expires_at)
    values (args ->> 'kid', args ->> 'x', args ->> 'y', (args ->> 'notBefore')::timestamptz,
        (args ->> 'expiresAt')::timestamptz)
    on conflict (kid) do nothing;
    select null::text;
$$;

CREATE FUNCTION quota.row_move_watermark(args json) RETURNS text
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

CREATE FUNCTION quota.row_park(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into parked_messages (topic, partition, record_offset, key, identity, type, reason, headers, value)
    values (args ->> 'topic', (args ->> 'partition')::integer, (args ->> 'offset')::bigint, args ->> 'key',
        args ->> 'identity', args ->> 'type', args ->> 'reason', args -> 'headers', decode(args ->> 'value', 'hex'))
    on conflict (topic, partition, identity) do nothing;
    select null::text;
$$;

CREATE FUNCTION quota.row_retire_key(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update signing_keys set retired_at = (args ->> 'retiredAt')::timestamptz where kid = args ->> 'kid';
    select null::text;
$$;

CREATE FUNCTION quota.row_unpark(args json) RETURNS text
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

CREATE FUNCTION quota.switch_rebuild(rebuild bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'quota', 'pg_temp'
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

CREATE FUNCTION quota.undo_rebuild(model_name text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'quota', 'pg_temp'
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

CREATE TABLE quota.allowances (
    key text NOT NULL,
    owner_id uuid NOT NULL,
    kind text NOT NULL,
    plan text NOT NULL,
    window_ends_at timestamp with time zone,
    time_zone text,
    used bigint NOT NULL,
    reserved bigint NOT NULL,
    extra_used bigint NOT NULL,
    extra_reserved bigint NOT NULL,
    late_cancellations bigint NOT NULL,
    extra bigint NOT NULL,
    CONSTRAINT allowances_check CHECK (((window_ends_at IS NULL) = (time_zone IS NULL))),
    CONSTRAINT allowances_check1 CHECK ((key = ((owner_id || '/'::text) || kind))),
    CONSTRAINT allowances_extra_check CHECK ((extra >= 0)),
    CONSTRAINT allowances_extra_reserved_check CHECK ((extra_reserved >= 0)),
    CONSTRAINT allowances_extra_used_check CHECK ((extra_used >= 0)),
    CONSTRAINT allowances_kind_check CHECK ((kind <> ''::text)),
    CONSTRAINT allowances_late_cancellations_check CHECK ((late_cancellations >= 0)),
    CONSTRAINT allowances_plan_check CHECK ((plan <> ''::text)),
    CONSTRAINT allowances_reserved_check CHECK ((reserved >= 0)),
    CONSTRAINT allowances_used_check CHECK ((used >= 0))
);

CREATE TABLE quota.consumer_partitions (
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

CREATE TABLE quota.cut_incarnations (
    incarnation uuid NOT NULL,
    successor uuid NOT NULL
);

CREATE TABLE quota.erased_subjects (
    subject uuid NOT NULL,
    erased_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE quota.events (
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

CREATE TABLE quota.head (
    singleton boolean DEFAULT true NOT NULL,
    incarnation uuid NOT NULL,
    refused text,
    CONSTRAINT head_singleton_check CHECK (singleton)
);

CREATE TABLE quota.incarnations (
    incarnation uuid NOT NULL,
    parent uuid,
    fork bigint NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT incarnations_check CHECK ((((parent IS NULL) = (fork = 0)) OR (parent IS NOT NULL))),
    CONSTRAINT incarnations_fork_check CHECK ((fork >= 0))
);

CREATE TABLE quota.migrations (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE quota.object_intents (
    object_key text NOT NULL,
    subject uuid NOT NULL,
    purpose text NOT NULL,
    deadline timestamp with time zone,
    unwanted boolean DEFAULT false NOT NULL
);

CREATE TABLE quota.parked_messages (
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

ALTER TABLE quota.parked_messages ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME quota.parked_messages_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE quota.projections (
    name text NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    CONSTRAINT projections_position_check CHECK (("position" >= 0))
)
WITH (fillfactor='50');

CREATE TABLE quota.rebuilds (
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

ALTER TABLE quota.rebuilds ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME quota.rebuilds_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE quota.relay (
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

CREATE TABLE quota.relay_partitions (
    partition integer NOT NULL,
    last_offset bigint NOT NULL,
    last_position bigint NOT NULL,
    last_epoch bigint NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE quota.request_key (
    singleton boolean DEFAULT true NOT NULL,
    key bytea NOT NULL,
    CONSTRAINT request_key_singleton_check CHECK (singleton)
);

CREATE TABLE quota.signing_keys (
    kid text NOT NULL,
    x text NOT NULL,
    y text NOT NULL,
    not_before timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    retired_at timestamp with time zone
);

INSERT INTO quota.allowances VALUES
	('75365c24-94e0-55af-8523-88fff106a5f1/mirrormate', '75365c24-94e0-55af-8523-88fff106a5f1', 'mirrormate', 'free', '2026-11-21 23:00:00+00', 'Europe/Berlin', 1, 0, 0, 0, 0, 0),
	('5454bc4f-b364-5540-9f86-899d9f5076a1/mirrormate', '5454bc4f-b364-5540-9f86-899d9f5076a1', 'mirrormate', 'free', '2026-11-21 23:00:00+00', 'Europe/Berlin', 0, 0, 0, 0, 0, 0),
	('851cf01d-c569-599e-a772-d80fe93e9065/mirrormate', '851cf01d-c569-599e-a772-d80fe93e9065', 'mirrormate', 'premium', '2026-11-21 23:00:00+00', 'Europe/Berlin', 1, 0, 0, 0, 0, 2),
	('dd778d0c-6c98-53c7-b77f-f42626ebf274/mirrormate', 'dd778d0c-6c98-53c7-b77f-f42626ebf274', 'mirrormate', 'free', '2026-11-21 23:00:00+00', 'Europe/Berlin', 0, 0, 0, 0, 0, 0),
	('6b16b53f-3412-55d4-8eb5-f7e3d9c76825/mirrormate', '6b16b53f-3412-55d4-8eb5-f7e3d9c76825', 'mirrormate', 'free', '2026-11-21 23:00:00+00', 'Europe/Berlin', 1, 0, 0, 0, 0, 0);

INSERT INTO quota.consumer_partitions VALUES
	('mirrormate.identity.v1', 3, 1, 2, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/2', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 2, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 6, 1, 3, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/32', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 32, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 7, 1, 2, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/11', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 11, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 3, 1, 4, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/11', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 11, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 2, 1, 3, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/15', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 15, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 2, 1, 5, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/55', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 55, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 7, 1, 5, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/43', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 43, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 5, 1, 8, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/28', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 28, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 5, 1, 4, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/8', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 8, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 6, 1, 2, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/9', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 9, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 4, 1, 3, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/21', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 21, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 4, 1, 1, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/lease/1', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 0, 1, 1, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/lease/1', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 1, 1, 1, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/lease/1', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 0, 1, 1, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/lease/1', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 1, 1, 1, '8dfa18f7-2761-4fce-bdc9-4926f49c3338/lease/1', '8dfa18f7-2761-4fce-bdc9-4926f49c3338', 0, 1, NULL, false, NULL, 0, NULL);

INSERT INTO quota.erased_subjects VALUES
	('a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f', '2026-11-21 20:36:00.885223+00');

INSERT INTO quota.events VALUES
	(1, 'key-cd280822-1356-59af-8963-94fa8ff4af20', 1, 'fc52a90d-8540-5d80-8470-dacee0b998c3', 'SigningKeyLearned', 1, '{"kid":"1a913ef4-e2ba-41db-bcf3-f99a3250d402","x":"OqAVIdGGkF7xhXZEXcO0UiY1MQt9MXmKEpOiskHZpok","y":"Wx6X5UEgLtEp1_TAjrWOMaHQnVJwrdU7CrowZy3KGrs","notBefore":"2026-11-21T20:35:54.128955Z","expiresAt":"2026-12-21T20:35:54.128955Z"}', '{"correlation":"01a1ffd2-9893-7ac4-a4d5-f6cd391a34f7","causation":"c1e7b374-fc1f-52f4-980a-e54213c2d9d5","actor":"quota","origin":"identity/8dfa18f7-2761-4fce-bdc9-4926f49c3338/1"}', '\xc1e7b374fc1f52f4980ae54213c2d9d5', '2026-11-21 20:35:55.366366+00'),
	(2, 'allowance-75365c24-94e0-55af-8523-88fff106a5f1', 1, 'bc63b631-9d57-5e23-8d98-ed79f6cb2bc8', 'QuotaReserved', 1, '{"sessionId":"c4128d3b-82b0-5498-b2f0-b9622c202d6b","ownerId":"75365c24-94e0-55af-8523-88fff106a5f1","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","plan":"free","limit":1,"used":0,"reserved":1,"timeZone":"Europe/Berlin","expiresAt":"2026-11-21T21:35:57.701074Z"}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a685-7231-884f-fe4124811a60","causation":"7d84bbee-180d-5d9b-9e77-b468a085528e","actor":"quota","traceparent":"00-ee4d6404efb580e296d21cf319df1db1-8fd37f59435705ac-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/2"}', '\x7d84bbee180d5d9b9e77b468a085528e', '2026-11-21 20:35:57.816485+00'),
	(3, 'allowance-75365c24-94e0-55af-8523-88fff106a5f1', 2, 'c93559f1-8995-52ba-b4e0-3a203dca82e9', 'QuotaCommitted', 1, '{"sessionId":"c4128d3b-82b0-5498-b2f0-b9622c202d6b","ownerId":"75365c24-94e0-55af-8523-88fff106a5f1","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan"}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a738-7810-9c2c-d21b2df5352a","causation":"f2f28ff2-d6bd-55f3-a009-e0e07ce42ecd","actor":"quota","traceparent":"00-7fbe18bc6b7b48c6904594961ee5f1c6-f60d172e05b1b154-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/11"}', '\xf2f28ff2d6bd55f3a009e0e07ce42ecd', '2026-11-21 20:35:58.47954+00'),
	(4, 'allowance-5454bc4f-b364-5540-9f86-899d9f5076a1', 1, '6cceeec8-a88b-59c4-bdc1-55ce3ef8056b', 'QuotaReserved', 1, '{"sessionId":"4683d60c-4ecf-5f26-b224-ae44b5762002","ownerId":"5454bc4f-b364-5540-9f86-899d9f5076a1","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","plan":"free","limit":1,"used":0,"reserved":1,"timeZone":"Europe/Berlin","expiresAt":"2026-11-21T21:35:58.595501Z"}', '{"owner":"5454bc4f-b364-5540-9f86-899d9f5076a1","correlation":"01a1ffd2-aa03-789b-bfe4-51276b0706b1","causation":"97d88283-8e1e-554e-9e27-e308cc5dad88","actor":"quota","traceparent":"00-46aef9bd44f8cc6ad1bb1e4bd38cb356-f0a34c1609e1417b-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/12"}', '\x97d882838e1e554e9e27e308cc5dad88', '2026-11-21 20:35:58.628872+00'),
	(5, 'allowance-5454bc4f-b364-5540-9f86-899d9f5076a1', 2, '4e221f90-67dd-5f27-8b92-f840b92c13dd', 'QuotaReleased', 1, '{"sessionId":"4683d60c-4ecf-5f26-b224-ae44b5762002","ownerId":"5454bc4f-b364-5540-9f86-899d9f5076a1","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","reason":"failed","isLateCancellation":false}', '{"owner":"5454bc4f-b364-5540-9f86-899d9f5076a1","correlation":"01a1ffd2-aa59-79be-a883-6d19b3fd244c","causation":"3a4f8fbe-fc5f-50e1-abd8-b21fa3a11e8c","actor":"quota","traceparent":"00-2155862512a18cbcd50b4ad1ea14349a-8be09b7e48d3f864-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/17"}', '\x3a4f8fbefc5f50e1abd8b21fa3a11e8c', '2026-11-21 20:35:58.751987+00'),
	(6, 'allowance-851cf01d-c569-599e-a772-d80fe93e9065', 1, '1270f353-8dc0-5536-8eff-7f46319d4587', 'QuotaReserved', 1, '{"sessionId":"70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","plan":"free","limit":1,"used":0,"reserved":1,"timeZone":"Europe/Berlin","expiresAt":"2026-11-21T21:35:58.855484Z"}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ab07-783d-a78f-0b709bb53cc2","causation":"f527ca3d-91bf-5ea0-82f9-a9bf3022aa7e","actor":"quota","traceparent":"00-2e0203e260347500430672e9c230e403-127e8d6eae415a73-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/18"}', '\xf527ca3d91bf5ea082f9a9bf3022aa7e', '2026-11-21 20:35:58.86803+00'),
	(7, 'allowance-851cf01d-c569-599e-a772-d80fe93e9065', 2, '81c93689-8438-5293-88c5-1a99a8d507c9', 'QuotaCommitted', 1, '{"sessionId":"70dd5867-7f4f-5fc9-8e91-bc1f48b6f1c4","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan"}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ab49-7bae-8db0-3b1b32517464","causation":"e7278de0-a659-5a86-99e8-aebc6aff7e5b","actor":"quota","traceparent":"00-856989d73ec86b8cf507a651422b1659-887e218a61389c29-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/27"}', '\xe7278de0a6595a8699e8aebc6aff7e5b', '2026-11-21 20:35:59.387173+00'),
	(8, 'allowance-851cf01d-c569-599e-a772-d80fe93e9065', 3, '1e83a098-0574-503e-9990-a6fb0248285d', 'QuotaRefused', 1, '{"sessionId":"bdaf86b4-e595-5ad8-ab8f-af5aaee4127c","ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","kind":"mirrormate","code":"quota-exceeded","resetsAt":"2026-11-21T23:00:00.000000Z"}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ad0f-7f26-90c0-28a46a4d7198","causation":"7393a3b0-2426-5987-a645-417a572a5205","actor":"quota","traceparent":"00-b96ac44c8909c1164d09752b3fad7923-cd2481dbe2fb4753-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/28"}', '\x7393a3b024265987a645417a572a5205', '2026-11-21 20:35:59.398695+00'),
	(9, 'allowance-851cf01d-c569-599e-a772-d80fe93e9065', 4, 'bb0b62f5-073d-56c9-9451-d651c00820a3', 'PlanChanged', 1, '{"ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","plan":"premium"}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ad60-78d4-81d6-2747c4ebc0e9","actor":"operator","traceparent":"00-0ac7b244da9203bb2aa3f9f3d67d34a9-49a82f346a0584e2-01"}', '\xb4b8a5b5e8482fdb38f5e63e8fb2b1eb72a713cba403e7a49c6f44062030e404', '2026-11-21 20:35:59.457749+00'),
	(10, 'allowance-851cf01d-c569-599e-a772-d80fe93e9065', 5, '135f0eb0-2e9c-5053-99b2-c1ba8c819a1a', 'ExtraGranted', 1, '{"ownerId":"851cf01d-c569-599e-a772-d80fe93e9065","kind":"mirrormate","units":2}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-ad93-7efd-a176-fb7be692f4d7","actor":"operator","traceparent":"00-9f47fce64c3f6a5514d635904a0b58aa-bafe93b30359b886-01"}', '\xf61303eedb5fed855dd1c96d141b5e3a5e430d70aa3ac03aadb19d0f267185f3', '2026-11-21 20:35:59.508962+00'),
	(11, 'allowance-dd778d0c-6c98-53c7-b77f-f42626ebf274', 1, 'efe28195-ed08-5c42-8955-e470e5d73a30', 'QuotaReserved', 1, '{"sessionId":"e17bb9d5-cb9b-54ad-bc55-2a9f8a5c7d2c","ownerId":"dd778d0c-6c98-53c7-b77f-f42626ebf274","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","plan":"free","limit":1,"used":0,"reserved":1,"timeZone":"Europe/Berlin","expiresAt":"2026-11-21T21:35:59.621607Z"}', '{"owner":"dd778d0c-6c98-53c7-b77f-f42626ebf274","correlation":"01a1ffd2-ae05-7aac-b450-b2f4636c6c66","causation":"b38ded6a-4cff-55cc-85a6-17ec66e090ab","actor":"quota","traceparent":"00-4d70741fbec15ad2942b189b2ad86829-d6a88fc952e30a2f-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/30"}', '\xb38ded6a4cff55cc85a617ec66e090ab', '2026-11-21 20:35:59.652347+00'),
	(12, 'allowance-dd778d0c-6c98-53c7-b77f-f42626ebf274', 2, '31b0d225-570d-59f9-a041-5596ddd8ee4a', 'QuotaReleased', 1, '{"sessionId":"e17bb9d5-cb9b-54ad-bc55-2a9f8a5c7d2c","ownerId":"dd778d0c-6c98-53c7-b77f-f42626ebf274","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","reason":"cancelled","isLateCancellation":false}', '{"owner":"dd778d0c-6c98-53c7-b77f-f42626ebf274","correlation":"01a1ffd2-ae35-7b78-92cb-254579299e5c","causation":"118a8a2e-9b35-549f-94c1-eed9d5b37ed3","actor":"quota","traceparent":"00-0f80b022b0af4bd8de360dd845cb786e-4f12a2547e1f0b3c-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/32"}', '\x118a8a2e9b35549f94c1eed9d5b37ed3', '2026-11-21 20:35:59.690491+00'),
	(13, 'allowance-6b16b53f-3412-55d4-8eb5-f7e3d9c76825', 1, '05dbdd7e-fc2a-5342-9349-61e659230129', 'QuotaReserved', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","plan":"free","limit":1,"used":0,"reserved":1,"timeZone":"Europe/Berlin","expiresAt":"2026-11-21T21:35:59.768780Z"}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-ae98-7cf9-a195-e2e47ca3dca9","causation":"d7fdd95d-006d-51c9-93c8-048376f7a492","actor":"quota","traceparent":"00-4f2ea9bbc96f8f3e475a069107c41f96-be4e00abccbc0222-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/33"}', '\xd7fdd95d006d51c993c8048376f7a492', '2026-11-21 20:35:59.783754+00'),
	(14, 'allowance-6b16b53f-3412-55d4-8eb5-f7e3d9c76825', 2, 'f53c51f8-5914-569e-a6a6-409b35f8f1dc', 'QuotaCommitted', 1, '{"sessionId":"d324d888-8cb9-5d69-8f54-add8239f3664","ownerId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan"}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-aecd-7fce-b0f5-a37f450149d5","causation":"f2aa2dd4-c8ab-5f57-899e-89be7583491a","actor":"quota","traceparent":"00-87a4325c7fb1c9e36167c9db1518487a-66eca206921192c7-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/42"}', '\xf2aa2dd4c8ab5f57899e89be7583491a', '2026-11-21 20:36:00.2318+00'),
	(15, 'allowance-a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f', 1, 'f91619e5-69e3-58c7-aa5d-1db0205caecd', 'QuotaReserved', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","plan":"free","limit":1,"used":0,"reserved":1,"timeZone":"Europe/Berlin","expiresAt":"2026-11-21T21:36:00.355676Z"}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b0e3-7b64-b7ed-0c5eb1180bb0","causation":"1142592e-0e3d-59d0-8329-fb15728170d5","actor":"quota","traceparent":"00-f6b2926e6870697df1ef684a09f59615-72762c401d8e7b2d-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/44"}', '\x1142592e0e3d59d08329fb15728170d5', '2026-11-21 20:36:00.368984+00'),
	(16, 'allowance-a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f', 2, '40c161b9-efb7-5bfb-bea0-c6a5eae52331', 'QuotaCommitted', 1, '{"sessionId":"1d4e75a6-4131-564c-afd6-d0b3b6dce39c","ownerId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan"}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b120-7d2b-93bf-74bf46323827","causation":"9e39a87e-508d-5114-91ea-d8ac323cbe9d","actor":"quota","traceparent":"00-02087a900d7b4a30918a8af1bb1b396c-3f428bcc785e971b-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/53"}', '\x9e39a87e508d511491ead8ac323cbe9d', '2026-11-21 20:36:00.854383+00'),
	(17, 'allowance-a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f', 3, '25f09c0d-7707-5589-a929-a53e47af6332', 'SubjectErased', 1, '{"subjectId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","removed":{"rows":1,"objects":0}}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b2ce-74a7-9326-d06e245b9d38","causation":"1d46cf5e-70b0-5d90-bb7f-180dc98b34a4","actor":"quota","traceparent":"00-4b6361ad5084e293d47528180bedf0b1-8d78dc5863a06de6-01","origin":"identity/8dfa18f7-2761-4fce-bdc9-4926f49c3338/15"}', '\x1d46cf5e70b05d90bb7f180dc98b34a4', '2026-11-21 20:36:00.884833+00'),
	(18, 'key-a165f0c4-4136-5817-87bd-b520a679f6a4', 1, 'ffbb554f-313b-52c8-a043-287b58022520', 'SigningKeyLearned', 1, '{"kid":"5f561dc7-dfc5-498c-8774-d3e7a484db9d","x":"lQE-DmwcqyR1y7C4sBJ9EE4k1mijliysCW51yhFGdXg","y":"EHNw38-KrRE530t3gGDJOcszml4aST0pSo03NIBBwG0","notBefore":"2026-11-21T20:41:01.025855Z","expiresAt":"2026-12-21T20:41:01.025855Z"}', '{"correlation":"01a1ffd2-b389-74e5-9437-688ee10b5235","causation":"3007b4e8-e38c-5353-866b-a90cd44af5e1","actor":"quota","origin":"identity/8dfa18f7-2761-4fce-bdc9-4926f49c3338/21"}', '\x3007b4e8e38c5353866ba90cd44af5e1', '2026-11-21 20:36:01.110557+00');

INSERT INTO quota.head VALUES
	(true, '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed', NULL);

INSERT INTO quota.incarnations VALUES
	('983bbd2e-dd4e-4f1b-9096-e1e6593e54ed', NULL, 0, '2026-11-21 20:35:53.329888+00');

INSERT INTO quota.migrations VALUES
	('defaults', 'bbbc80e2f22d6c70', '2026-11-21 20:35:53.25971+00'),
	('scope', 'c7d456e957fc1364', '2026-11-21 20:35:53.298488+00'),
	('head', 'e72b49b65dda4c45', '2026-11-21 20:35:53.330388+00'),
	('events', 'bbfd42eb9788a7bd', '2026-11-21 20:35:53.366439+00'),
	('events_immutable', 'e01cf0229e7fd418', '2026-11-21 20:35:53.374618+00'),
	('erased_subjects', '2146bc0c2be40d91', '2026-11-21 20:35:53.388194+00'),
	('append_batch', '9f09a3219dbfffd4', '2026-11-21 20:35:53.404644+00'),
	('privileges', 'fdd9b5951144bb48', '2026-11-21 20:35:53.415264+00'),
	('relay', '1682739c19a064b0', '2026-11-21 20:35:53.456207+00'),
	('incarnation', '7e74a231e02a5b5a', '2026-11-21 20:35:53.495818+00'),
	('consumer_partitions', '48f1e25c7fe5bb7f', '2026-11-21 20:35:53.540133+00'),
	('parked_messages', '7e23a009eb467817', '2026-11-21 20:35:53.594904+00'),
	('projections', 'b60500a61b2cbb97', '2026-11-21 20:35:53.61592+00'),
	('rebuilds', '559cf9ed68b2b3bf', '2026-11-21 20:35:53.640717+00'),
	('rename_read_model', '86e564ba8b91283d', '2026-11-21 20:35:53.654957+00'),
	('begin_rebuild', 'c8cae99280351953', '2026-11-21 20:35:53.660037+00'),
	('complete_rebuild', '121993744112cac9', '2026-11-21 20:35:53.666114+00'),
	('switch_rebuild', 'f03d670e1faaf5bd', '2026-11-21 20:35:53.670936+00'),
	('undo_rebuild', '841c4c38c900d773', '2026-11-21 20:35:53.675126+00'),
	('drop_rebuild', 'cf1b4d618e545b4f', '2026-11-21 20:35:53.675777+00'),
	('request_key', 'eb88c0ad3dfad762', '2026-11-21 20:35:53.701744+00'),
	('signing_keys', 'cf99a50835fd752', '2026-11-21 20:35:53.716133+00'),
	('object_intents', '299a9fee0e13f609', '2026-11-21 20:35:53.760921+00'),
	('object_sweep', '1684e7c2309b09b2', '2026-11-21 20:35:53.770031+00'),
	('reader', '2a6dba18899e3b07', '2026-11-21 20:35:53.778985+00'),
	('allowances', '14662a150b58e28b', '2026-11-21 20:35:53.805351+00');

INSERT INTO quota.projections VALUES
	('allowances', 18);

INSERT INTO quota.relay VALUES
	(true, 1, '01a1ffd2-98bb-76bc-acbc-7c8c6648ce05', '2026-11-21 20:36:07.781502+00', 18, NULL);

INSERT INTO quota.relay_partitions VALUES
	(0, -1, 0, 0),
	(1, -1, 0, 0),
	(2, 3, 17, 1),
	(3, 2, 3, 1),
	(4, -1, 0, 0),
	(5, 6, 9, 1),
	(6, 2, 12, 1),
	(7, 2, 14, 1);

INSERT INTO quota.request_key VALUES
	(true, '\xd900f92cda4e483180e343a24fc428c68474c46dae944d828514d0afdd2c18b6');

INSERT INTO quota.signing_keys VALUES
	('1a913ef4-e2ba-41db-bcf3-f99a3250d402', 'OqAVIdGGkF7xhXZEXcO0UiY1MQt9MXmKEpOiskHZpok', 'Wx6X5UEgLtEp1_TAjrWOMaHQnVJwrdU7CrowZy3KGrs', '2026-11-21 20:35:54.128955+00', '2026-12-21 20:35:54.128955+00', NULL),
	('5f561dc7-dfc5-498c-8774-d3e7a484db9d', 'lQE-DmwcqyR1y7C4sBJ9EE4k1mijliysCW51yhFGdXg', 'EHNw38-KrRE530t3gGDJOcszml4aST0pSo03NIBBwG0', '2026-11-21 20:41:01.025855+00', '2026-12-21 20:41:01.025855+00', NULL);

SELECT pg_catalog.setval('quota.parked_messages_id_seq', 1, false);

SELECT pg_catalog.setval('quota.rebuilds_id_seq', 1, false);

ALTER TABLE ONLY quota.allowances
    ADD CONSTRAINT allowances_owner_id_kind_key UNIQUE (owner_id, kind);

ALTER TABLE ONLY quota.allowances
    ADD CONSTRAINT allowances_pkey PRIMARY KEY (key);

ALTER TABLE ONLY quota.consumer_partitions
    ADD CONSTRAINT consumer_partitions_pkey PRIMARY KEY (topic, partition);

ALTER TABLE ONLY quota.cut_incarnations
    ADD CONSTRAINT cut_incarnations_pkey PRIMARY KEY (incarnation);

ALTER TABLE ONLY quota.erased_subjects
    ADD CONSTRAINT erased_subjects_pkey PRIMARY KEY (subject);

ALTER TABLE ONLY quota.events
    ADD CONSTRAINT events_id_key UNIQUE (id);

ALTER TABLE ONLY quota.events
    ADD CONSTRAINT events_pkey PRIMARY KEY ("position");

ALTER TABLE ONLY quota.events
    ADD CONSTRAINT events_stream_version_key UNIQUE (stream, version);

ALTER TABLE ONLY quota.head
    ADD CONSTRAINT head_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY quota.incarnations
    ADD CONSTRAINT incarnations_pkey PRIMARY KEY (incarnation);

ALTER TABLE ONLY quota.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (name);

ALTER TABLE ONLY quota.object_intents
    ADD CONSTRAINT object_intents_pkey PRIMARY KEY (object_key);

ALTER TABLE ONLY quota.parked_messages
    ADD CONSTRAINT parked_messages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY quota.parked_messages
    ADD CONSTRAINT parked_messages_topic_partition_identity_key UNIQUE (topic, partition, identity);

ALTER TABLE ONLY quota.projections
    ADD CONSTRAINT projections_pkey PRIMARY KEY (name);

ALTER TABLE ONLY quota.rebuilds
    ADD CONSTRAINT rebuilds_pkey PRIMARY KEY (id);

ALTER TABLE ONLY quota.relay_partitions
    ADD CONSTRAINT relay_partitions_pkey PRIMARY KEY (partition);

ALTER TABLE ONLY quota.relay
    ADD CONSTRAINT relay_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY quota.request_key
    ADD CONSTRAINT request_key_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY quota.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (kid);

CREATE INDEX object_intents_by_subject ON quota.object_intents USING btree (subject);

CREATE INDEX object_intents_due ON quota.object_intents USING btree (deadline) WHERE ((deadline IS NOT NULL) OR unwanted);

CREATE INDEX parked_messages_by_key ON quota.parked_messages USING btree (topic, partition, key, id);

CREATE TRIGGER events_are_immutable BEFORE DELETE OR UPDATE ON quota.events FOR EACH ROW EXECUTE FUNCTION quota.refuse_change();

CREATE TRIGGER events_are_not_truncated BEFORE TRUNCATE ON quota.events FOR EACH STATEMENT EXECUTE FUNCTION quota.refuse_change();

ALTER TABLE ONLY quota.cut_incarnations
    ADD CONSTRAINT cut_incarnations_successor_fkey FOREIGN KEY (successor) REFERENCES quota.incarnations(incarnation);

ALTER TABLE ONLY quota.head
    ADD CONSTRAINT head_incarnation_fkey FOREIGN KEY (incarnation) REFERENCES quota.incarnations(incarnation);

ALTER TABLE ONLY quota.incarnations
    ADD CONSTRAINT incarnations_parent_fkey FOREIGN KEY (parent) REFERENCES quota.incarnations(incarnation);

ALTER TABLE quota.allowances ENABLE ROW LEVEL SECURITY;

ALTER TABLE quota.object_intents ENABLE ROW LEVEL SECURITY;

CREATE POLICY owners_rows ON quota.allowances USING (quota.in_scope(owner_id));

CREATE POLICY owners_rows ON quota.object_intents USING (quota.in_scope(subject));

REVOKE ALL ON FUNCTION quota.append_batch(first_ids uuid[], hashes bytea[], owners uuid[], though_erased boolean[], metadatas json[], calls json[], groups bigint[], streams text[], write_appends bigint[], write_streams bigint[], write_expected bigint[], write_sizes bigint[], event_writes bigint[], event_ids uuid[], event_types text[], event_schema_versions bigint[], event_datas json[]) FROM PUBLIC;
GRANT ALL ON FUNCTION quota.append_batch(first_ids uuid[], hashes bytea[], owners uuid[], though_erased boolean[], metadatas json[], calls json[], groups bigint[], streams text[], write_appends bigint[], write_streams bigint[], write_expected bigint[], write_sizes bigint[], event_writes bigint[], event_ids uuid[], event_types text[], event_schema_versions bigint[], event_datas json[]) TO quota;

REVOKE ALL ON FUNCTION quota.begin_incarnation(next uuid, fork bigint, published bigint, top_epoch bigint, cut uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION quota.begin_incarnation(next uuid, fork bigint, published bigint, top_epoch bigint, cut uuid[]) TO quota;

REVOKE ALL ON FUNCTION quota.begin_rebuild(model_name text, by_whom text, code_version text) FROM PUBLIC;
GRANT ALL ON FUNCTION quota.begin_rebuild(model_name text, by_whom text, code_version text) TO quota;

REVOKE ALL ON FUNCTION quota.complete_rebuild(model_name text, keys_only boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION quota.complete_rebuild(model_name text, keys_only boolean) TO quota;

REVOKE ALL ON FUNCTION quota.drop_rebuild(model_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION quota.drop_rebuild(model_name text) TO quota;

REVOKE ALL ON FUNCTION quota.in_scope(owner uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION quota.in_scope(owner uuid) TO quota;
GRANT ALL ON FUNCTION quota.in_scope(owner uuid) TO mirrormate_reader;

REVOKE ALL ON FUNCTION quota.refuse_appends(reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION quota.refuse_appends(reason text) TO quota;

REVOKE ALL ON FUNCTION quota.refuse_change() FROM PUBLIC;

REVOKE ALL ON FUNCTION quota.rename_read_model(from_name text, to_name text, ending text) FROM PUBLIC;

REVOKE ALL ON FUNCTION quota.row_discard_object(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION quota.row_discard_objects(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION quota.row_discard_overdue(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION quota.row_erase_subject(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION quota.row_intend_object(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION quota.row_keep_object(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION quota.row_learn_key(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION quota.row_move_watermark(args json) FROM PUBLIC;
GRANT ALL ON FUNCTION quota.row_move_watermark(args json) TO quota;

REVOKE ALL ON FUNCTION quota.row_park(args json) FROM PUBLIC;
GRANT ALL ON FUNCTION quota.row_park(args json) TO quota;

REVOKE ALL ON FUNCTION quota.row_retire_key(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION quota.row_unpark(args json) FROM PUBLIC;
GRANT ALL ON FUNCTION quota.row_unpark(args json) TO quota;

REVOKE ALL ON FUNCTION quota.switch_rebuild(rebuild bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION quota.switch_rebuild(rebuild bigint) TO quota;

REVOKE ALL ON FUNCTION quota.undo_rebuild(model_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION quota.undo_rebuild(model_name text) TO quota;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE quota.allowances TO quota;
GRANT SELECT ON TABLE quota.allowances TO mirrormate_reader;

GRANT SELECT,INSERT,UPDATE ON TABLE quota.consumer_partitions TO quota;
GRANT SELECT ON TABLE quota.consumer_partitions TO mirrormate_reader;

GRANT SELECT ON TABLE quota.cut_incarnations TO quota;
GRANT SELECT ON TABLE quota.cut_incarnations TO mirrormate_reader;

GRANT SELECT ON TABLE quota.erased_subjects TO quota;
GRANT SELECT ON TABLE quota.erased_subjects TO mirrormate_reader;

GRANT SELECT ON TABLE quota.events TO quota;
GRANT SELECT ON TABLE quota.events TO mirrormate_reader;

GRANT SELECT ON TABLE quota.head TO quota;
GRANT SELECT ON TABLE quota.head TO mirrormate_reader;

GRANT SELECT ON TABLE quota.incarnations TO quota;
GRANT SELECT ON TABLE quota.incarnations TO mirrormate_reader;

GRANT SELECT ON TABLE quota.migrations TO quota;
GRANT SELECT ON TABLE quota.migrations TO mirrormate_reader;

GRANT SELECT,DELETE ON TABLE quota.object_intents TO quota;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE quota.parked_messages TO quota;

GRANT SELECT(id) ON TABLE quota.parked_messages TO mirrormate_reader;

GRANT SELECT(topic) ON TABLE quota.parked_messages TO mirrormate_reader;

GRANT SELECT(partition) ON TABLE quota.parked_messages TO mirrormate_reader;

GRANT SELECT(record_offset) ON TABLE quota.parked_messages TO mirrormate_reader;

GRANT SELECT(key) ON TABLE quota.parked_messages TO mirrormate_reader;

GRANT SELECT(identity) ON TABLE quota.parked_messages TO mirrormate_reader;

GRANT SELECT(type) ON TABLE quota.parked_messages TO mirrormate_reader;

GRANT SELECT(reason) ON TABLE quota.parked_messages TO mirrormate_reader;

GRANT SELECT(parked_at) ON TABLE quota.parked_messages TO mirrormate_reader;

GRANT SELECT(release) ON TABLE quota.parked_messages TO mirrormate_reader;

GRANT SELECT(dropped) ON TABLE quota.parked_messages TO mirrormate_reader;

GRANT SELECT(attempts) ON TABLE quota.parked_messages TO mirrormate_reader;

GRANT SELECT,INSERT,UPDATE ON TABLE quota.projections TO quota;
GRANT SELECT ON TABLE quota.projections TO mirrormate_reader;

GRANT SELECT,UPDATE ON TABLE quota.rebuilds TO quota;
GRANT SELECT ON TABLE quota.rebuilds TO mirrormate_reader;

GRANT SELECT,UPDATE ON TABLE quota.relay TO quota;
GRANT SELECT ON TABLE quota.relay TO mirrormate_reader;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE quota.relay_partitions TO quota;
GRANT SELECT ON TABLE quota.relay_partitions TO mirrormate_reader;

GRANT SELECT ON TABLE quota.request_key TO quota;

GRANT SELECT ON TABLE quota.signing_keys TO quota;

