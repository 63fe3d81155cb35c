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

CREATE FUNCTION identity.abandon_rebuild(rebuild bigint) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'identity', 'pg_temp'
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

CREATE FUNCTION identity.append_batch(first_ids uuid[], hashes bytea[], owners uuid[], though_erased boolean[], metadatas json[], calls json[], groups bigint[], streams text[], write_appends bigint[], write_streams bigint[], write_expected bigint[], write_sizes bigint[], event_writes bigint[], event_ids uuid[], event_types text[], event_schema_versions bigint[], event_datas json[]) RETURNS TABLE(verdict text, at_position bigint, at_time timestamp with time zone, stream_found text, version_found bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'identity', 'pg_temp'
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

CREATE FUNCTION identity.begin_incarnation(next uuid, fork bigint, published bigint, top_epoch bigint, cut uuid[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'identity', 'pg_temp'
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

CREATE FUNCTION identity.begin_rebuild(model_name text, by_whom text, code_version text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'identity', 'pg_temp'
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

CREATE FUNCTION identity.complete_rebuild(model_name text, keys_only boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'identity', 'pg_temp'
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

CREATE FUNCTION identity.drop_rebuild(model_name text) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'identity', 'pg_temp'
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

CREATE FUNCTION identity.in_scope(owner uuid) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    select coalesce(
        nullif(current_setting('mirrormate.scope', true), '') in ('system', owner::text), false)
$$;

CREATE FUNCTION identity.refuse_appends(reason text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'identity', 'pg_temp'
    AS $$
    update head set refused = reason where refused is distinct from reason;
$$;

CREATE FUNCTION identity.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    raise exception 'events are immutable: append a new event that corrects the old one' using errcode = '42501';
end $$;

CREATE FUNCTION identity.rename_read_model(from_name text, to_name text, ending text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'identity', 'pg_temp'
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

CREATE FUNCTION identity.row_begin_login(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into logins (session, user_id, expires_at)
    values ((args ->> 'session')::uuid, (args ->> 'userId')::uuid, (args ->> 'expiresAt')::timestamptz);
    select null::text;
$$;

CREATE FUNCTION identity.row_change_password(args json) RETURNS text
    LANGUAGE plpgsql
    AS $$
begin
    update credentials set password_hash = args ->> 'passwordHash', changed_at = clock_timestamp()
    where user_id = (args ->> 'userId')::uuid and password_hash = args ->> 'checkedHash';
    return case when found then null else 'password-changed' end;
end $$;

CREATE FUNCTION identity.row_change_profile(args json) RETURNS text
    LANGUAGE plpgsql
    AS $$
begin
    update profiles set
        display_name = case when args::jsonb ? 'displayName' then args ->> 'displayName' else display_name end,
        time_zone = coalesce(args ->> 'timeZone', time_zone)
    where user_id = (args ->> 'userId')::uuid;
    return case when found then null else 'user-gone' end;
end $$;

CREATE FUNCTION identity.row_discard_object(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update object_intents set unwanted = true where object_key = args ->> 'key';
    select null::text;
$$;

CREATE FUNCTION identity.row_discard_objects(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update object_intents set unwanted = true where subject = (args ->> 'subject')::uuid;
    select null::text;
$$;

CREATE FUNCTION identity.row_discard_overdue(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update object_intents set unwanted = true where deadline < clock_timestamp() and not unwanted;
    select null::text;
$$;

CREATE FUNCTION identity.row_drop_mail(args json) RETURNS text
    LANGUAGE sql
    AS $$
    delete from mail_outbox where owner_id = (args ->> 'owner')::uuid;
    select null::text;
$$;

CREATE FUNCTION identity.row_drop_private_key(args json) RETURNS text
    LANGUAGE sql
    AS $$
    delete from signing_private_keys where kid = (args ->> 'kid')::uuid;
    select null::text;
$$;

CREATE FUNCTION identity.row_end_other_logins(args json) RETURNS text
    LANGUAGE sql
    AS $$
    delete from logins where user_id = (args ->> 'userId')::uuid and session <> (args ->> 'session')::uuid;
    select null::text;
$$;

CREATE FUNCTION identity.row_erase_subject(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into erased_subjects (subject) values ((args ->> 'subject')::uuid) on conflict do nothing;
    select null::text;
$$;

CREATE FUNCTION identity.row_forget_user(args json) RETURNS text
    LANGUAGE sql
    AS $$
    delete from profiles where user_id = (args ->> 'userId')::uuid;
    select null::text;
$$;

CREATE FUNCTION identity.row_intend_object(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into object_intents (object_key, subject, purpose, deadline)
    values (args ->> 'key', (args ->> 'subject')::uuid, args ->> 'purpose', (args ->> 'deadline')::timestamptz)
    -- A repeat after a crash announces the same object again.
    on conflict (object_key) do update set deadline = excluded.deadline where not object_intents.unwanted;
    select null::text;
$$;

CREATE FUNCTION identity.row_keep_object(args json) RETURNS text
    LANGUAGE plpgsql
    AS $$
begin
    update object_intents set deadline = null where object_key = args ->> 'key' and not unwanted;
    return case when found then null else 'object-not-intended' end;
end $$;

CREATE FUNCTION identity.row_learn_key(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into signing_keys (kid, x, y, not_before, expires_at)
    values (args ->> 'kid', args ->> 'x', args ->> 'y', (args ->> 'notBefore')::timestamptz,
        (args ->> 'expiresAt')::timestamptz)
    on conflict (kid) do nothing;
    select null::text;
$$;

CREATE FUNCTION identity.row_move_watermark(args json) RETURNS text
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

CREATE FUNCTION identity.row_open_code(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into one_time_codes (id, user_id, purpose, expires_at)
    values ((args ->> 'id')::uuid, (args ->> 'userId')::uuid, args ->> 'purpose', (args ->> 'expiresAt')::timestamptz)
    on conflict (id) do nothing;
    select null::text;
$$;

CREATE FUNCTION identity.row_park(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into parked_messages (topic, partition, record_offset, key, identity, type, reason, headers, value)
    values (args ->> 'topic', (args ->> 'partition')::integer, (args ->> 'offset')::bigint, args ->> 'key',
        args ->> 'identity', args ->> 'type', args ->> 'reason', args -> 'headers', decode(args ->> 'value', 'hex'))
    on conflict (topic, partition, identity) do nothing;
    select null::text;
$$;

CREATE FUNCTION identity.row_put_credentials(args json) RETURNS text
    LANGUAGE plpgsql
    AS $$
begin
    insert into credentials (user_id, email_key, password_hash)
    values ((args ->> 'userId')::uuid, args ->> 'emailKey', args ->> 'passwordHash')
    on conflict (email_key) do nothing;
    return case when found then null else 'email-taken' end;
end $$;

CREATE FUNCTION identity.row_put_device(args json) RETURNS text
    LANGUAGE plpgsql
    AS $$
begin
    insert into devices (device_key, user_id) values (decode(args ->> 'deviceKey', 'hex'), (args ->> 'userId')::uuid)
    on conflict (device_key) do nothing;
    return case when found then null else 'device-secret-invalid' end;
end $$;

CREATE FUNCTION identity.row_put_private_key(args json) RETURNS text
    LANGUAGE plpgsql
    AS $$
begin
    if exists (select from signing_private_keys where expires_at > (args ->> 'unlessOneLastsUntil')::timestamptz) then
        return 'signing-key-exists';
    end if;
    insert into signing_private_keys (kid, sealed, not_before, expires_at)
    values ((args ->> 'kid')::uuid, decode(args ->> 'sealed', 'hex'), (args ->> 'notBefore')::timestamptz,
        (args ->> 'expiresAt')::timestamptz);
    return null;
end $$;

CREATE FUNCTION identity.row_put_profile(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into profiles (user_id, email, display_name, time_zone)
    values ((args ->> 'userId')::uuid, args ->> 'email', args ->> 'displayName', args ->> 'timeZone')
    on conflict (user_id) do update set email = excluded.email,
        display_name = coalesce(excluded.display_name, profiles.display_name);
    select null::text;
$$;

CREATE FUNCTION identity.row_queue_mail(args json) RETURNS text
    LANGUAGE sql
    AS $$
    insert into mail_outbox (id, owner_id, kind)
    values ((args ->> 'id')::uuid, (args ->> 'owner')::uuid, args ->> 'kind') on conflict (id) do nothing;
    select null::text;
$$;

CREATE FUNCTION identity.row_reset_password(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update credentials set password_hash = args ->> 'passwordHash', changed_at = clock_timestamp()
    where user_id = (args ->> 'userId')::uuid;
    select null::text;
$$;

CREATE FUNCTION identity.row_retire_key(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update signing_keys set retired_at = (args ->> 'retiredAt')::timestamptz where kid = args ->> 'kid';
    select null::text;
$$;

CREATE FUNCTION identity.row_unpark(args json) RETURNS text
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

CREATE FUNCTION identity.row_use_code(args json) RETURNS text
    LANGUAGE plpgsql
    AS $$
begin
    perform from one_time_codes
    where id = (args ->> 'id')::uuid and user_id = (args ->> 'userId')::uuid and purpose = args ->> 'purpose'
        and expires_at > clock_timestamp();
    if not found then
        return 'code-invalid';
    end if;
    delete from one_time_codes where user_id = (args ->> 'userId')::uuid and purpose = args ->> 'purpose';
    return null;
end $$;

CREATE FUNCTION identity.row_verify_email(args json) RETURNS text
    LANGUAGE sql
    AS $$
    update credentials set verified_at = coalesce(verified_at, clock_timestamp())
    where user_id = (args ->> 'userId')::uuid;
    select null::text;
$$;

CREATE FUNCTION identity.rows_of_user(of_user uuid) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
    select (select count(*) from profiles where user_id = of_user)
        + (select count(*) from credentials where user_id = of_user)
        + (select count(*) from devices where user_id = of_user)
        + (select count(*) from logins where user_id = of_user)
        + (select count(*) from one_time_codes where user_id = of_user)
        + (select count(*) from mail_outbox where owner_id = of_user);
$$;

CREATE FUNCTION identity.switch_rebuild(rebuild bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'identity', 'pg_temp'
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

CREATE FUNCTION identity.take_attempt(attempt_key bytea, allowance bigint, pace interval) RETURNS TABLE(waiting double precision, remaining bigint, resets double precision)
    LANGUAGE plpgsql
    AS $$
declare
    full_again timestamptz;
    owed double precision;
begin
    insert into attempts as a (key, full_at) values (attempt_key, clock_timestamp() + pace)
    on conflict (key) do update set full_at = greatest(a.full_at, clock_timestamp()) + pace
    where a.full_at + pace <= clock_timestamp() + pace * allowance
    returning a.full_at into full_again;
    if not found then
        select a.full_at into full_again from attempts a where a.key = attempt_key;
        waiting := greatest(extract(epoch from full_again + pace - clock_timestamp() - pace * allowance), 0);
    end if;
    resets := greatest(extract(epoch from full_again - clock_timestamp()), 0);
    owed := resets / extract(epoch from pace);
    remaining := case when waiting is null then greatest(allowance - ceil(owed), 0) else 0 end;
    return next;
end $$;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE identity.mail_outbox (
    id uuid NOT NULL,
    owner_id uuid NOT NULL,
    kind text NOT NULL,
    queued_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    due_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    parked text,
    CONSTRAINT mail_outbox_kind_check CHECK ((kind ~ '^[a-z-]{1,40}$'::text))
);

CREATE FUNCTION identity.take_mail(retry interval) RETURNS SETOF identity.mail_outbox
    LANGUAGE sql
    AS $$
    update mail_outbox o set attempts = o.attempts + 1,
        due_at = clock_timestamp() + least(retry * power(2, least(o.attempts, 20)), interval '1 hour')
    where o.id = (
        select m.id from mail_outbox m where m.parked is null and m.due_at <= clock_timestamp()
        order by m.due_at limit 1 for update skip locked)
    returning o.*
$$;

CREATE FUNCTION identity.turn_login(presented_session uuid, presented bigint, grace interval) RETURNS TABLE(verdict text, owner uuid, number bigint, is_account boolean)
    LANGUAGE plpgsql
    AS $$
declare
    login logins;
begin
    select * into login from logins l
    where l.session = presented_session and l.expires_at > clock_timestamp() for update;
    if not found then
        verdict := 'unknown';
    -- A higher number than known was given out before the database was restored to an earlier state.
    elsif presented >= login.generation then
        update logins l set generation = presented + 1, turned_at = clock_timestamp() where l.session = presented_session;
        verdict := 'turned';
        number := presented + 1;
    elsif presented = login.generation - 1 and clock_timestamp() <= login.turned_at + grace then
        verdict := 'repeated';
        number := login.generation;
    else
        delete from logins l where l.session = presented_session;
        verdict := 'reused';
    end if;
    owner := login.user_id;
    is_account := exists (select from credentials c where c.user_id = login.user_id);
    return next;
end $$;

CREATE FUNCTION identity.undo_rebuild(model_name text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'identity', 'pg_temp'
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

CREATE UNLOGGED TABLE identity.attempts (
    key bytea NOT NULL,
    full_at timestamp with time zone NOT NULL
);

CREATE TABLE identity.consumer_partitions (
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

CREATE TABLE identity.credentials (
    user_id uuid NOT NULL,
    email_key text NOT NULL,
    password_hash text NOT NULL,
    changed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    verified_at timestamp with time zone,
    CONSTRAINT credentials_email_key_check CHECK ((email_key = lower(email_key))),
    CONSTRAINT credentials_password_hash_check CHECK ((password_hash ~~ '$argon2id$%'::text))
);

CREATE TABLE identity.cut_incarnations (
    incarnation uuid NOT NULL,
    successor uuid NOT NULL
);

CREATE TABLE identity.devices (
    device_key bytea NOT NULL,
    user_id uuid NOT NULL,
    CONSTRAINT devices_device_key_check CHECK ((octet_length(device_key) = 32))
);

CREATE TABLE identity.erased_subjects (
    subject uuid NOT NULL,
    erased_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE identity.events (
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

CREATE TABLE identity.head (
    singleton boolean DEFAULT true NOT NULL,
    incarnation uuid NOT NULL,
    refused text,
    CONSTRAINT head_singleton_check CHECK (singleton)
);

CREATE TABLE identity.incarnations (
    incarnation uuid NOT NULL,
    parent uuid,
    fork bigint NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT incarnations_check CHECK ((((parent IS NULL) = (fork = 0)) OR (parent IS NOT NULL))),
    CONSTRAINT incarnations_fork_check CHECK ((fork >= 0))
);

CREATE TABLE identity.logins (
    session uuid NOT NULL,
    user_id uuid NOT NULL,
    generation bigint DEFAULT 1 NOT NULL,
    turned_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT logins_generation_check CHECK ((generation > 0))
);

CREATE TABLE identity.migrations (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE identity.object_intents (
    object_key text NOT NULL,
    subject uuid NOT NULL,
    purpose text NOT NULL,
    deadline timestamp with time zone,
    unwanted boolean DEFAULT false NOT NULL
);

CREATE TABLE identity.one_time_codes (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    purpose text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE identity.parked_messages (
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

ALTER TABLE identity.parked_messages ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME identity.parked_messages_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE identity.profiles (
    user_id uuid NOT NULL,
    email text,
    display_name text,
    time_zone text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT profiles_display_name_check CHECK (((char_length(display_name) >= 1) AND (char_length(display_name) <= 100))),
    CONSTRAINT profiles_email_check CHECK (((octet_length(email) >= 3) AND (octet_length(email) <= 254))),
    CONSTRAINT profiles_time_zone_check CHECK (((octet_length(time_zone) >= 1) AND (octet_length(time_zone) <= 64)))
);

CREATE TABLE identity.projections (
    name text NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    CONSTRAINT projections_position_check CHECK (("position" >= 0))
)
WITH (fillfactor='50');

CREATE TABLE identity.rebuilds (
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

ALTER TABLE identity.rebuilds ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME identity.rebuilds_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE identity.relay (
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

CREATE TABLE identity.relay_partitions (
    partition integer NOT NULL,
    last_offset bigint NOT NULL,
    last_position bigint NOT NULL,
    last_epoch bigint NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE identity.request_key (
    singleton boolean DEFAULT true NOT NULL,
    key bytea NOT NULL,
    CONSTRAINT request_key_singleton_check CHECK (singleton)
);

CREATE TABLE identity.signing_keys (
    kid text NOT NULL,
    x text NOT NULL,
    y text NOT NULL,
    not_before timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    retired_at timestamp with time zone
);

CREATE TABLE identity.signing_private_keys (
    kid uuid NOT NULL,
    sealed bytea NOT NULL,
    not_before timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT signing_private_keys_check CHECK ((expires_at > not_before))
);

INSERT INTO identity.attempts VALUES
	('\xa88bd5e9b016a3be2d8c7dc598cd9be23b0a5a4dae7728fa8242c8bdece7d6ad', '2026-11-21 21:51:28.862515+00'),
	('\xa2051d66aff3d43441ba6d463292292e4dfe30e2b8e1499b6e5fc4ebc28695d5', '2026-11-21 21:51:28.908114+00');

INSERT INTO identity.consumer_partitions VALUES
	('mirrormate.quota.v1', 5, 1, 4, 'd57b72ad-5d05-4830-afac-0e432969a86f/17', 'd57b72ad-5d05-4830-afac-0e432969a86f', 17, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 7, 1, 9, '35fd88a4-9023-4e6f-81f2-645649afa417/19', '35fd88a4-9023-4e6f-81f2-645649afa417', 19, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 6, 1, 7, '35fd88a4-9023-4e6f-81f2-645649afa417/27', '35fd88a4-9023-4e6f-81f2-645649afa417', 27, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 1, 1, 1, 'd57b72ad-5d05-4830-afac-0e432969a86f/lease/1', 'd57b72ad-5d05-4830-afac-0e432969a86f', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 1, 1, 1, '35fd88a4-9023-4e6f-81f2-645649afa417/lease/1', '35fd88a4-9023-4e6f-81f2-645649afa417', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 2, 1, 1, '35fd88a4-9023-4e6f-81f2-645649afa417/lease/1', '35fd88a4-9023-4e6f-81f2-645649afa417', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 7, 1, 7, 'd57b72ad-5d05-4830-afac-0e432969a86f/9', 'd57b72ad-5d05-4830-afac-0e432969a86f', 9, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 4, 1, 7, '35fd88a4-9023-4e6f-81f2-645649afa417/8', '35fd88a4-9023-4e6f-81f2-645649afa417', 8, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 4, 1, 3, 'd57b72ad-5d05-4830-afac-0e432969a86f/3', 'd57b72ad-5d05-4830-afac-0e432969a86f', 3, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 6, 1, 3, 'd57b72ad-5d05-4830-afac-0e432969a86f/14', 'd57b72ad-5d05-4830-afac-0e432969a86f', 14, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 2, 1, 3, 'd57b72ad-5d05-4830-afac-0e432969a86f/12', 'd57b72ad-5d05-4830-afac-0e432969a86f', 12, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 3, 1, 1, '35fd88a4-9023-4e6f-81f2-645649afa417/lease/1', '35fd88a4-9023-4e6f-81f2-645649afa417', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 5, 1, 8, '35fd88a4-9023-4e6f-81f2-645649afa417/37', '35fd88a4-9023-4e6f-81f2-645649afa417', 37, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 0, 1, 1, '35fd88a4-9023-4e6f-81f2-645649afa417/lease/1', '35fd88a4-9023-4e6f-81f2-645649afa417', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 2, 1, 1, '12659c8a-568b-49f0-90a9-912dd5edd100/lease/1', '12659c8a-568b-49f0-90a9-912dd5edd100', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 1, 1, 1, '12659c8a-568b-49f0-90a9-912dd5edd100/lease/1', '12659c8a-568b-49f0-90a9-912dd5edd100', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 0, 1, 1, '12659c8a-568b-49f0-90a9-912dd5edd100/lease/1', '12659c8a-568b-49f0-90a9-912dd5edd100', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 3, 1, 1, 'd57b72ad-5d05-4830-afac-0e432969a86f/lease/1', 'd57b72ad-5d05-4830-afac-0e432969a86f', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 0, 1, 1, 'd57b72ad-5d05-4830-afac-0e432969a86f/lease/1', 'd57b72ad-5d05-4830-afac-0e432969a86f', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 7, 1, 2, '12659c8a-568b-49f0-90a9-912dd5edd100/4', '12659c8a-568b-49f0-90a9-912dd5edd100', 4, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 7, 1, 8, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/28', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 28, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 2, 1, 3, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/32', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 32, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 5, 1, 3, '12659c8a-568b-49f0-90a9-912dd5edd100/10', '12659c8a-568b-49f0-90a9-912dd5edd100', 10, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 5, 1, 5, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/55', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 55, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 3, 1, 1, '12659c8a-568b-49f0-90a9-912dd5edd100/lease/1', '12659c8a-568b-49f0-90a9-912dd5edd100', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 1, 1, 1, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/lease/1', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 6, 1, 5, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/43', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 43, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 6, 1, 3, '12659c8a-568b-49f0-90a9-912dd5edd100/7', '12659c8a-568b-49f0-90a9-912dd5edd100', 7, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 3, 1, 1, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/lease/1', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 0, 1, 1, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/lease/1', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 4, 1, 2, '12659c8a-568b-49f0-90a9-912dd5edd100/2', '12659c8a-568b-49f0-90a9-912dd5edd100', 2, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 4, 1, 4, '2f136da2-0b3a-4ca8-8e31-507afe9e366b/11', '2f136da2-0b3a-4ca8-8e31-507afe9e366b', 11, 1, NULL, false, NULL, 0, NULL);

INSERT INTO identity.credentials VALUES
	('b5ea4545-d224-5d3e-9c87-7905d7303a18', 'visitor-1@example.org', '$argon2id$v=19$m=19456,t=2,p=1$wzt/7we9DZl43lR3N7b4Cw$RiJVvqNwPp8r7XHSeXGeGxV06hgJI3HFu7+yzhMF0rQ', '2026-11-21 21:51:26.517758+00', NULL),
	('42b88df0-9b40-53c1-898f-14797a6c2ead', 'visitor-2@example.org', '$argon2id$v=19$m=19456,t=2,p=1$O/uevIzjhLfiQCBt5KrLIA$rZdsa67AMnAW3bW9nKn5T4HretJAzwWtjYO2TkRqTa4', '2026-11-21 21:51:27.285193+00', NULL),
	('ffde2b98-0a39-51b7-ac3d-18f19946d461', 'visitor-3@example.org', '$argon2id$v=19$m=19456,t=2,p=1$RIDyjB4aQVbWsWiIXhqRDw$rPjo0gDELXrF11kf9Y+wc923h4LNvIARsyp8RcY2OxI', '2026-11-21 21:51:27.506441+00', NULL),
	('3add8261-20c4-5992-917c-9341a527d64f', 'visitor-4@example.org', '$argon2id$v=19$m=19456,t=2,p=1$zP/CNiYhvBzByu0HqpZyBg$uzioIpD1Tjjk3kDR+7hcTQw0iV8XSUHpsCvYQlfXgkA', '2026-11-21 21:51:28.173158+00', NULL),
	('fd783f21-4d67-5dff-ab61-83d2fa0eab82', 'visitor-5@example.org', '$argon2id$v=19$m=19456,t=2,p=1$CFNBgI//VEl7cpaVXsYRkg$nT/lYMUe167GAdAoqjQPc2eRQfTaUBhoqXmpmBVQClY', '2026-11-21 21:51:28.316699+00', NULL);

INSERT INTO identity.erased_subjects VALUES
	('6e144c54-6352-537b-a7a5-64a7c8d05a75', '2026-11-21 21:51:29.361568+00');

INSERT INTO identity.events VALUES
	(1, 'signingkey-978cf6f9-1116-4f0f-ad98-c58040a49f04', 1, 'b5b37db9-5324-59b3-97b0-69ec408a3791', 'SigningKeyPublished', 1, '{"kid":"978cf6f9-1116-4f0f-ad98-c58040a49f04","x":"C-lhg3em3brJ_JDnie43Gr-tp3D6aSkH38cHrt0DaqE","y":"WEE_UYX86gcqqFXLhjaoAcsKRNWZk6eyvGXIo_InGfc","notBefore":"2026-11-21T21:51:25.138229Z","expiresAt":"2026-12-21T21:51:25.138229Z"}', '{"correlation":"01a20017-bbd4-76e5-8da5-9a1327a33882","actor":"identity"}', '\x978cf6f911164f0fad98c58040a49f04', '2026-11-21 21:51:25.197441+00'),
	(2, 'user-b5ea4545-d224-5d3e-9c87-7905d7303a18', 1, 'dab31c13-eb78-5307-8b28-3235419d11f6', 'UserRegistered', 1, '{"userId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","kind":"user","timeZone":"Europe/Berlin"}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c132-71b2-9530-02fcbead9870","actor":"b5ea4545-d224-5d3e-9c87-7905d7303a18","traceparent":"00-45b93a0c603b1e5aacdbd2f65417c81e-ab2e709e2dc9b135-01"}', '\x55e7d0c0b2ab32d8e63b4e7c3f35585d481c4335bbf295b71af06b5b716f84ff', '2026-11-21 21:51:26.516228+00'),
	(3, 'user-b5ea4545-d224-5d3e-9c87-7905d7303a18', 2, 'c7c369f0-991f-524a-ba84-cee0d3ccf378', 'CredentialsAttached', 1, '{"userId":"b5ea4545-d224-5d3e-9c87-7905d7303a18","method":"password","upgradesDevice":false}', '{"owner":"b5ea4545-d224-5d3e-9c87-7905d7303a18","correlation":"01a20017-c132-71b2-9530-02fcbead9870","actor":"b5ea4545-d224-5d3e-9c87-7905d7303a18","traceparent":"00-45b93a0c603b1e5aacdbd2f65417c81e-ab2e709e2dc9b135-01"}', NULL, '2026-11-21 21:51:26.516228+00'),
	(4, 'user-42b88df0-9b40-53c1-898f-14797a6c2ead', 1, '9b6d1d8e-e141-5979-a590-04ae7274cad7', 'UserRegistered', 1, '{"userId":"42b88df0-9b40-53c1-898f-14797a6c2ead","kind":"user","timeZone":"Europe/Berlin"}', '{"owner":"42b88df0-9b40-53c1-898f-14797a6c2ead","correlation":"01a20017-c433-7239-bd98-cd97a1d5dbcc","actor":"42b88df0-9b40-53c1-898f-14797a6c2ead","traceparent":"00-e2db8a5ec981294fd10fc85eb6daf13b-164b3903021d5c0b-01"}', '\xd271c0046dd69fc9d7f034a06a5ab95e77709aa9787c5d6f0c7a974090cd19e7', '2026-11-21 21:51:27.284594+00'),
	(5, 'user-42b88df0-9b40-53c1-898f-14797a6c2ead', 2, '01c9c041-e539-56c5-a8ec-697d6a98d105', 'CredentialsAttached', 1, '{"userId":"42b88df0-9b40-53c1-898f-14797a6c2ead","method":"password","upgradesDevice":false}', '{"owner":"42b88df0-9b40-53c1-898f-14797a6c2ead","correlation":"01a20017-c433-7239-bd98-cd97a1d5dbcc","actor":"42b88df0-9b40-53c1-898f-14797a6c2ead","traceparent":"00-e2db8a5ec981294fd10fc85eb6daf13b-164b3903021d5c0b-01"}', NULL, '2026-11-21 21:51:27.284594+00'),
	(6, 'user-ffde2b98-0a39-51b7-ac3d-18f19946d461', 1, '84d4afb3-27b3-5155-ad3f-2148204acae2', 'UserRegistered', 1, '{"userId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","kind":"user","timeZone":"Europe/Berlin"}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c511-725a-b89d-a5eff08018cb","actor":"ffde2b98-0a39-51b7-ac3d-18f19946d461","traceparent":"00-84a4a19f6adfba439377b15b32f647fa-98d332222185e55d-01"}', '\x4fd6380e8b359820e3ac26a0f534d4d6487c972ee1ebb4e9ecff0fd95532c1ca', '2026-11-21 21:51:27.506018+00'),
	(7, 'user-ffde2b98-0a39-51b7-ac3d-18f19946d461', 2, 'c6c84dcb-800d-5472-b8b7-8e3223354bf8', 'CredentialsAttached', 1, '{"userId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","method":"password","upgradesDevice":false}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c511-725a-b89d-a5eff08018cb","actor":"ffde2b98-0a39-51b7-ac3d-18f19946d461","traceparent":"00-84a4a19f6adfba439377b15b32f647fa-98d332222185e55d-01"}', NULL, '2026-11-21 21:51:27.506018+00'),
	(8, 'user-ffde2b98-0a39-51b7-ac3d-18f19946d461', 3, '36110074-b1b9-5076-baa0-0354ef173b91', 'UserProfileChanged', 1, '{"userId":"ffde2b98-0a39-51b7-ac3d-18f19946d461","timeZone":"Asia/Tokyo"}', '{"owner":"ffde2b98-0a39-51b7-ac3d-18f19946d461","correlation":"01a20017-c75f-7ec4-9f91-630257cf1dc0","actor":"ffde2b98-0a39-51b7-ac3d-18f19946d461","traceparent":"00-27a38f1d69c2dec5b3d980dc75460345-92b25418db27c4f5-01"}', '\xffde2b980a3951b7ac3d18f19946d461', '2026-11-21 21:51:28.097128+00'),
	(9, 'user-3add8261-20c4-5992-917c-9341a527d64f', 1, '87439c12-e5ef-5f31-8ddd-4cbcca9cd5b7', 'UserRegistered', 1, '{"userId":"3add8261-20c4-5992-917c-9341a527d64f","kind":"user","timeZone":"Europe/Berlin"}', '{"owner":"3add8261-20c4-5992-917c-9341a527d64f","correlation":"01a20017-c7ab-7778-b526-56e1ac69e68f","actor":"3add8261-20c4-5992-917c-9341a527d64f","traceparent":"00-3b808917ca9c95d1bb9ff9f9e7085873-6fd608f52678bc7a-01"}', '\x21effbcbc087561d81c3d1813341f8d4a57ae476c864c5e64ab100266dfa2d51', '2026-11-21 21:51:28.172528+00'),
	(10, 'user-3add8261-20c4-5992-917c-9341a527d64f', 2, '093da878-6d20-5ba1-aa59-a0d3ab9e77fc', 'CredentialsAttached', 1, '{"userId":"3add8261-20c4-5992-917c-9341a527d64f","method":"password","upgradesDevice":false}', '{"owner":"3add8261-20c4-5992-917c-9341a527d64f","correlation":"01a20017-c7ab-7778-b526-56e1ac69e68f","actor":"3add8261-20c4-5992-917c-9341a527d64f","traceparent":"00-3b808917ca9c95d1bb9ff9f9e7085873-6fd608f52678bc7a-01"}', NULL, '2026-11-21 21:51:28.172528+00'),
	(11, 'user-fd783f21-4d67-5dff-ab61-83d2fa0eab82', 1, '9d9920f4-0bb7-5aab-b026-088d6264eb43', 'UserRegistered', 1, '{"userId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","kind":"user","timeZone":"Europe/Berlin"}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c83a-7b95-b49a-17b146772bd5","actor":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","traceparent":"00-e6ee9ca454c0dacc4cfc75351ab39fc8-a5cc0b87bb6cd233-01"}', '\x4d33d34eb81e37fc335497af9ea2102bc37e175f155cf51cb188cf1176accf6f', '2026-11-21 21:51:28.316035+00'),
	(12, 'user-fd783f21-4d67-5dff-ab61-83d2fa0eab82', 2, '38fa5f8c-709d-582f-8ac3-23f81cffd8e2', 'CredentialsAttached', 1, '{"userId":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","method":"password","upgradesDevice":false}', '{"owner":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","correlation":"01a20017-c83a-7b95-b49a-17b146772bd5","actor":"fd783f21-4d67-5dff-ab61-83d2fa0eab82","traceparent":"00-e6ee9ca454c0dacc4cfc75351ab39fc8-a5cc0b87bb6cd233-01"}', NULL, '2026-11-21 21:51:28.316035+00'),
	(13, 'user-6e144c54-6352-537b-a7a5-64a7c8d05a75', 1, 'b90015a4-6b43-54e8-a359-86db7808f72c', 'UserRegistered', 1, '{"userId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","kind":"user","timeZone":"Europe/Berlin"}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-ca8c-7e00-acad-e5fead0385e8","actor":"6e144c54-6352-537b-a7a5-64a7c8d05a75","traceparent":"00-b3df5070615f0c0e09c367a344c2a3e9-73dac5e6d6d5d521-01"}', '\x8a2a903d35ec5d3476721c8f78dae2c2ff5cd7a38dd91883e49f05088b578974', '2026-11-21 21:51:28.91001+00'),
	(14, 'user-6e144c54-6352-537b-a7a5-64a7c8d05a75', 2, '180d5c89-d7fb-56e0-9e58-358e59809a5d', 'CredentialsAttached', 1, '{"userId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","method":"password","upgradesDevice":false}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-ca8c-7e00-acad-e5fead0385e8","actor":"6e144c54-6352-537b-a7a5-64a7c8d05a75","traceparent":"00-b3df5070615f0c0e09c367a344c2a3e9-73dac5e6d6d5d521-01"}', NULL, '2026-11-21 21:51:28.91001+00'),
	(15, 'user-6e144c54-6352-537b-a7a5-64a7c8d05a75', 3, '3c87a832-a542-58c1-b428-4e1a904dac5e', 'UserErased', 1, '{"userId":"6e144c54-6352-537b-a7a5-64a7c8d05a75"}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cc4c-7feb-ae8b-f7de54d2a33a","actor":"6e144c54-6352-537b-a7a5-64a7c8d05a75","traceparent":"00-cfead89cd328f1c5353cb0ff230d7139-1adffb977bc37108-01"}', '\x6e144c546352537ba7a564a7c8d05a75', '2026-11-21 21:51:29.361106+00'),
	(16, 'user-6e144c54-6352-537b-a7a5-64a7c8d05a75', 4, '8fb7f820-00ed-5946-a9a0-5280d4caa92c', 'ErasureConfirmed', 1, '{"userId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","service":"identity","removed":{"rows":4,"objects":0}}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cc4c-7feb-ae8b-f7de54d2a33a","actor":"6e144c54-6352-537b-a7a5-64a7c8d05a75","traceparent":"00-cfead89cd328f1c5353cb0ff230d7139-1adffb977bc37108-01"}', NULL, '2026-11-21 21:51:29.361106+00'),
	(17, 'user-6e144c54-6352-537b-a7a5-64a7c8d05a75', 5, '757d07d7-cf66-57d7-b3ba-5103003d54f2', 'ErasureConfirmed', 1, '{"userId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","service":"reporting","removed":{"rows":1,"objects":0}}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cc4c-7feb-ae8b-f7de54d2a33a","causation":"633db440-e149-591a-b1e9-ef948662d089","actor":"identity","traceparent":"00-cfead89cd328f1c5353cb0ff230d7139-1adffb977bc37108-01","origin":"reporting/12659c8a-568b-49f0-90a9-912dd5edd100/10"}', '\x633db440e149591ab1e9ef948662d089', '2026-11-21 21:51:29.400532+00'),
	(18, 'user-6e144c54-6352-537b-a7a5-64a7c8d05a75', 6, 'a0af09ca-16ce-57d7-b2f5-ad18aae0a426', 'ErasureConfirmed', 1, '{"userId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","service":"analysis","removed":{"rows":1,"objects":1}}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cc4c-7feb-ae8b-f7de54d2a33a","causation":"61d461bb-c543-5a38-86ef-1b0eb43ad260","actor":"identity","traceparent":"00-cfead89cd328f1c5353cb0ff230d7139-1adffb977bc37108-01","origin":"analysis/35fd88a4-9023-4e6f-81f2-645649afa417/37"}', '\x61d461bbc5435a3886ef1b0eb43ad260', '2026-11-21 21:51:29.425773+00'),
	(19, 'user-6e144c54-6352-537b-a7a5-64a7c8d05a75', 7, 'c4cce254-8294-527d-a8c3-26ad5e7ff81f', 'ErasureConfirmed', 1, '{"userId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","service":"sessions","removed":{"rows":1,"objects":2}}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cc4c-7feb-ae8b-f7de54d2a33a","causation":"61d461bb-c543-5a38-86ef-1b0eb43ad260","actor":"identity","traceparent":"00-cfead89cd328f1c5353cb0ff230d7139-1adffb977bc37108-01","origin":"sessions/2f136da2-0b3a-4ca8-8e31-507afe9e366b/55"}', '\x61d461bbc5435a3886ef1b0eb43ad260', '2026-11-21 21:51:29.44048+00'),
	(20, 'user-6e144c54-6352-537b-a7a5-64a7c8d05a75', 8, 'f9362188-0039-5c5c-989e-678223bf8ca7', 'ErasureConfirmed', 1, '{"userId":"6e144c54-6352-537b-a7a5-64a7c8d05a75","service":"quota","removed":{"rows":1,"objects":0}}', '{"owner":"6e144c54-6352-537b-a7a5-64a7c8d05a75","correlation":"01a20017-cc4c-7feb-ae8b-f7de54d2a33a","causation":"61d461bb-c543-5a38-86ef-1b0eb43ad260","actor":"identity","traceparent":"00-cfead89cd328f1c5353cb0ff230d7139-1adffb977bc37108-01","origin":"quota/d57b72ad-5d05-4830-afac-0e432969a86f/17"}', '\x61d461bbc5435a3886ef1b0eb43ad260', '2026-11-21 21:51:29.45451+00'),
	(21, 'signingkey-b6ad323b-6f79-42f1-8b08-feed3d9d9379', 1, '0f47627a-cfdb-5cd4-b701-5367ae883eb0', 'SigningKeyPublished', 1, '{"kid":"b6ad323b-6f79-42f1-8b08-feed3d9d9379","x":"6RLGY-G6s48hqn7pWWvlvqBEtNpyhqXEhmSfXm6KFpQ","y":"xxEnn1qOvmlDr4iuHgFLj0wiMEDR1HdFtVd8wAo4WCU","notBefore":"2026-11-21T21:56:29.514073Z","expiresAt":"2026-12-21T21:56:29.514073Z"}', '{"correlation":"01a20017-ccee-747a-ba8e-f57a15f3c517","actor":"identity"}', '\xb6ad323b6f7942f18b08feed3d9d9379', '2026-11-21 21:51:29.537744+00');

INSERT INTO identity.head VALUES
	(true, 'b48e3326-9fdb-4e7a-87d2-a583316e8b08', NULL);

INSERT INTO identity.incarnations VALUES
	('b48e3326-9fdb-4e7a-87d2-a583316e8b08', NULL, 0, '2026-11-21 21:51:24.439465+00');

INSERT INTO identity.logins VALUES
	('cf316f8e-6ade-4db8-bf46-9a30b6fbb891', 'b5ea4545-d224-5d3e-9c87-7905d7303a18', 1, '2026-11-21 21:51:26.51838+00', '2027-02-19 21:51:26.514083+00'),
	('8f82c227-d7fc-4a5e-96c4-64f549edff2f', '42b88df0-9b40-53c1-898f-14797a6c2ead', 1, '2026-11-21 21:51:27.285519+00', '2027-02-19 21:51:27.283106+00'),
	('9698ee14-3c6b-4db6-ab53-306ed9115691', 'ffde2b98-0a39-51b7-ac3d-18f19946d461', 1, '2026-11-21 21:51:27.506548+00', '2027-02-19 21:51:27.505125+00'),
	('396b8c2f-77d5-4f96-a0e7-8a4934e8985f', '3add8261-20c4-5992-917c-9341a527d64f', 1, '2026-11-21 21:51:28.173453+00', '2027-02-19 21:51:28.171437+00'),
	('395bed19-e436-471f-ab26-39c3e90ec1f2', 'fd783f21-4d67-5dff-ab61-83d2fa0eab82', 1, '2026-11-21 21:51:28.316883+00', '2027-02-19 21:51:28.314694+00');

INSERT INTO identity.migrations VALUES
	('defaults', 'bbbc80e2f22d6c70', '2026-11-21 21:51:24.41264+00'),
	('scope', 'c7d456e957fc1364', '2026-11-21 21:51:24.414761+00'),
	('head', 'e72b49b65dda4c45', '2026-11-21 21:51:24.440072+00'),
	('events', 'bbfd42eb9788a7bd', '2026-11-21 21:51:24.473912+00'),
	('events_immutable', 'e01cf0229e7fd418', '2026-11-21 21:51:24.480622+00'),
	('erased_subjects', '2146bc0c2be40d91', '2026-11-21 21:51:24.490845+00'),
	('append_batch', '9f09a3219dbfffd4', '2026-11-21 21:51:24.49841+00'),
	('privileges', 'fdd9b5951144bb48', '2026-11-21 21:51:24.509313+00'),
	('relay', '1682739c19a064b0', '2026-11-21 21:51:24.523668+00'),
	('incarnation', '7e74a231e02a5b5a', '2026-11-21 21:51:24.534649+00'),
	('consumer_partitions', '48f1e25c7fe5bb7f', '2026-11-21 21:51:24.552012+00'),
	('parked_messages', '7e23a009eb467817', '2026-11-21 21:51:24.574159+00'),
	('projections', 'b60500a61b2cbb97', '2026-11-21 21:51:24.589651+00'),
	('rebuilds', '559cf9ed68b2b3bf', '2026-11-21 21:51:24.605601+00'),
	('rename_read_model', '86e564ba8b91283d', '2026-11-21 21:51:24.608951+00'),
	('begin_rebuild', 'c8cae99280351953', '2026-11-21 21:51:24.61073+00'),
	('complete_rebuild', '121993744112cac9', '2026-11-21 21:51:24.616321+00'),
	('switch_rebuild', 'f03d670e1faaf5bd', '2026-11-21 21:51:24.619676+00'),
	('undo_rebuild', '841c4c38c900d773', '2026-11-21 21:51:24.621435+00'),
	('drop_rebuild', 'cf1b4d618e545b4f', '2026-11-21 21:51:24.623413+00'),
	('abandon_rebuild', 'dd545db82ffecf67', '2026-11-21 21:51:24.627527+00'),
	('request_key', 'eb88c0ad3dfad762', '2026-11-21 21:51:24.634482+00'),
	('signing_keys', 'cf99a50835fd752', '2026-11-21 21:51:24.645271+00'),
	('object_intents', '299a9fee0e13f609', '2026-11-21 21:51:24.660571+00'),
	('object_sweep', '1684e7c2309b09b2', '2026-11-21 21:51:24.665075+00'),
	('reader', '2a6dba18899e3b07', '2026-11-21 21:51:24.666652+00'),
	('profiles', 'db654194528249d7', '2026-11-21 21:51:24.678947+00'),
	('credentials', '51d80d69e56958e3', '2026-11-21 21:51:24.698673+00'),
	('devices', '2bb34d3e19eeb272', '2026-11-21 21:51:24.72519+00'),
	('attempts', '47a893dbc280c475', '2026-11-21 21:51:24.76212+00'),
	('logins', 'ccc8f54cd59be3fe', '2026-11-21 21:51:24.774601+00'),
	('one_time_codes', 'bfd4ac702e908644', '2026-11-21 21:51:24.782891+00'),
	('signing_private_keys', '9c65b57a35d86b76', '2026-11-21 21:51:24.789752+00'),
	('mail_outbox', '4614aed4025b0137', '2026-11-21 21:51:24.807379+00'),
	('rows_of_user', '8db637a048cc87bf', '2026-11-21 21:51:24.808726+00');

INSERT INTO identity.one_time_codes VALUES
	('01a20017-c132-7181-b55c-a079764e8041', 'b5ea4545-d224-5d3e-9c87-7905d7303a18', 'verify-email', '2026-11-21 22:21:26.528464+00'),
	('01a20017-c433-71f3-b842-f2c91e84ef15', '42b88df0-9b40-53c1-898f-14797a6c2ead', 'verify-email', '2026-11-21 22:21:27.294782+00'),
	('01a20017-c511-7228-98bd-4ba442aa2649', 'ffde2b98-0a39-51b7-ac3d-18f19946d461', 'verify-email', '2026-11-21 22:21:27.516565+00'),
	('01a20017-c7ab-7737-a8d2-fb78e19fb670', '3add8261-20c4-5992-917c-9341a527d64f', 'verify-email', '2026-11-21 22:21:28.192775+00'),
	('01a20017-c83a-7b53-a0bc-9d0b445e7a41', 'fd783f21-4d67-5dff-ab61-83d2fa0eab82', 'verify-email', '2026-11-21 22:21:28.326664+00');

INSERT INTO identity.profiles VALUES
	('b5ea4545-d224-5d3e-9c87-7905d7303a18', 'visitor-1@example.org', NULL, 'Europe/Berlin', '2026-11-21 21:51:26.517061+00'),
	('42b88df0-9b40-53c1-898f-14797a6c2ead', 'visitor-2@example.org', NULL, 'Europe/Berlin', '2026-11-21 21:51:27.285078+00'),
	('ffde2b98-0a39-51b7-ac3d-18f19946d461', 'visitor-3@example.org', 'Visitor', 'Asia/Tokyo', '2026-11-21 21:51:27.50636+00'),
	('3add8261-20c4-5992-917c-9341a527d64f', 'visitor-4@example.org', NULL, 'Europe/Berlin', '2026-11-21 21:51:28.173033+00'),
	('fd783f21-4d67-5dff-ab61-83d2fa0eab82', 'visitor-5@example.org', NULL, 'Europe/Berlin', '2026-11-21 21:51:28.316552+00');

INSERT INTO identity.relay VALUES
	(true, 1, '01a20017-bc30-7a93-9fd5-a11d143c8d49', '2026-11-21 21:51:35.565298+00', 21, NULL);

INSERT INTO identity.relay_partitions VALUES
	(0, -1, 0, 0),
	(1, -1, 0, 0),
	(2, 1, 9, 1),
	(3, -1, 0, 0),
	(4, 3, 21, 1),
	(5, 2, 15, 1),
	(6, 1, 11, 1),
	(7, 3, 8, 1);

INSERT INTO identity.request_key VALUES
	(true, '\x91c48437f4d74e2d9133f5a7b68b5e916193366cce74499e84ea07e4e0b46a85');

INSERT INTO identity.signing_keys VALUES
	('978cf6f9-1116-4f0f-ad98-c58040a49f04', 'C-lhg3em3brJ_JDnie43Gr-tp3D6aSkH38cHrt0DaqE', 'WEE_UYX86gcqqFXLhjaoAcsKRNWZk6eyvGXIo_InGfc', '2026-11-21 21:51:25.138229+00', '2026-12-21 21:51:25.138229+00', NULL),
	('b6ad323b-6f79-42f1-8b08-feed3d9d9379', '6RLGY-G6s48hqn7pWWvlvqBEtNpyhqXEhmSfXm6KFpQ', 'xxEnn1qOvmlDr4iuHgFLj0wiMEDR1HdFtVd8wAo4WCU', '2026-11-21 21:56:29.514073+00', '2026-12-21 21:56:29.514073+00', NULL);

INSERT INTO identity.signing_private_keys VALUES
	('978cf6f9-1116-4f0f-ad98-c58040a49f04', '\xc349816a2d2de306ba495f097154840f82ab084677394ccac5089638e5de0683e5ceae00cacc9462b0683d18a3228c695cad8fb3ab3864db68a9d0601d3bcbc472a28ddadf43d6b47eb8839dda69677240e5cdaa84c45e7b984501db17542944c77e79733d0664739735e0401c7add0937394386cc9b192f506f68958deea2bcb7d3e5b7ad12a221b4c39ee14eb582c792e9eed82a857c70b8032969a87e70c3e56a1c72de6b', '2026-11-21 21:51:25.138229+00', '2026-12-21 21:51:25.138229+00'),
	('b6ad323b-6f79-42f1-8b08-feed3d9d9379', '\x06a664698b512751e395d0a6ef150a493973b417ceb67ad2abf0f8b2ac3076ff8751f7d6fd7b98d1fb433ebdd819bb9bd3e89da3e78e19515bb5944d8a53243756056f05480ddcb8f496130d07370f0e025c3cbbfd11fce2e4c239a967159971395320da6ed32b11761ab02e7a435cbcd9aff2edfce30ce2bf431b91a994e82dc04c0ff264cbf9f5ce5c819f87a7ef101d74bd1cd3627676396bc7e684546401a4e2c7d96cb5', '2026-11-21 21:56:29.514073+00', '2026-12-21 21:56:29.514073+00');

SELECT pg_catalog.setval('identity.parked_messages_id_seq', 1, false);

SELECT pg_catalog.setval('identity.rebuilds_id_seq', 1, false);

ALTER TABLE ONLY identity.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (key);

ALTER TABLE ONLY identity.consumer_partitions
    ADD CONSTRAINT consumer_partitions_pkey PRIMARY KEY (topic, partition);

ALTER TABLE ONLY identity.credentials
    ADD CONSTRAINT credentials_email_key_key UNIQUE (email_key);

ALTER TABLE ONLY identity.credentials
    ADD CONSTRAINT credentials_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY identity.cut_incarnations
    ADD CONSTRAINT cut_incarnations_pkey PRIMARY KEY (incarnation);

ALTER TABLE ONLY identity.devices
    ADD CONSTRAINT devices_pkey PRIMARY KEY (device_key);

ALTER TABLE ONLY identity.devices
    ADD CONSTRAINT devices_user_id_key UNIQUE (user_id);

ALTER TABLE ONLY identity.erased_subjects
    ADD CONSTRAINT erased_subjects_pkey PRIMARY KEY (subject);

ALTER TABLE ONLY identity.events
    ADD CONSTRAINT events_id_key UNIQUE (id);

ALTER TABLE ONLY identity.events
    ADD CONSTRAINT events_pkey PRIMARY KEY ("position");

ALTER TABLE ONLY identity.events
    ADD CONSTRAINT events_stream_version_key UNIQUE (stream, version);

ALTER TABLE ONLY identity.head
    ADD CONSTRAINT head_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY identity.incarnations
    ADD CONSTRAINT incarnations_pkey PRIMARY KEY (incarnation);

ALTER TABLE ONLY identity.logins
    ADD CONSTRAINT logins_pkey PRIMARY KEY (session);

ALTER TABLE ONLY identity.mail_outbox
    ADD CONSTRAINT mail_outbox_pkey PRIMARY KEY (id);

ALTER TABLE ONLY identity.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (name);

ALTER TABLE ONLY identity.object_intents
    ADD CONSTRAINT object_intents_pkey PRIMARY KEY (object_key);

ALTER TABLE ONLY identity.one_time_codes
    ADD CONSTRAINT one_time_codes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY identity.parked_messages
    ADD CONSTRAINT parked_messages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY identity.parked_messages
    ADD CONSTRAINT parked_messages_topic_partition_identity_key UNIQUE (topic, partition, identity);

ALTER TABLE ONLY identity.profiles
    ADD CONSTRAINT profiles_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY identity.projections
    ADD CONSTRAINT projections_pkey PRIMARY KEY (name);

ALTER TABLE ONLY identity.rebuilds
    ADD CONSTRAINT rebuilds_pkey PRIMARY KEY (id);

ALTER TABLE ONLY identity.relay_partitions
    ADD CONSTRAINT relay_partitions_pkey PRIMARY KEY (partition);

ALTER TABLE ONLY identity.relay
    ADD CONSTRAINT relay_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY identity.request_key
    ADD CONSTRAINT request_key_pkey PRIMARY KEY (singleton);

ALTER TABLE ONLY identity.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (kid);

ALTER TABLE ONLY identity.signing_private_keys
    ADD CONSTRAINT signing_private_keys_pkey PRIMARY KEY (kid);

CREATE INDEX attempts_by_time ON identity.attempts USING btree (full_at);

CREATE INDEX logins_by_end ON identity.logins USING btree (expires_at);

CREATE INDEX logins_by_user ON identity.logins USING btree (user_id);

CREATE INDEX mail_outbox_by_owner ON identity.mail_outbox USING btree (owner_id);

CREATE INDEX mail_outbox_by_time ON identity.mail_outbox USING btree (due_at) WHERE (parked IS NULL);

CREATE INDEX object_intents_by_subject ON identity.object_intents USING btree (subject);

CREATE INDEX object_intents_due ON identity.object_intents USING btree (deadline) WHERE ((deadline IS NOT NULL) OR unwanted);

CREATE INDEX one_time_codes_by_end ON identity.one_time_codes USING btree (expires_at);

CREATE INDEX one_time_codes_by_user ON identity.one_time_codes USING btree (user_id);

CREATE INDEX parked_messages_by_key ON identity.parked_messages USING btree (topic, partition, key, id);

CREATE TRIGGER events_are_immutable BEFORE DELETE OR UPDATE ON identity.events FOR EACH ROW EXECUTE FUNCTION identity.refuse_change();

CREATE TRIGGER events_are_not_truncated BEFORE TRUNCATE ON identity.events FOR EACH STATEMENT EXECUTE FUNCTION identity.refuse_change();

ALTER TABLE ONLY identity.credentials
    ADD CONSTRAINT credentials_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE ONLY identity.cut_incarnations
    ADD CONSTRAINT cut_incarnations_successor_fkey FOREIGN KEY (successor) REFERENCES identity.incarnations(incarnation);

ALTER TABLE ONLY identity.devices
    ADD CONSTRAINT devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE ONLY identity.head
    ADD CONSTRAINT head_incarnation_fkey FOREIGN KEY (incarnation) REFERENCES identity.incarnations(incarnation);

ALTER TABLE ONLY identity.incarnations
    ADD CONSTRAINT incarnations_parent_fkey FOREIGN KEY (parent) REFERENCES identity.incarnations(incarnation);

ALTER TABLE ONLY identity.logins
    ADD CONSTRAINT logins_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE ONLY identity.one_time_codes
    ADD CONSTRAINT one_time_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES identity.profiles(user_id) ON DELETE CASCADE;

ALTER TABLE identity.credentials ENABLE ROW LEVEL SECURITY;

ALTER TABLE identity.devices ENABLE ROW LEVEL SECURITY;

ALTER TABLE identity.logins ENABLE ROW LEVEL SECURITY;

ALTER TABLE identity.mail_outbox ENABLE ROW LEVEL SECURITY;

ALTER TABLE identity.object_intents ENABLE ROW LEVEL SECURITY;

ALTER TABLE identity.one_time_codes ENABLE ROW LEVEL SECURITY;

CREATE POLICY owners_rows ON identity.credentials USING (identity.in_scope(user_id));

CREATE POLICY owners_rows ON identity.devices USING (identity.in_scope(user_id));

CREATE POLICY owners_rows ON identity.logins USING (identity.in_scope(user_id));

CREATE POLICY owners_rows ON identity.mail_outbox USING (identity.in_scope(owner_id));

CREATE POLICY owners_rows ON identity.object_intents USING (identity.in_scope(subject));

CREATE POLICY owners_rows ON identity.one_time_codes USING (identity.in_scope(user_id));

CREATE POLICY owners_rows ON identity.profiles USING (identity.in_scope(user_id));

ALTER TABLE identity.profiles ENABLE ROW LEVEL SECURITY;

GRANT USAGE ON SCHEMA identity TO identity;
GRANT USAGE ON SCHEMA identity TO mirrormate_reader;

REVOKE ALL ON FUNCTION identity.abandon_rebuild(rebuild bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION identity.abandon_rebuild(rebuild bigint) TO identity;

REVOKE ALL ON FUNCTION identity.append_batch(first_ids uuid[], hashes bytea[], owners uuid[], though_erased boolean[], metadatas json[], calls json[], groups bigint[], streams text[], write_appends bigint[], write_streams bigint[], write_expected bigint[], write_sizes bigint[], event_writes bigint[], event_ids uuid[], event_types text[], event_schema_versions bigint[], event_datas json[]) FROM PUBLIC;
GRANT ALL ON FUNCTION identity.append_batch(first_ids uuid[], hashes bytea[], owners uuid[], though_erased boolean[], metadatas json[], calls json[], groups bigint[], streams text[], write_appends bigint[], write_streams bigint[], write_expected bigint[], write_sizes bigint[], event_writes bigint[], event_ids uuid[], event_types text[], event_schema_versions bigint[], event_datas json[]) TO identity;

REVOKE ALL ON FUNCTION identity.begin_incarnation(next uuid, fork bigint, published bigint, top_epoch bigint, cut uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION identity.begin_incarnation(next uuid, fork bigint, published bigint, top_epoch bigint, cut uuid[]) TO identity;

REVOKE ALL ON FUNCTION identity.begin_rebuild(model_name text, by_whom text, code_version text) FROM PUBLIC;
GRANT ALL ON FUNCTION identity.begin_rebuild(model_name text, by_whom text, code_version text) TO identity;

REVOKE ALL ON FUNCTION identity.complete_rebuild(model_name text, keys_only boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION identity.complete_rebuild(model_name text, keys_only boolean) TO identity;

REVOKE ALL ON FUNCTION identity.drop_rebuild(model_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION identity.drop_rebuild(model_name text) TO identity;

REVOKE ALL ON FUNCTION identity.in_scope(owner uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION identity.in_scope(owner uuid) TO identity;
GRANT ALL ON FUNCTION identity.in_scope(owner uuid) TO mirrormate_reader;

REVOKE ALL ON FUNCTION identity.refuse_appends(reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION identity.refuse_appends(reason text) TO identity;

REVOKE ALL ON FUNCTION identity.refuse_change() FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.rename_read_model(from_name text, to_name text, ending text) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_begin_login(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_change_password(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_change_profile(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_discard_object(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_discard_objects(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_discard_overdue(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_drop_mail(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_drop_private_key(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_end_other_logins(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_erase_subject(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_forget_user(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_intend_object(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_keep_object(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_learn_key(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_move_watermark(args json) FROM PUBLIC;
GRANT ALL ON FUNCTION identity.row_move_watermark(args json) TO identity;

REVOKE ALL ON FUNCTION identity.row_open_code(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_park(args json) FROM PUBLIC;
GRANT ALL ON FUNCTION identity.row_park(args json) TO identity;

REVOKE ALL ON FUNCTION identity.row_put_credentials(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_put_device(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_put_private_key(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_put_profile(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_queue_mail(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_reset_password(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_retire_key(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_unpark(args json) FROM PUBLIC;
GRANT ALL ON FUNCTION identity.row_unpark(args json) TO identity;

REVOKE ALL ON FUNCTION identity.row_use_code(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.row_verify_email(args json) FROM PUBLIC;

REVOKE ALL ON FUNCTION identity.rows_of_user(of_user uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION identity.rows_of_user(of_user uuid) TO identity;

REVOKE ALL ON FUNCTION identity.switch_rebuild(rebuild bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION identity.switch_rebuild(rebuild bigint) TO identity;

REVOKE ALL ON FUNCTION identity.take_attempt(attempt_key bytea, allowance bigint, pace interval) FROM PUBLIC;
GRANT ALL ON FUNCTION identity.take_attempt(attempt_key bytea, allowance bigint, pace interval) TO identity;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE identity.mail_outbox TO identity;

REVOKE ALL ON FUNCTION identity.take_mail(retry interval) FROM PUBLIC;
GRANT ALL ON FUNCTION identity.take_mail(retry interval) TO identity;

REVOKE ALL ON FUNCTION identity.turn_login(presented_session uuid, presented bigint, grace interval) FROM PUBLIC;
GRANT ALL ON FUNCTION identity.turn_login(presented_session uuid, presented bigint, grace interval) TO identity;

REVOKE ALL ON FUNCTION identity.undo_rebuild(model_name text) FROM PUBLIC;
GRANT ALL ON FUNCTION identity.undo_rebuild(model_name text) TO identity;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE identity.attempts TO identity;

GRANT SELECT,INSERT,UPDATE ON TABLE identity.consumer_partitions TO identity;
GRANT SELECT ON TABLE identity.consumer_partitions TO mirrormate_reader;

GRANT SELECT ON TABLE identity.credentials TO identity;

GRANT UPDATE(password_hash) ON TABLE identity.credentials TO identity;

GRANT SELECT ON TABLE identity.cut_incarnations TO identity;
GRANT SELECT ON TABLE identity.cut_incarnations TO mirrormate_reader;

GRANT SELECT ON TABLE identity.devices TO identity;

GRANT SELECT ON TABLE identity.erased_subjects TO identity;
GRANT SELECT ON TABLE identity.erased_subjects TO mirrormate_reader;

GRANT SELECT ON TABLE identity.events TO identity;
GRANT SELECT ON TABLE identity.events TO mirrormate_reader;

GRANT SELECT ON TABLE identity.head TO identity;
GRANT SELECT ON TABLE identity.head TO mirrormate_reader;

GRANT SELECT ON TABLE identity.incarnations TO identity;
GRANT SELECT ON TABLE identity.incarnations TO mirrormate_reader;

GRANT SELECT,DELETE,UPDATE ON TABLE identity.logins TO identity;

GRANT SELECT ON TABLE identity.migrations TO identity;
GRANT SELECT ON TABLE identity.migrations TO mirrormate_reader;

GRANT SELECT,DELETE ON TABLE identity.object_intents TO identity;

GRANT SELECT,DELETE ON TABLE identity.one_time_codes TO identity;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE identity.parked_messages TO identity;

GRANT SELECT(id) ON TABLE identity.parked_messages TO mirrormate_reader;

GRANT SELECT(topic) ON TABLE identity.parked_messages TO mirrormate_reader;

GRANT SELECT(partition) ON TABLE identity.parked_messages TO mirrormate_reader;

GRANT SELECT(record_offset) ON TABLE identity.parked_messages TO mirrormate_reader;

GRANT SELECT(key) ON TABLE identity.parked_messages TO mirrormate_reader;

GRANT SELECT(identity) ON TABLE identity.parked_messages TO mirrormate_reader;

GRANT SELECT(type) ON TABLE identity.parked_messages TO mirrormate_reader;

GRANT SELECT(reason) ON TABLE identity.parked_messages TO mirrormate_reader;

GRANT SELECT(parked_at) ON TABLE identity.parked_messages TO mirrormate_reader;

GRANT SELECT(release) ON TABLE identity.parked_messages TO mirrormate_reader;

GRANT SELECT(dropped) ON TABLE identity.parked_messages TO mirrormate_reader;

GRANT SELECT(attempts) ON TABLE identity.parked_messages TO mirrormate_reader;

GRANT SELECT ON TABLE identity.profiles TO identity;

GRANT SELECT,INSERT,UPDATE ON TABLE identity.projections TO identity;
GRANT SELECT ON TABLE identity.projections TO mirrormate_reader;

GRANT SELECT,UPDATE ON TABLE identity.rebuilds TO identity;
GRANT SELECT ON TABLE identity.rebuilds TO mirrormate_reader;

GRANT SELECT,UPDATE ON TABLE identity.relay TO identity;
GRANT SELECT ON TABLE identity.relay TO mirrormate_reader;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE identity.relay_partitions TO identity;
GRANT SELECT ON TABLE identity.relay_partitions TO mirrormate_reader;

GRANT SELECT ON TABLE identity.request_key TO identity;

GRANT SELECT ON TABLE identity.signing_keys TO identity;

GRANT SELECT ON TABLE identity.signing_private_keys TO identity;

