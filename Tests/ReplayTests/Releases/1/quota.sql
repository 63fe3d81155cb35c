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
	('339b3bd7-808b-5447-bdb9-0455de0d9159/mirrormate', '339b3bd7-808b-5447-bdb9-0455de0d9159', 'mirrormate', 'free', '2026-11-21 23:00:00+00', 'Europe/Berlin', 1, 0, 0, 0, 0, 0),
	('e88f6646-fa20-5866-a935-0384095b5309/mirrormate', 'e88f6646-fa20-5866-a935-0384095b5309', 'mirrormate', 'free', '2026-11-21 23:00:00+00', 'Europe/Berlin', 0, 0, 0, 0, 0, 0),
	('c07d663c-8788-5a68-a5a6-4841a4503f57/mirrormate', 'c07d663c-8788-5a68-a5a6-4841a4503f57', 'mirrormate', 'premium', '2026-11-21 23:00:00+00', 'Europe/Berlin', 1, 0, 0, 0, 0, 2),
	('f4674116-33e2-5e03-a073-ba1d7cae582c/mirrormate', 'f4674116-33e2-5e03-a073-ba1d7cae582c', 'mirrormate', 'free', '2026-11-21 23:00:00+00', 'Europe/Berlin', 0, 0, 0, 0, 0, 0),
	('2d5bfaaf-c171-5bc0-a03a-27923c66fa59/mirrormate', '2d5bfaaf-c171-5bc0-a03a-27923c66fa59', 'mirrormate', 'free', '2026-11-21 23:00:00+00', 'Europe/Berlin', 1, 0, 0, 0, 0, 0);

INSERT INTO quota.consumer_partitions VALUES
	('mirrormate.identity.v1', 7, 1, 3, 'fc03a36b-e35c-4bea-9125-ed0840733a55/15', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 15, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 7, 1, 5, '67aa24d3-31b1-443b-a01e-a9981feea048/55', '67aa24d3-31b1-443b-a01e-a9981feea048', 55, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 1, 1, 5, '67aa24d3-31b1-443b-a01e-a9981feea048/28', '67aa24d3-31b1-443b-a01e-a9981feea048', 28, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 2, 1, 4, '67aa24d3-31b1-443b-a01e-a9981feea048/11', '67aa24d3-31b1-443b-a01e-a9981feea048', 11, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 4, 1, 5, 'fc03a36b-e35c-4bea-9125-ed0840733a55/21', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 21, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 4, 1, 8, '67aa24d3-31b1-443b-a01e-a9981feea048/43', '67aa24d3-31b1-443b-a01e-a9981feea048', 43, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 1, 1, 3, 'fc03a36b-e35c-4bea-9125-ed0840733a55/8', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 8, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 3, 1, 2, 'fc03a36b-e35c-4bea-9125-ed0840733a55/9', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 9, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 3, 1, 3, '67aa24d3-31b1-443b-a01e-a9981feea048/32', '67aa24d3-31b1-443b-a01e-a9981feea048', 32, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 2, 1, 2, 'fc03a36b-e35c-4bea-9125-ed0840733a55/2', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 2, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 0, 1, 1, '67aa24d3-31b1-443b-a01e-a9981feea048/lease/1', '67aa24d3-31b1-443b-a01e-a9981feea048', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 6, 1, 1, '67aa24d3-31b1-443b-a01e-a9981feea048/lease/1', '67aa24d3-31b1-443b-a01e-a9981feea048', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 6, 1, 1, 'fc03a36b-e35c-4bea-9125-ed0840733a55/lease/1', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 0, 1, 1, 'fc03a36b-e35c-4bea-9125-ed0840733a55/lease/1', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.identity.v1', 5, 1, 1, 'fc03a36b-e35c-4bea-9125-ed0840733a55/lease/1', 'fc03a36b-e35c-4bea-9125-ed0840733a55', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 5, 1, 1, '67aa24d3-31b1-443b-a01e-a9981feea048/lease/1', '67aa24d3-31b1-443b-a01e-a9981feea048', 0, 1, NULL, false, NULL, 0, NULL);

INSERT INTO quota.erased_subjects VALUES
	('413dc46a-0026-54e9-8df7-08e017108c5f', '2026-11-21 20:48:18.611185+00');

INSERT INTO quota.events VALUES
	(1, 'key-8b2dd12f-57af-5f59-a8e5-e54b17c1bc5a', 1, '615a5021-794c-5819-ba67-6b0630abc742', 'SigningKeyLearned', 1, '{"kid":"029fd939-d459-49ff-abba-f4b23c2939ce","x":"-oYPS9Ntl4vPRwZa8ZDOhZdbNL3ng-HDzCMYLJ-V2KE","y":"Ps2gQXywZNKywcsf1rHLxUvGAvE_t5ktnSV1u5wlEgs","notBefore":"2026-11-21T20:48:12.921559Z","expiresAt":"2026-12-21T20:48:12.921559Z"}', '{"correlation":"01a1ffdd-de81-76dd-ba8e-704dd790ebdf","causation":"43d24649-08f4-5de9-9b55-8418c722d636","actor":"quota","origin":"identity/fc03a36b-e35c-4bea-9125-ed0840733a55/1"}', '\x43d2464908f45de99b558418c722d636', '2026-11-21 20:48:14.819108+00'),
	(2, 'allowance-339b3bd7-808b-5447-bdb9-0455de0d9159', 1, '29c1c7cd-23f1-57ea-b7cc-f1e68e06435f', 'QuotaReserved', 1, '{"sessionId":"162adea7-e466-52fa-8144-11f1403ba12c","ownerId":"339b3bd7-808b-5447-bdb9-0455de0d9159","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","plan":"free","limit":1,"used":0,"reserved":1,"timeZone":"Europe/Berlin","expiresAt":"2026-11-21T21:48:14.914782Z"}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e642-7d85-a924-21f6af15dd29","causation":"85b8b5c3-04c6-5672-92ac-096418d0bc62","actor":"quota","traceparent":"00-c3877f3764b8785cd92e79e568c37c72-85d71a6f64b4b08b-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/2"}', '\x85b8b5c304c6567292ac096418d0bc62', '2026-11-21 20:48:15.041175+00'),
	(3, 'allowance-339b3bd7-808b-5447-bdb9-0455de0d9159', 2, '2ac6f0a8-b9b9-5fec-8604-9ba604bf38dc', 'QuotaCommitted', 1, '{"sessionId":"162adea7-e466-52fa-8144-11f1403ba12c","ownerId":"339b3bd7-808b-5447-bdb9-0455de0d9159","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan"}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e721-7fd7-bce2-2b5046064dee","causation":"3b85a34b-f7ed-5f69-9e7d-822c113955e0","actor":"quota","traceparent":"00-a89260e05782a571458d25e8051eaa18-c571dfa11e650da6-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/11"}', '\x3b85a34bf7ed5f699e7d822c113955e0', '2026-11-21 20:48:15.875978+00'),
	(4, 'allowance-e88f6646-fa20-5866-a935-0384095b5309', 1, '13179ee9-a4ad-59ce-a300-988c046bb503', 'QuotaReserved', 1, '{"sessionId":"490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc","ownerId":"e88f6646-fa20-5866-a935-0384095b5309","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","plan":"free","limit":1,"used":0,"reserved":1,"timeZone":"Europe/Berlin","expiresAt":"2026-11-21T21:48:15.978403Z"}', '{"owner":"e88f6646-fa20-5866-a935-0384095b5309","correlation":"01a1ffdd-ea6a-7712-a8a7-40a62bf10f0f","causation":"51ff76ef-29fa-5f54-b741-e358a3aecf06","actor":"quota","traceparent":"00-9d3d75640bce57731a5ac95348a8e9a4-1ac2a227fbc9c845-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/12"}', '\x51ff76ef29fa5f54b741e358a3aecf06', '2026-11-21 20:48:15.993953+00'),
	(5, 'allowance-e88f6646-fa20-5866-a935-0384095b5309', 2, 'a0ed3663-fa61-5ef5-8298-a6130150314a', 'QuotaReleased', 1, '{"sessionId":"490edfa9-7fd4-54a1-9ff3-fc0d462fd3dc","ownerId":"e88f6646-fa20-5866-a935-0384095b5309","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","reason":"failed","isLateCancellation":false}', '{"owner":"e88f6646-fa20-5866-a935-0384095b5309","correlation":"01a1ffdd-eaaf-7fe7-83d1-dec2198b2c37","causation":"648b907c-4321-51bf-bff8-c464ba891db3","actor":"quota","traceparent":"00-fb920479a25144228f27b5abd774ba44-e1a1321f67d233e0-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/17"}', '\x648b907c432151bfbff8c464ba891db3', '2026-11-21 20:48:16.157337+00'),
	(6, 'allowance-c07d663c-8788-5a68-a5a6-4841a4503f57', 1, '0e8473f4-1372-5546-a0a0-b98010bfd9ba', 'QuotaReserved', 1, '{"sessionId":"1c3445d2-bc71-50b7-8956-6da9388132e5","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","plan":"free","limit":1,"used":0,"reserved":1,"timeZone":"Europe/Berlin","expiresAt":"2026-11-21T21:48:16.327214Z"}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ebc7-73f7-a6d2-965a9f45dae7","causation":"4187103f-feb4-52e5-8dfa-b4d565ef9893","actor":"quota","traceparent":"00-f82cf646d19318529c166167f8aad7c1-fdbdd7937e873e5a-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/18"}', '\x4187103ffeb452e58dfab4d565ef9893', '2026-11-21 20:48:16.348094+00'),
	(7, 'allowance-c07d663c-8788-5a68-a5a6-4841a4503f57', 2, '4a3ea1ff-06e0-5ce8-89fb-1e3bdbe0b96c', 'QuotaCommitted', 1, '{"sessionId":"1c3445d2-bc71-50b7-8956-6da9388132e5","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan"}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ec2e-75b6-a0e5-d0667982df97","causation":"7a8e1890-9351-5cc7-bfd3-32d92d7a12e6","actor":"quota","traceparent":"00-27dfffbe06afe3bbb7e02e002ff1c949-79ad7d95f170bf47-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/27"}', '\x7a8e189093515cc7bfd332d92d7a12e6', '2026-11-21 20:48:16.978073+00'),
	(8, 'allowance-c07d663c-8788-5a68-a5a6-4841a4503f57', 3, 'ad2af561-2eaa-51e8-beac-6d1921f2ec46', 'QuotaRefused', 1, '{"sessionId":"ac8d216c-fc50-596d-93d1-f1767cc04d63","ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","kind":"mirrormate","code":"quota-exceeded","resetsAt":"2026-11-21T23:00:00.000000Z"}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ee4b-7610-824b-fb6948ef7c03","causation":"acb025c2-ae04-5341-b443-9923d074e18a","actor":"quota","traceparent":"00-d40d5be58cb5f8fe25edce37742a16a8-03ebbd5a6f0e64fd-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/28"}', '\xacb025c2ae045341b4439923d074e18a', '2026-11-21 20:48:16.993462+00'),
	(9, 'allowance-c07d663c-8788-5a68-a5a6-4841a4503f57', 4, '583e2afa-e2a2-5e14-8343-146236282772', 'PlanChanged', 1, '{"ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","plan":"premium"}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-ee8e-72f5-b787-25462c227e8f","actor":"operator","traceparent":"00-596482a5632a1b357e2bfd3204d5e7fe-8082c4e3e93bb6a5-01"}', '\xf797e22b6c30ad97ea1d8df69cddfd3204aafe2941d550496ed7a3903ec0ed7a', '2026-11-21 20:48:17.039203+00'),
	(10, 'allowance-c07d663c-8788-5a68-a5a6-4841a4503f57', 5, '72688d7a-7047-5dc0-8039-2e21be291154', 'ExtraGranted', 1, '{"ownerId":"c07d663c-8788-5a68-a5a6-4841a4503f57","kind":"mirrormate","units":2}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-eec2-75f7-a914-cce7c3075920","actor":"operator","traceparent":"00-50efcf8f2916647a7157868b1e05b667-4289dc647176b041-01"}', '\x478dd1fca037fcd0696e1e6c0811ad5098d605c853aefa2c2fc85073bf40c648', '2026-11-21 20:48:17.091606+00'),
	(11, 'allowance-f4674116-33e2-5e03-a073-ba1d7cae582c', 1, '1a20bd40-0c4a-5299-b37a-2e515524b28f', 'QuotaReserved', 1, '{"sessionId":"8bfbf10c-424e-5c21-9f1b-1ecc95c23461","ownerId":"f4674116-33e2-5e03-a073-ba1d7cae582c","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","plan":"free","limit":1,"used":0,"reserved":1,"timeZone":"Europe/Berlin","expiresAt":"2026-11-21T21:48:17.205773Z"}', '{"owner":"f4674116-33e2-5e03-a073-ba1d7cae582c","correlation":"01a1ffdd-ef35-7ce9-859b-fa296161bd44","causation":"a14c3b0e-d5f2-5536-b00e-be934b1e5da6","actor":"quota","traceparent":"00-e5145640f908cbe64e7a05d0553b2e10-27c0dff56b34d04d-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/30"}', '\xa14c3b0ed5f25536b00ebe934b1e5da6', '2026-11-21 20:48:17.226452+00'),
	(12, 'allowance-f4674116-33e2-5e03-a073-ba1d7cae582c', 2, 'bb2e8c79-a7ff-55a1-b1e9-062d375dd4bc', 'QuotaReleased', 1, '{"sessionId":"8bfbf10c-424e-5c21-9f1b-1ecc95c23461","ownerId":"f4674116-33e2-5e03-a073-ba1d7cae582c","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","reason":"cancelled","isLateCancellation":false}', '{"owner":"f4674116-33e2-5e03-a073-ba1d7cae582c","correlation":"01a1ffdd-ef5a-7441-a79c-8d43985ab11f","causation":"d39a4212-10d5-55ef-89d7-a2c385e87dc4","actor":"quota","traceparent":"00-b4a4f517277dbd090d6805849a8eb207-18f035fc354ba2f4-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/32"}', '\xd39a421210d555ef89d7a2c385e87dc4', '2026-11-21 20:48:17.257581+00'),
	(13, 'allowance-2d5bfaaf-c171-5bc0-a03a-27923c66fa59', 1, 'fa6e885c-52a2-5271-8f27-ccac578b46fe', 'QuotaReserved', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","plan":"free","limit":1,"used":0,"reserved":1,"timeZone":"Europe/Berlin","expiresAt":"2026-11-21T21:48:17.393214Z"}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-eff1-740c-ac58-b813f58e2ba2","causation":"42169401-dbb4-593e-adba-288c6b1053ed","actor":"quota","traceparent":"00-98842b3d72d7c4f2f3d605a043e6dcc4-daff9e52508da2cb-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/33"}', '\x42169401dbb4593eadba288c6b1053ed', '2026-11-21 20:48:17.406841+00'),
	(14, 'allowance-2d5bfaaf-c171-5bc0-a03a-27923c66fa59', 2, '37444095-f401-536a-a814-590bfcb6733d', 'QuotaCommitted', 1, '{"sessionId":"28684897-bcdc-53e2-9aee-4de0bf656a78","ownerId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan"}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-f035-7cbc-81ee-6bfd7312e2d9","causation":"d689f0e5-d9c3-5eb1-ae45-0472bf25c3b0","actor":"quota","traceparent":"00-2094120d97d509ea9ed93f86f6574d5c-2217bef52074c79e-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/42"}', '\xd689f0e5d9c35eb1ae450472bf25c3b0', '2026-11-21 20:48:17.908138+00'),
	(15, 'allowance-413dc46a-0026-54e9-8df7-08e017108c5f', 1, 'b569c205-3536-5aa2-a33b-1a5a4c16cf24', 'QuotaReserved', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan","plan":"free","limit":1,"used":0,"reserved":1,"timeZone":"Europe/Berlin","expiresAt":"2026-11-21T21:48:18.028349Z"}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f26c-7628-9a83-27d44fefada0","causation":"ad0d7f97-4fa2-567d-859f-902e2c915ec4","actor":"quota","traceparent":"00-f140858ce884ee22e1a9d943fe6f8834-e7c39b04a30085b3-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/44"}', '\xad0d7f974fa2567d859f902e2c915ec4', '2026-11-21 20:48:18.047814+00'),
	(16, 'allowance-413dc46a-0026-54e9-8df7-08e017108c5f', 2, '543c3cb3-0137-57b5-aef3-c50964b0d3ff', 'QuotaCommitted', 1, '{"sessionId":"ce73bd66-c63a-5989-83c1-a9b71067f90e","ownerId":"413dc46a-0026-54e9-8df7-08e017108c5f","kind":"mirrormate","windowEndsAt":"2026-11-21T23:00:00.000000Z","source":"plan"}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f2b1-7547-aa59-7af643625a02","causation":"63170c7e-35e9-539c-bd04-67ab7f36944b","actor":"quota","traceparent":"00-13ecc029f70668c81fa55cfbee6bd535-042b10976de3b80a-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/53"}', '\x63170c7e35e9539cbd0467ab7f36944b', '2026-11-21 20:48:18.59611+00'),
	(17, 'allowance-413dc46a-0026-54e9-8df7-08e017108c5f', 3, 'a35bbef0-11bf-5ad5-a918-6e860202045a', 'SubjectErased', 1, '{"subjectId":"413dc46a-0026-54e9-8df7-08e017108c5f","removed":{"rows":1,"objects":0}}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f48e-7a5e-9431-e192160e95ce","causation":"5f9accf3-649d-5407-9edb-ca71601e3e41","actor":"quota","traceparent":"00-f5533794e3c7b78bdc7343d8157df5bc-6ed31f75bd8e228b-01","origin":"identity/fc03a36b-e35c-4bea-9125-ed0840733a55/15"}', '\x5f9accf3649d54079edbca71601e3e41', '2026-11-21 20:48:18.608649+00'),
	(18, 'key-09a2d019-875c-523b-abe1-ac0ca8d6b43b', 1, '130d0920-1842-5f7e-8851-6b4f0f78e619', 'SigningKeyLearned', 1, '{"kid":"6471d4c3-f9ed-4460-8137-839dbe85fa83","x":"Qf-xU1RcGa56OfwR0XVVC8vZe5xmvbaS9ixgs-qgeFM","y":"HOFIrexT60scyfYu-9Km3WBX8jSnDykoXs0U_uoDjrI","notBefore":"2026-11-21T20:53:18.811814Z","expiresAt":"2026-12-21T20:53:18.811814Z"}', '{"correlation":"01a1ffdd-f580-742d-be8b-49707867ef9d","causation":"c0ce623a-86b2-50f6-866f-d5b5cc0a6ce6","actor":"quota","origin":"identity/fc03a36b-e35c-4bea-9125-ed0840733a55/21"}', '\xc0ce623a86b250f6866fd5b5cc0a6ce6', '2026-11-21 20:48:18.879987+00');

INSERT INTO quota.head VALUES
	(true, 'a7197fb6-2e98-40e1-844f-6262cfcf197c', NULL);

INSERT INTO quota.incarnations VALUES
	('a7197fb6-2e98-40e1-844f-6262cfcf197c', NULL, 0, '2026-11-21 20:48:11.9457+00');

INSERT INTO quota.migrations VALUES
	('defaults', 'bbbc80e2f22d6c70', '2026-11-21 20:48:11.904354+00'),
	('scope', 'c7d456e957fc1364', '2026-11-21 20:48:11.9203+00'),
	('head', 'e72b49b65dda4c45', '2026-11-21 20:48:11.949307+00'),
	('events', 'bbfd42eb9788a7bd', '2026-11-21 20:48:11.98181+00'),
	('events_immutable', 'e01cf0229e7fd418', '2026-11-21 20:48:11.98837+00'),
	('erased_subjects', '2146bc0c2be40d91', '2026-11-21 20:48:12.011982+00'),
	('append_batch', '9f09a3219dbfffd4', '2026-11-21 20:48:12.029887+00'),
	('privileges', 'fdd9b5951144bb48', '2026-11-21 20:48:12.0436+00'),
	('relay', '1682739c19a064b0', '2026-11-21 20:48:12.079879+00'),
	('incarnation', '7e74a231e02a5b5a', '2026-11-21 20:48:12.097987+00'),
	('consumer_partitions', '48f1e25c7fe5bb7f', '2026-11-21 20:48:12.126059+00'),
	('parked_messages', '7e23a009eb467817', '2026-11-21 20:48:12.16425+00'),
	('projections', 'b60500a61b2cbb97', '2026-11-21 20:48:12.179276+00'),
	('rebuilds', '559cf9ed68b2b3bf', '2026-11-21 20:48:12.201903+00'),
	('rename_read_model', '86e564ba8b91283d', '2026-11-21 20:48:12.206515+00'),
	('begin_rebuild', 'c8cae99280351953', '2026-11-21 20:48:12.210121+00'),
	('complete_rebuild', '121993744112cac9', '2026-11-21 20:48:12.213008+00'),
	('switch_rebuild', 'f03d670e1faaf5bd', '2026-11-21 20:48:12.222809+00'),
	('undo_rebuild', '841c4c38c900d773', '2026-11-21 20:48:12.226289+00'),
	('drop_rebuild', 'cf1b4d618e545b4f', '2026-11-21 20:48:12.231995+00'),
	('request_key', 'eb88c0ad3dfad762', '2026-11-21 20:48:12.252041+00'),
	('signing_keys', 'cf99a50835fd752', '2026-11-21 20:48:12.26621+00'),
	('object_intents', '299a9fee0e13f609', '2026-11-21 20:48:12.297617+00'),
	('object_sweep', '1684e7c2309b09b2', '2026-11-21 20:48:12.303286+00'),
	('reader', '2a6dba18899e3b07', '2026-11-21 20:48:12.308943+00'),
	('allowances', '14662a150b58e28b', '2026-11-21 20:48:12.332047+00');

INSERT INTO quota.projections VALUES
	('allowances', 18);

INSERT INTO quota.relay VALUES
	(true, 1, '01a1ffdd-de6d-76c0-91a7-10323ea137dd', '2026-11-21 20:48:25.01017+00', 18, NULL);

INSERT INTO quota.relay_partitions VALUES
	(0, -1, 0, 0),
	(1, 4, 9, 1),
	(2, 2, 3, 1),
	(3, 2, 12, 1),
	(4, 4, 14, 1),
	(5, -1, 0, 0),
	(6, -1, 0, 0),
	(7, 3, 17, 1);

INSERT INTO quota.request_key VALUES
	(true, '\x5ed5f8402e9c4c7db1da67302b7102f9eef6feaf4b9e49f3b594792f4c23cbb3');

INSERT INTO quota.signing_keys VALUES
	('029fd939-d459-49ff-abba-f4b23c2939ce', '-oYPS9Ntl4vPRwZa8ZDOhZdbNL3ng-HDzCMYLJ-V2KE', 'Ps2gQXywZNKywcsf1rHLxUvGAvE_t5ktnSV1u5wlEgs', '2026-11-21 20:48:12.921559+00', '2026-12-21 20:48:12.921559+00', NULL),
	('6471d4c3-f9ed-4460-8137-839dbe85fa83', 'Qf-xU1RcGa56OfwR0XVVC8vZe5xmvbaS9ixgs-qgeFM', 'HOFIrexT60scyfYu-9Km3WBX8jSnDykoXs0U_uoDjrI', '2026-11-21 20:53:18.811814+00', '2026-12-21 20:53:18.811814+00', NULL);

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

