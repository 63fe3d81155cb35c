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

CREATE FUNCTION quota.abandon_rebuild(rebuild bigint) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'quota', 'pg_temp'
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
	('b5ea4545-d224-5d3e-9c87-7905d7303a18/mirrormate', 'b5ea4545-d224-5d3e-9c87-7905d7303a18', 'mirrormate', 'free', '2026-11-21 23:00:00+00', 'Europe/Berlin', 1, 0, 0, 0, 0, 0),
	('42b88df0-9b40-53c1-898f-14797a6c2ead/mirrormate', '42b88df0-9b40-53c1-898f-14797a6c2ead', 'mirrormate', 'free', '2026-11-21 23:00:00+00', 'Europe/Berlin', 0, 0, 0, 0, 0, 0),
	('ffde2b98-0a39-51b7-ac3d-18f19946d461/mirrormate', 'ffde2b98-0a39-51b7-ac3d-18f19946d461', 'mirrormate', 'premium', '2026-11-21 23:00:00+00', 'Europe/Berlin', 1, 0, 0, 0, 0, 2),
	('3add8261-20c4-5992-917c-9341a527d64f/mirrormate', '3add8261-20c4-5992-917c-9341a527d64f', 'mirrormate', 'free', '2026-11-21 23:00:00+00', 'Europe/Berlin', 0, 0, 0, 0, 0, 0),
	('fd783f21-4d67-5dff-ab61-83d2fa0eab82/mirrormate', 'fd783f21-4d67-5dff-ab61-83d2fa0eab82', 'mirrormate', 'free', '2026-11-21 23:00:00+00', 'Europe/Berlin', 1, 0, 0, 0, 0, 0);

INSERT INTO quota.consumer_partitions VALUES
	('mirrormate.identity.v1', 5, 1, 3, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/15', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 15, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 4, 1, 4, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/11', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 11, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 5, 1, 5, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/55', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 55, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 7, 1, 8, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/28', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 28, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 3, 1, 1, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/lease/1', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 7, 1, 4, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/8', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 8, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 2, 1, 2, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/9', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 9, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 4, 1, 4, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/21', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 21, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 6, 1, 5, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/43', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 43, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 3, 1, 1, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/lease/1', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 2, 1, 3, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/32', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 32, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 6, 1, 2, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/11', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 11, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 1, 1, 1, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/lease/1', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 0, 1, 1, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/lease/1', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 1, 1, 1, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/lease/1', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 0, 1, 1, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08/lease/1', 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', 0, 1, NULL, false, NULL, 0, NULL);

INSERT INTO quota.erased_subjects VALUES
	('6e144c54-6352-537b-a7a5-64a7c8d05a75', '2026-11-21 21:51:29.395764+00');

INSERT INTO quota.events VALUES
	(1, 'key-b3186284-c41b-5d2d-b780-6e9b0a7bc878', 1, 'b327acaa-8e09-5c74-89ef-2e1cd189a161', 'SigningKeyLearned', 1, '{"kid":"978cf6f9-1116-4f0f-ad98-c58040a49f04","x":"C-lhg3em3brJ_JDnie43Gr-tp3D6aSkH38cHrt0DaqE","y":"WEE_UYX86gcqqFXLhjaoAcsKRNWZk6eyvGXIo_InGfc","notBefore":"2026-11-21T21:51:25.138229Z","expiresAt":"2026-12-21T21:51:25.138229Z"}', '{"correlation":"01a20017-bbd4-76e5-8da5-9a1327a33882","causation":"b5b37db9-5324-59b3-97b0-69ec408a3791","actor":"quota","origin":"identity/b48e3326-9fdb-4e7a-87d2-a583316e8b08/1"}', '\xb5b37db9532459b397b069ec408a3791', '2026-11-21 21:51:26.305724+00'),
	(2, 'allowance-b5ea4545-d224-5d3e-9c87-7905d7303a18', 1, 'd6f73e04-9fd3-57d3-bc74-fe519c747011', 'QuotaReserved', 1, '{"sessionId":"7fa04ff6-f9b9-527e-aa12-2e2bf6470c30","ownerId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","plan":"free","limit":1,"used":0,"reserved":1,"timeZone":"Europe/Berlin","expiresAt":"2026-11-21T22:51:26.555178Z"}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c15b-7e35-ae51-4675887bd320","causation":"acf8fa5b-58c4-5905-810a-1c9cf8853061","actor":"quota","traceparent":"00-eab452ebf0efe86fdd67cd77b4b7edd1-830157bf4ed33bb9-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/2"}', '\xacf8fa5b58c45905810a1c9cf8853061', '2026-11-21 21:51:26.615837+00'),
	(3, 'allowance-b5ea4545-d224-5d3e-9c87-7905d7303a18', 2, 'f62e3a58-fb90-56bc-8372-4fb663577c46', 'QuotaCommitted', 1, '{"sessionId":"7fa04ff6-f9b9-527e-aa12-2e2bf6470c30","ownerId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan"}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c1c0-7883-89b4-fbe371d52e04","causation":"d4a86278-65c6-519a-b287-06ce195507d6","actor":"quota","traceparent":"00-8e25e8f16227384bffb057250046549d-4bc7d6a9b664020e-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/11"}', '\xd4a8627865c6519ab28706ce195507d6', '2026-11-21 21:51:27.214734+00'),
	(4, 'allowance-42b88df0-9b40-53c1-898f-14797a6c2ead', 1, '96b13dd1-099b-585b-9e6e-068049c3e762', 'QuotaReserved', 1, '{"sessionId":"f345ebfe-426c-5ebe-bfca-9d132104ac8b","ownerId":"42b88df0-9b40-53c1-898f-14797a6c2ead","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","plan":"free","limit":1,"used":0,"reserved":1,"timeZone":"Europe/Berlin","expiresAt":"2026-11-21T22:51:27.293782Z"}', '{"owner":"42b88df0-9b40-53c1-898f-14797a6c2ead","correlation":"01a20017-c43e-76c0-839a-d938107fd323","causation":"810293b2-1a4f-57a6-a19c-32eec57cbf6d","actor":"quota","traceparent":"00-691b05536b82f74fcd412c36537e6e57-05385409a66807b4-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/12"}', '\x810293b21a4f57a6a19c32eec57cbf6d', '2026-11-21 21:51:27.32135+00'),
	(5, 'allowance-42b88df0-9b40-53c1-898f-14797a6c2ead', 2, '7447c0d4-a7fd-5cd1-b369-84861e7a27b4', 'QuotaReleased', 1, '{"sessionId":"f345ebfe-426c-5ebe-bfca-9d132104ac8b","ownerId":"42b88df0-9b40-53c1-898f-14797a6c2ead","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","reason":"failed","isLateCancellation":false}', '{"owner":"42b88df0-9b40-53c1-898f-14797a6c2ead","correlation":"01a20017-c487-7a7a-81f4-9ab472d0f406","causation":"3664a111-6fc5-5e2d-8649-b33bf9159fd8","actor":"quota","traceparent":"00-bd58dc7ff186d6528d8900ab321a4d74-b10bc7e958df94ee-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/17"}', '\x3664a1116fc55e2d8649b33bf9159fd8', '2026-11-21 21:51:27.455378+00'),
	(6, 'allowance-ffde2b98-0a39-51b7-ac3d-18f19946d461', 1, '810b2bf5-0acb-5fa4-a8dc-e0305347e9f3', 'QuotaReserved', 1, '{"sessionId":"051b44d1-f7e6-5700-ad3e-5a671c3da351","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","plan":"free","limit":1,"used":0,"reserved":1,"timeZone":"Europe/Berlin","expiresAt":"2026-11-21T22:51:27.516835Z"}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c51d-7cfd-a022-0c31bc6ea453","causation":"066ff4aa-932f-538e-bfdb-9056dfa1cc8c","actor":"quota","traceparent":"00-085be0cdca6f5447e2f3359bf3abe6a7-89fa3713b697f341-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/18"}', '\x066ff4aa932f538ebfdb9056dfa1cc8c', '2026-11-21 21:51:27.533815+00'),
	(7, 'allowance-ffde2b98-0a39-51b7-ac3d-18f19946d461', 2, '1edae90d-3340-50dd-9e8e-6923177b6f13', 'QuotaCommitted', 1, '{"sessionId":"051b44d1-f7e6-5700-ad3e-5a671c3da351","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan"}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c553-777c-8b1d-382cf272e35e","causation":"48420741-c932-59eb-b175-f5620c18ea06","actor":"quota","traceparent":"00-8022957833a111bbb4ef87ed716cdae2-7d8fcec8705ec3f7-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/27"}', '\x48420741c93259ebb175f5620c18ea06', '2026-11-21 21:51:27.983474+00'),
	(8, 'allowance-ffde2b98-0a39-51b7-ac3d-18f19946d461', 3, '661b4ff6-dfc5-5795-b765-88db65e76a8c', 'QuotaRefused', 1, '{"sessionId":"275f4a5c-3008-5f61-bfae-af6f0a00d01f","ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","kind":"mirrormate","code":"quota-exceeded","resetsAt":"2026-11-21T23:00:00.000000Z"}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c6dd-7ee9-8f79-8d18c72a58a9","causation":"d3df0053-2aeb-5e80-80cf-9f436654d580","actor":"quota","traceparent":"00-2948e3587c4f0b635f3a1e3de6ed638c-b9cbff76645df881-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/28"}', '\xd3df00532aeb5e8080cf9f436654d580', '2026-11-21 21:51:28.000215+00'),
	(9, 'allowance-ffde2b98-0a39-51b7-ac3d-18f19946d461', 4, 'b8970c62-7df0-503b-b304-668527a8cb91', 'PlanChanged', 1, '{"ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","plan":"premium"}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c730-78b8-8654-6222ec8701ea","actor":"operator","traceparent":"00-c13a5642907594290421a9f90af783b6-8adb535726c395c3-01"}', '\x71ffe5714af6d069710ee99bc609aa0e4e86c52499a501bfe8812ff82eed770a', '2026-11-21 21:51:28.050044+00'),
	(10, 'allowance-ffde2b98-0a39-51b7-ac3d-18f19946d461', 5, '7120e893-4959-5f07-90f1-df0de91bec63', 'ExtraGranted', 1, '{"ownerId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","kind":"mirrormate","units":2}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c755-77db-b046-9773f4600f26","actor":"operator","traceparent":"00-51c4d7d74fd818b6fa18720c6b9aa9fd-4258e889c6cec87b-01"}', '\x0744c4e0d5daf84912a456881918b6fb9388d6dee954098f386dcd11f240291f', '2026-11-21 21:51:28.08683+00'),
	(11, 'allowance-3add8261-20c4-5992-917c-9341a527d64f', 1, '55aacbde-8e47-5374-b4e7-1cf21f3b8fe1', 'QuotaReserved', 1, '{"sessionId":"6054a724-79a0-5052-9b56-1a1758a28bcf","ownerId":"3add8261-20c4-5992-917c-9341a527d64f","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","plan":"free","limit":1,"used":0,"reserved":1,"timeZone":"Europe/Berlin","expiresAt":"2026-11-21T22:51:28.187815Z"}', '{"owner":"3add8261-20c4-5992-917c-9341a527d64f","correlation":"01a20017-c7bd-7947-91c4-c99dd06c7e31","causation":"ea9ea548-8ddd-544e-a69f-5d869fa53535","actor":"quota","traceparent":"00-15a0e2fca4f4a85a55c1fa0d57c428c2-dae174ba630d09fd-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/30"}', '\xea9ea5488ddd544ea69f5d869fa53535', '2026-11-21 21:51:28.212981+00'),
	(12, 'allowance-3add8261-20c4-5992-917c-9341a527d64f', 2, '1904415b-9d07-500b-aaa3-c1d856806988', 'QuotaReleased', 1, '{"sessionId":"6054a724-79a0-5052-9b56-1a1758a28bcf","ownerId":"3add8261-20c4-5992-917c-9341a527d64f","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","reason":"cancelled","isLateCancellation":false}', '{"owner":"3add8261-20c4-5992-917c-9341a527d64f","correlation":"01a20017-c7e6-7726-909c-8c1685cb309d","causation":"21874701-75d4-5b21-9fd1-7977de5ec5aa","actor":"quota","traceparent":"00-96761efd46dbebdde83daacbf1b71a2c-86b081b831107ff1-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/32"}', '\x2187470175d45b219fd17977de5ec5aa', '2026-11-21 21:51:28.244971+00'),
	(13, 'allowance-fd783f21-4d67-5dff-ab61-83d2fa0eab82', 1, '1c032959-ab3f-512d-bd48-5f5a8ff6d0be', 'QuotaReserved', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","plan":"free","limit":1,"used":0,"reserved":1,"timeZone":"Europe/Berlin","expiresAt":"2026-11-21T22:51:28.334323Z"}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c851-7a8f-b3b6-0a695c875a1f","causation":"cd627692-7de5-50bc-99b9-5740191588d7","actor":"quota","traceparent":"00-048317351676f11eabb33a0826afea82-bd890dfabce5d970-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/33"}', '\xcd6276927de550bc99b95740191588d7', '2026-11-21 21:51:28.36221+00'),
	(14, 'allowance-fd783f21-4d67-5dff-ab61-83d2fa0eab82', 2, '0ffb63af-9cf4-5488-bd6b-db84b044691c', 'QuotaCommitted', 1, '{"sessionId":"2192cbf4-783e-50e6-9b5a-d08d2eb3bb38","ownerId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan"}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c896-7116-83ad-75b5e5f7b6bf","causation":"83d7b73c-c200-55cf-8456-6baae8849600","actor":"quota","traceparent":"00-d0eb8bdea1e1c48687bad82d055e8d12-a3cf5933d6dfb04c-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/42"}', '\x83d7b73cc20055cf84566baae8849600', '2026-11-21 21:51:28.83612+00'),
	(15, 'allowance-6e144c54-6352-537b-a7a5-64a7c8d05a75', 1, '2c4573a4-5962-5f97-b607-f218239c2f8e', 'QuotaReserved', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","plan":"free","limit":1,"used":0,"reserved":1,"timeZone":"Europe/Berlin","expiresAt":"2026-11-21T22:51:28.919726Z"}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-ca99-7fc6-8cf5-423dc63b5691","causation":"acab90fd-7a6b-5cc6-8ed2-d377178481a6","actor":"quota","traceparent":"00-f0820349a9905a5a6987409e582e6cd2-8935f649a5e3a340-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/44"}', '\xacab90fd7a6b5cc68ed2d377178481a6', '2026-11-21 21:51:28.935208+00'),
	(16, 'allowance-6e144c54-6352-537b-a7a5-64a7c8d05a75', 2, '8fb7dc1c-896c-5cc8-b729-4e491c43ad1c', 'QuotaCommitted', 1, '{"sessionId":"58fe6121-7273-5e69-a30e-3a5f8e97b31f","ownerId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan"}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cac2-75be-b2a1-a9b13c1c185e","causation":"84988429-b26d-56ff-98a3-56f54194816e","actor":"quota","traceparent":"00-b97a5edd962c59add5aaf5eb9bd95dab-5792d558979fe475-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/53"}', '\x84988429b26d56ff98a356f54194816e', '2026-11-21 21:51:29.37136+00'),
	(17, 'allowance-6e144c54-6352-537b-a7a5-64a7c8d05a75', 3, '61d461bb-c543-5a38-86ef-1b0eb43ad260', 'SubjectErased', 1, '{"subjectId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","removed":{"rows":1,"objects":0}}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cc4c-7feb-ae8b-f7de54d2a33a","causation":"3c87a832-a542-58c1-b428-4e1a904dac5e","actor":"quota","traceparent":"00-cfead89cd328f1c5353cb0ff230d7139-1adffb977bc37108-01","origin":"identity/b48e3326-9fdb-4e7a-87d2-a583316e8b08/15"}', '\x3c87a832a54258c1b4284e1a904dac5e', '2026-11-21 21:51:29.395364+00'),
	(18, 'key-c4b55136-6343-54f3-828c-976a11212ce1', 1, 'a9de59ed-009a-51eb-9cc7-7def4f8b8dd7', 'SigningKeyLearned', 1, '{"kid":"b6ad323b-6f79-42f1-8b08-feed3d9d9379","x":"6RLGY-G6s48hqn7pWWvlvqBEtNpyhqXEhmSfXm6KFpQ","y":"xxEnn1qOvmlDr4iuHgFLj0wiMEDR1HdFtVd8wAo4WCU","notBefore":"2026-11-21T21:56:29.514073Z","expiresAt":"2026-12-21T21:56:29.514073Z"}', '{"correlation":"01a20017-ccee-747a-ba8e-f57a15f3c517","causation":"0f47627a-cfdb-5cd4-b701-5367ae883eb0","actor":"quota","origin":"identity/b48e3326-9fdb-4e7a-87d2-a583316e8b08/21"}', '\x0f47627acfdb5cd4b7015367ae883eb0', '2026-11-21 21:51:29.566291+00');

INSERT INTO quota.head VALUES
	(true, 'd57b72ad-5d05-4830-afac-0e432969a86f', NULL);

INSERT INTO quota.incarnations VALUES
	('d57b72ad-5d05-4830-afac-0e432969a86f', NULL, 0, '2026-11-21 21:51:24.509662+00');

INSERT INTO quota.migrations VALUES
	('defaults', 'bbbc80e2f22d6c70', '2026-11-21 21:51:24.479991+00'),
	('scope', 'c7d456e957fc1364', '2026-11-21 21:51:24.483968+00'),
	('head', 'e72b49b65dda4c45', '2026-11-21 21:51:24.510496+00'),
	('events', 'bbfd42eb9788a7bd', '2026-11-21 21:51:24.527083+00'),
	('events_immutable', 'e01cf0229e7fd418', '2026-11-21 21:51:24.532826+00'),
	('erased_subjects', '2146bc0c2be40d91', '2026-11-21 21:51:24.544038+00'),
	('append_batch', '9f09a3219dbfffd4', '2026-11-21 21:51:24.552275+00'),
	('privileges', 'fdd9b5951144bb48', '2026-11-21 21:51:24.556266+00'),
	('relay', '1682739c19a064b0', '2026-11-21 21:51:24.568655+00'),
	('incarnation', '7e74a231e02a5b5a', '2026-11-21 21:51:24.574833+00'),
	('consumer_partitions', '48f1e25c7fe5bb7f', '2026-11-21 21:51:24.583538+00'),
	('parked_messages', '7e23a009eb467817', '2026-11-21 21:51:24.603885+00'),
	('projections', 'b60500a61b2cbb97', '2026-11-21 21:51:24.612735+00'),
	('rebuilds', '559cf9ed68b2b3bf', '2026-11-21 21:51:24.625785+00'),
	('rename_read_model', '86e564ba8b91283d', '2026-11-21 21:51:24.631067+00'),
	('begin_rebuild', 'c8cae99280351953', '2026-11-21 21:51:24.6338+00'),
	('complete_rebuild', '121993744112cac9', '2026-11-21 21:51:24.636045+00'),
	('switch_rebuild', 'f03d670e1faaf5bd', '2026-11-21 21:51:24.63781+00'),
	('undo_rebuild', '841c4c38c900d773', '2026-11-21 21:51:24.63929+00'),
	('drop_rebuild', 'cf1b4d618e545b4f', '2026-11-21 21:51:24.643141+00'),
	('abandon_rebuild', 'dd545db82ffecf67', '2026-11-21 21:51:24.645186+00'),
	('request_key', 'eb88c0ad3dfad762', '2026-11-21 21:51:24.653549+00'),
	('signing_keys', 'cf99a50835fd752', '2026-11-21 21:51:24.663132+00'),
	('object_intents', '299a9fee0e13f609', '2026-11-21 21:51:24.680743+00'),
	('object_sweep', '1684e7c2309b09b2', '2026-11-21 21:51:24.686603+00'),
	('reader', '2a6dba18899e3b07', '2026-11-21 21:51:24.689683+00'),
	('allowances', '14662a150b58e28b', '2026-11-21 21:51:24.711919+00');

INSERT INTO quota.projections VALUES
	('allowances', 18);

INSERT INTO quota.relay VALUES
	(true, 1, '01a20017-bbf9-7eb4-be1f-98c91100b019', '2026-11-21 21:51:35.77106+00', 18, NULL);

INSERT INTO quota.relay_partitions VALUES
	(0, -1, 0, 0),
	(1, -1, 0, 0),
	(2, 2, 12, 1),
	(3, -1, 0, 0),
	(4, 2, 3, 1),
	(5, 3, 17, 1),
	(6, 2, 14, 1),
	(7, 6, 9, 1);

INSERT INTO quota.request_key VALUES
	(true, '\x451d08ec500e4a90aa76acd926d3c93333b8c19f3d4747bcb1d7e8c659382dcf');

INSERT INTO quota.signing_keys VALUES
	('978cf6f9-1116-4f0f-ad98-c58040a49f04', 'C-lhg3em3brJ_JDnie43Gr-tp3D6aSkH38cHrt0DaqE', 'WEE_UYX86gcqqFXLhjaoAcsKRNWZk6eyvGXIo_InGfc', '2026-11-21 21:51:25.138229+00', '2026-12-21 21:51:25.138229+00', NULL),
	('b6ad323b-6f79-42f1-8b08-feed3d9d9379', '6RLGY-G6s48hqn7pWWvlvqBEtNpyhqXEhmSfXm6KFpQ', 'xxEnn1qOvmlDr4iuHgFLj0wiMEDR1HdFtVd8wAo4WCU', '2026-11-21 21:56:29.514073+00', '2026-12-21 21:56:29.514073+00', NULL);

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

GRANT USAGE ON SCHEMA quota TO quota;
GRANT USAGE ON SCHEMA quota TO mirrormate_reader;

REVOKE ALL ON FUNCTION quota.abandon_rebuild(rebuild bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION quota.abandon_rebuild(rebuild bigint) TO quota;

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

