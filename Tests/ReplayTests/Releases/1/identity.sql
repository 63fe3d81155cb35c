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
    return case when found then null else 'user-unknown' end;
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
    return case when found then null else 'device-known' end;
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
	('\x25e1b6f9d8045be09c6c5ce4887b846c13a0256ef69fe6761300d6feabb0560b', '2026-11-21 20:36:00.294611+00');

INSERT INTO identity.consumer_partitions VALUES
	('mirrormate.reporting.v1', 0, 1, 1, '0f9efb1c-23c7-4ab6-9616-9e7c697f8323/lease/1', '0f9efb1c-23c7-4ab6-9616-9e7c697f8323', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 1, 1, 1, '0f9efb1c-23c7-4ab6-9616-9e7c697f8323/lease/1', '0f9efb1c-23c7-4ab6-9616-9e7c697f8323', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 1, 1, 1, '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/lease/1', '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 4, 1, 1, '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/lease/1', '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 2, 1, 4, '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/17', '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed', 17, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 5, 1, 7, '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/9', '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed', 9, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 2, 1, 3, '0f9efb1c-23c7-4ab6-9616-9e7c697f8323/10', '0f9efb1c-23c7-4ab6-9616-9e7c697f8323', 10, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 6, 1, 3, '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/12', '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed', 12, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 2, 1, 8, 'cede896f-913d-4474-85e1-049f96458434/37', 'cede896f-913d-4474-85e1-049f96458434', 37, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 5, 1, 9, 'cede896f-913d-4474-85e1-049f96458434/19', 'cede896f-913d-4474-85e1-049f96458434', 19, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 7, 1, 7, 'cede896f-913d-4474-85e1-049f96458434/27', 'cede896f-913d-4474-85e1-049f96458434', 27, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 7, 1, 3, '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/14', '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed', 14, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 0, 1, 1, 'cede896f-913d-4474-85e1-049f96458434/lease/1', 'cede896f-913d-4474-85e1-049f96458434', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 1, 1, 1, 'cede896f-913d-4474-85e1-049f96458434/lease/1', 'cede896f-913d-4474-85e1-049f96458434', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 3, 1, 7, 'cede896f-913d-4474-85e1-049f96458434/8', 'cede896f-913d-4474-85e1-049f96458434', 8, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 3, 1, 3, '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/3', '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed', 3, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 4, 1, 1, 'cede896f-913d-4474-85e1-049f96458434/lease/1', 'cede896f-913d-4474-85e1-049f96458434', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 0, 1, 1, '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/lease/1', '983bbd2e-dd4e-4f1b-9096-e1e6593e54ed', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 6, 1, 1, 'cede896f-913d-4474-85e1-049f96458434/lease/1', 'cede896f-913d-4474-85e1-049f96458434', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 5, 1, 8, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/28', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 28, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 6, 1, 3, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/32', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 32, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 2, 1, 5, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/55', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 55, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 4, 1, 1, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/lease/1', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 7, 1, 5, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/43', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 43, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 7, 1, 3, '0f9efb1c-23c7-4ab6-9616-9e7c697f8323/7', '0f9efb1c-23c7-4ab6-9616-9e7c697f8323', 7, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 3, 1, 2, '0f9efb1c-23c7-4ab6-9616-9e7c697f8323/2', '0f9efb1c-23c7-4ab6-9616-9e7c697f8323', 2, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 3, 1, 4, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/11', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 11, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 4, 1, 1, '0f9efb1c-23c7-4ab6-9616-9e7c697f8323/lease/1', '0f9efb1c-23c7-4ab6-9616-9e7c697f8323', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 0, 1, 1, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/lease/1', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 6, 1, 1, '0f9efb1c-23c7-4ab6-9616-9e7c697f8323/lease/1', '0f9efb1c-23c7-4ab6-9616-9e7c697f8323', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 1, 1, 1, '8de55b8f-2be2-4d73-a1c0-d6a9850182ff/lease/1', '8de55b8f-2be2-4d73-a1c0-d6a9850182ff', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 5, 1, 2, '0f9efb1c-23c7-4ab6-9616-9e7c697f8323/4', '0f9efb1c-23c7-4ab6-9616-9e7c697f8323', 4, 1, NULL, false, NULL, 0, NULL);

INSERT INTO identity.credentials VALUES
	('75365c24-94e0-55af-8523-88fff106a5f1', 'visitor-1@example.org', '$argon2id$v=19$m=19456,t=2,p=1$HYlQMD9M3wR5ozymr1N5hQ$AvYjAkkGwqi3nu5SPPJs8xNk8ZFmaePZt11U50L18bk', '2026-11-21 20:35:57.660726+00', NULL),
	('5454bc4f-b364-5540-9f86-899d9f5076a1', 'visitor-2@example.org', '$argon2id$v=19$m=19456,t=2,p=1$+f/TygKKg095ucQbUIeD6Q$dXyn+gu6Md6mi7PSG7oGuk78QnHQLt5HeoKSYNjNZXg', '2026-11-21 20:35:58.571353+00', NULL),
	('851cf01d-c569-599e-a772-d80fe93e9065', 'visitor-3@example.org', '$argon2id$v=19$m=19456,t=2,p=1$/MlANQ6GDNXKAuRj/t7txA$9v5zdAitUJnULEcgb8yDK34VZpCKgRuBiwuyQ097z9c', '2026-11-21 20:35:58.844013+00', NULL),
	('dd778d0c-6c98-53c7-b77f-f42626ebf274', 'visitor-4@example.org', '$argon2id$v=19$m=19456,t=2,p=1$W76fFMgQzb5LVneQgsd4bw$vuU65sv21wOK+nMrcjNriHCctmxJwhrb8bbQIj0Xcv4', '2026-11-21 20:35:59.607891+00', NULL),
	('6b16b53f-3412-55d4-8eb5-f7e3d9c76825', 'visitor-5@example.org', '$argon2id$v=19$m=19456,t=2,p=1$sb+wOjGY4fp8b+mx8FnG+w$qpex+UFTQg1+4F/ey5uS5ofFMs393gvpqRWXI1jnVDQ', '2026-11-21 20:35:59.755224+00', NULL);

INSERT INTO identity.erased_subjects VALUES
	('a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f', '2026-11-21 20:36:00.862837+00');

INSERT INTO identity.events VALUES
	(1, 'signingkey-1a913ef4-e2ba-41db-bcf3-f99a3250d402', 1, 'c1e7b374-fc1f-52f4-980a-e54213c2d9d5', 'SigningKeyPublished', 1, '{"kid":"1a913ef4-e2ba-41db-bcf3-f99a3250d402","x":"OqAVIdGGkF7xhXZEXcO0UiY1MQt9MXmKEpOiskHZpok","y":"Wx6X5UEgLtEp1_TAjrWOMaHQnVJwrdU7CrowZy3KGrs","notBefore":"2026-11-21T20:35:54.128955Z","expiresAt":"2026-12-21T20:35:54.128955Z"}', '{"correlation":"01a1ffd2-9893-7ac4-a4d5-f6cd391a34f7","actor":"identity"}', '\x1a913ef4e2ba41dbbcf3f99a3250d402', '2026-11-21 20:35:54.172999+00'),
	(2, 'user-75365c24-94e0-55af-8523-88fff106a5f1', 1, 'd42c810f-a9ac-58be-9f86-802da904ecda', 'UserRegistered', 1, '{"userId":"75365c24-94e0-55af-8523-88fff106a5f1","kind":"user","timeZone":"Europe/Berlin"}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a657-7b9d-948d-ea4200ffeb39","actor":"75365c24-94e0-55af-8523-88fff106a5f1","traceparent":"00-874d17dc7581bf14d8ae35828815144e-40d0f966343ef8a1-01"}', '\x1973ed30cbc082244c4b2e2267c94ad841ed333e0558fea97cb8905b56539195', '2026-11-21 20:35:57.659531+00'),
	(3, 'user-75365c24-94e0-55af-8523-88fff106a5f1', 2, '179ba0e8-e2dd-591e-99ae-e578b2d524d1', 'CredentialsAttached', 1, '{"userId":"75365c24-94e0-55af-8523-88fff106a5f1","method":"password","upgradesDevice":false}', '{"owner":"75365c24-94e0-55af-8523-88fff106a5f1","correlation":"01a1ffd2-a657-7b9d-948d-ea4200ffeb39","actor":"75365c24-94e0-55af-8523-88fff106a5f1","traceparent":"00-874d17dc7581bf14d8ae35828815144e-40d0f966343ef8a1-01"}', NULL, '2026-11-21 20:35:57.659531+00'),
	(4, 'user-5454bc4f-b364-5540-9f86-899d9f5076a1', 1, '7a4e9b42-9565-56c8-900c-706cad951637', 'UserRegistered', 1, '{"userId":"5454bc4f-b364-5540-9f86-899d9f5076a1","kind":"user","timeZone":"Europe/Berlin"}', '{"owner":"5454bc4f-b364-5540-9f86-899d9f5076a1","correlation":"01a1ffd2-a9e8-7bdb-8f53-88fe941e92c3","actor":"5454bc4f-b364-5540-9f86-899d9f5076a1","traceparent":"00-3544b3e6ac8d646ad4104ae3e3f2e39a-41c836bd564bb206-01"}', '\xa8ef0893fb18d5e33a2ea02b9ded10cbcf6087a17227cad014c41cc79bf4dbea', '2026-11-21 20:35:58.570284+00'),
	(5, 'user-5454bc4f-b364-5540-9f86-899d9f5076a1', 2, 'db01493a-be5a-5367-a809-cf93a4f8db44', 'CredentialsAttached', 1, '{"userId":"5454bc4f-b364-5540-9f86-899d9f5076a1","method":"password","upgradesDevice":false}', '{"owner":"5454bc4f-b364-5540-9f86-899d9f5076a1","correlation":"01a1ffd2-a9e8-7bdb-8f53-88fe941e92c3","actor":"5454bc4f-b364-5540-9f86-899d9f5076a1","traceparent":"00-3544b3e6ac8d646ad4104ae3e3f2e39a-41c836bd564bb206-01"}', NULL, '2026-11-21 20:35:58.570284+00'),
	(6, 'user-851cf01d-c569-599e-a772-d80fe93e9065', 1, '22481433-4562-5e93-9f06-a78df08aa598', 'UserRegistered', 1, '{"userId":"851cf01d-c569-599e-a772-d80fe93e9065","kind":"user","timeZone":"Europe/Berlin"}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-aaf9-7ce9-be25-a194086455a9","actor":"851cf01d-c569-599e-a772-d80fe93e9065","traceparent":"00-9cc7afbf859069a7a4e2140ebd09ec39-ecf222a162417f6c-01"}', '\xc72f98300975c3265e6512ca54dc633460bc9f075458241f87566b0e0d5f0bb9', '2026-11-21 20:35:58.843545+00'),
	(7, 'user-851cf01d-c569-599e-a772-d80fe93e9065', 2, 'ce8facbb-ab2a-5103-b8f9-0d12bee64b5e', 'CredentialsAttached', 1, '{"userId":"851cf01d-c569-599e-a772-d80fe93e9065","method":"password","upgradesDevice":false}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-aaf9-7ce9-be25-a194086455a9","actor":"851cf01d-c569-599e-a772-d80fe93e9065","traceparent":"00-9cc7afbf859069a7a4e2140ebd09ec39-ecf222a162417f6c-01"}', NULL, '2026-11-21 20:35:58.843545+00'),
	(8, 'user-851cf01d-c569-599e-a772-d80fe93e9065', 3, 'abe2e62b-3386-5a59-8bd1-1027b2d18ece', 'UserProfileChanged', 1, '{"userId":"851cf01d-c569-599e-a772-d80fe93e9065","timeZone":"Asia/Tokyo"}', '{"owner":"851cf01d-c569-599e-a772-d80fe93e9065","correlation":"01a1ffd2-adac-7056-9f1d-a9c6ae830e7f","actor":"851cf01d-c569-599e-a772-d80fe93e9065","traceparent":"00-e1738d3a4cc14b7df6a88466be04fddd-e2fca32304b99418-01"}', '\x6fbf84a8fd9048e1b8d097c6506d74b9', '2026-11-21 20:35:59.533502+00'),
	(9, 'user-dd778d0c-6c98-53c7-b77f-f42626ebf274', 1, '678380e8-7789-59de-959b-d408daa933fe', 'UserRegistered', 1, '{"userId":"dd778d0c-6c98-53c7-b77f-f42626ebf274","kind":"user","timeZone":"Europe/Berlin"}', '{"owner":"dd778d0c-6c98-53c7-b77f-f42626ebf274","correlation":"01a1ffd2-adf5-79be-8313-7da395ce3f68","actor":"dd778d0c-6c98-53c7-b77f-f42626ebf274","traceparent":"00-b38e24201799b27d27ce87eee2da4ecd-c5ac7fcc223acbe3-01"}', '\xf98baf7d991db2418fd58b25c69b5e7589d0761090032acfd75046ad2695e4d3', '2026-11-21 20:35:59.607414+00'),
	(10, 'user-dd778d0c-6c98-53c7-b77f-f42626ebf274', 2, '4a05998f-85b4-5698-b052-5ce79ccd078e', 'CredentialsAttached', 1, '{"userId":"dd778d0c-6c98-53c7-b77f-f42626ebf274","method":"password","upgradesDevice":false}', '{"owner":"dd778d0c-6c98-53c7-b77f-f42626ebf274","correlation":"01a1ffd2-adf5-79be-8313-7da395ce3f68","actor":"dd778d0c-6c98-53c7-b77f-f42626ebf274","traceparent":"00-b38e24201799b27d27ce87eee2da4ecd-c5ac7fcc223acbe3-01"}', NULL, '2026-11-21 20:35:59.607414+00'),
	(11, 'user-6b16b53f-3412-55d4-8eb5-f7e3d9c76825', 1, 'b06a7141-c847-5e59-9a86-d2a942fe5036', 'UserRegistered', 1, '{"userId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","kind":"user","timeZone":"Europe/Berlin"}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-ae86-7a0c-b6e3-aaf968aa487e","actor":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","traceparent":"00-ee1277a4672a81c9abc76cd07eff961f-35a89ed56bebc3bc-01"}', '\x90c106ac17268fced64db5082593f2240d8d18f725b83e06028bd960fd479e21', '2026-11-21 20:35:59.7548+00'),
	(12, 'user-6b16b53f-3412-55d4-8eb5-f7e3d9c76825', 2, '66a2e9fc-594e-598c-b9b1-b60e10ae1e1b', 'CredentialsAttached', 1, '{"userId":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","method":"password","upgradesDevice":false}', '{"owner":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","correlation":"01a1ffd2-ae86-7a0c-b6e3-aaf968aa487e","actor":"6b16b53f-3412-55d4-8eb5-f7e3d9c76825","traceparent":"00-ee1277a4672a81c9abc76cd07eff961f-35a89ed56bebc3bc-01"}', NULL, '2026-11-21 20:35:59.7548+00'),
	(13, 'user-a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f', 1, '5702991d-237f-5479-b35c-ec5910e06542', 'UserRegistered', 1, '{"userId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","kind":"user","timeZone":"Europe/Berlin"}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b0b6-72f1-b80c-827a78984ff2","actor":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","traceparent":"00-b23689164b8cab2b1caf4a4f09aecdba-2a239194aa301435-01"}', '\x4e3cf8ba702e1d4f500ce2e56c914c0b5546448119a1b2c1be73afcb27c0a12b', '2026-11-21 20:36:00.31218+00'),
	(14, 'user-a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f', 2, 'cf43c4a1-0634-5cec-a4d8-2787cc6126da', 'CredentialsAttached', 1, '{"userId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","method":"password","upgradesDevice":false}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b0b6-72f1-b80c-827a78984ff2","actor":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","traceparent":"00-b23689164b8cab2b1caf4a4f09aecdba-2a239194aa301435-01"}', NULL, '2026-11-21 20:36:00.31218+00'),
	(15, 'user-a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f', 3, '1d46cf5e-70b0-5d90-bb7f-180dc98b34a4', 'UserErased', 1, '{"userId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f"}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b2ce-74a7-9326-d06e245b9d38","actor":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","traceparent":"00-4b6361ad5084e293d47528180bedf0b1-8d78dc5863a06de6-01"}', '\xa48a4ff73a8c52bdb923f0942e4f9e8f', '2026-11-21 20:36:00.862469+00'),
	(16, 'user-a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f', 4, '5c848433-5d65-5a2f-9816-8602a4f405ac', 'ErasureConfirmed', 1, '{"userId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","service":"identity","removed":{"rows":4,"objects":0}}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b2ce-74a7-9326-d06e245b9d38","actor":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","traceparent":"00-4b6361ad5084e293d47528180bedf0b1-8d78dc5863a06de6-01"}', NULL, '2026-11-21 20:36:00.862469+00'),
	(17, 'user-a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f', 5, 'af169cbf-d98c-5d90-85b9-5a8fe15db65b', 'ErasureConfirmed', 1, '{"userId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","service":"quota","removed":{"rows":1,"objects":0}}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b2ce-74a7-9326-d06e245b9d38","causation":"25f09c0d-7707-5589-a929-a53e47af6332","actor":"identity","traceparent":"00-4b6361ad5084e293d47528180bedf0b1-8d78dc5863a06de6-01","origin":"quota/983bbd2e-dd4e-4f1b-9096-e1e6593e54ed/17"}', '\x25f09c0d77075589a929a53e47af6332', '2026-11-21 20:36:00.901318+00'),
	(18, 'user-a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f', 6, '0f6c4372-c980-5f84-b4a0-426070b36d95', 'ErasureConfirmed', 1, '{"userId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","service":"reporting","removed":{"rows":1,"objects":0}}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b2ce-74a7-9326-d06e245b9d38","causation":"a65ba540-0856-5ed2-ab8e-a27776d384fb","actor":"identity","traceparent":"00-4b6361ad5084e293d47528180bedf0b1-8d78dc5863a06de6-01","origin":"reporting/0f9efb1c-23c7-4ab6-9616-9e7c697f8323/10"}', '\xa65ba54008565ed2ab8ea27776d384fb', '2026-11-21 20:36:00.922512+00'),
	(19, 'user-a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f', 7, '833a6be9-a56b-5a73-b509-ceaaa961c472', 'ErasureConfirmed', 1, '{"userId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","service":"analysis","removed":{"rows":1,"objects":1}}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b2ce-74a7-9326-d06e245b9d38","causation":"25f09c0d-7707-5589-a929-a53e47af6332","actor":"identity","traceparent":"00-4b6361ad5084e293d47528180bedf0b1-8d78dc5863a06de6-01","origin":"analysis/cede896f-913d-4474-85e1-049f96458434/37"}', '\x25f09c0d77075589a929a53e47af6332', '2026-11-21 20:36:00.928977+00'),
	(20, 'user-a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f', 8, 'c31bf587-9d5d-5fdb-a7a9-b19d5e3c897d', 'ErasureConfirmed', 1, '{"userId":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","service":"sessions","removed":{"rows":1,"objects":2}}', '{"owner":"a48a4ff7-3a8c-52bd-b923-f0942e4f9e8f","correlation":"01a1ffd2-b2ce-74a7-9326-d06e245b9d38","causation":"25f09c0d-7707-5589-a929-a53e47af6332","actor":"identity","traceparent":"00-4b6361ad5084e293d47528180bedf0b1-8d78dc5863a06de6-01","origin":"sessions/8de55b8f-2be2-4d73-a1c0-d6a9850182ff/55"}', '\x25f09c0d77075589a929a53e47af6332', '2026-11-21 20:36:00.940271+00'),
	(21, 'signingkey-5f561dc7-dfc5-498c-8774-d3e7a484db9d', 1, '3007b4e8-e38c-5353-866b-a90cd44af5e1', 'SigningKeyPublished', 1, '{"kid":"5f561dc7-dfc5-498c-8774-d3e7a484db9d","x":"lQE-DmwcqyR1y7C4sBJ9EE4k1mijliysCW51yhFGdXg","y":"EHNw38-KrRE530t3gGDJOcszml4aST0pSo03NIBBwG0","notBefore":"2026-11-21T20:41:01.025855Z","expiresAt":"2026-12-21T20:41:01.025855Z"}', '{"correlation":"01a1ffd2-b389-74e5-9437-688ee10b5235","actor":"identity"}', '\x5f561dc7dfc5498c8774d3e7a484db9d', '2026-11-21 20:36:01.079232+00');

INSERT INTO identity.head VALUES
	(true, '8dfa18f7-2761-4fce-bdc9-4926f49c3338', NULL);

INSERT INTO identity.incarnations VALUES
	('8dfa18f7-2761-4fce-bdc9-4926f49c3338', NULL, 0, '2026-11-21 20:35:53.270696+00');

INSERT INTO identity.logins VALUES
	('bffd2ef4-4592-4d00-9e83-6c938f47d04a', '75365c24-94e0-55af-8523-88fff106a5f1', 1, '2026-11-21 20:35:57.662447+00', '2027-02-19 20:35:57.658777+00'),
	('274ae2f3-bdb3-4dbe-9903-737696614a95', '5454bc4f-b364-5540-9f86-899d9f5076a1', 1, '2026-11-21 20:35:58.571626+00', '2027-02-19 20:35:58.569517+00'),
	('6fbf84a8-fd90-48e1-b8d0-97c6506d74b9', '851cf01d-c569-599e-a772-d80fe93e9065', 1, '2026-11-21 20:35:58.844123+00', '2027-02-19 20:35:58.842735+00'),
	('e4b204b5-c00a-43f2-88ea-c6e39d6186c0', 'dd778d0c-6c98-53c7-b77f-f42626ebf274', 1, '2026-11-21 20:35:59.608008+00', '2027-02-19 20:35:59.606189+00'),
	('c711d859-d125-4c53-8ad2-9001c224407f', '6b16b53f-3412-55d4-8eb5-f7e3d9c76825', 1, '2026-11-21 20:35:59.755325+00', '2027-02-19 20:35:59.75399+00');

INSERT INTO identity.migrations VALUES
	('defaults', 'bbbc80e2f22d6c70', '2026-11-21 20:35:53.117842+00'),
	('scope', 'c7d456e957fc1364', '2026-11-21 20:35:53.121919+00'),
	('head', 'e72b49b65dda4c45', '2026-11-21 20:35:53.271257+00'),
	('events', 'bbfd42eb9788a7bd', '2026-11-21 20:35:53.31989+00'),
	('events_immutable', 'e01cf0229e7fd418', '2026-11-21 20:35:53.357279+00'),
	('erased_subjects', '2146bc0c2be40d91', '2026-11-21 20:35:53.376677+00'),
	('append_batch', '9f09a3219dbfffd4', '2026-11-21 20:35:53.399684+00'),
	('privileges', 'fdd9b5951144bb48', '2026-11-21 20:35:53.412907+00'),
	('relay', '1682739c19a064b0', '2026-11-21 20:35:53.451546+00'),
	('incarnation', '7e74a231e02a5b5a', '2026-11-21 20:35:53.496808+00'),
	('consumer_partitions', '48f1e25c7fe5bb7f', '2026-11-21 20:35:53.550256+00'),
	('parked_messages', '7e23a009eb467817', '2026-11-21 20:35:53.587942+00'),
	('projections', 'b60500a61b2cbb97', '2026-11-21 20:35:53.610179+00'),
	('rebuilds', '559cf9ed68b2b3bf', '2026-11-21 20:35:53.63029+00'),
	('rename_read_model', '86e564ba8b91283d', '2026-11-21 20:35:53.632833+00'),
	('begin_rebuild', 'c8cae99280351953', '2026-11-21 20:35:53.634627+00'),
	('complete_rebuild', '121993744112cac9', '2026-11-21 20:35:53.637244+00'),
	('switch_rebuild', 'f03d670e1faaf5bd', '2026-11-21 20:35:53.655205+00'),
	('undo_rebuild', '841c4c38c900d773', '2026-11-21 20:35:53.663091+00'),
	('drop_rebuild', 'cf1b4d618e545b4f', '2026-11-21 20:35:53.668284+00'),
	('request_key', 'eb88c0ad3dfad762', '2026-11-21 20:35:53.68013+00'),
	('signing_keys', 'cf99a50835fd752', '2026-11-21 20:35:53.697257+00'),
	('object_intents', '299a9fee0e13f609', '2026-11-21 20:35:53.723863+00'),
	('object_sweep', '1684e7c2309b09b2', '2026-11-21 20:35:53.730476+00'),
	('reader', '2a6dba18899e3b07', '2026-11-21 20:35:53.734752+00'),
	('profiles', '13e49774b8a71094', '2026-11-21 20:35:53.771215+00'),
	('credentials', '51d80d69e56958e3', '2026-11-21 20:35:53.802639+00'),
	('devices', 'b066b52baa6863b1', '2026-11-21 20:35:53.852682+00'),
	('attempts', '47a893dbc280c475', '2026-11-21 20:35:53.932391+00'),
	('logins', 'ccc8f54cd59be3fe', '2026-11-21 20:35:53.94598+00'),
	('one_time_codes', 'bfd4ac702e908644', '2026-11-21 20:35:53.957235+00'),
	('signing_private_keys', '9c65b57a35d86b76', '2026-11-21 20:35:53.979889+00'),
	('mail_outbox', '4614aed4025b0137', '2026-11-21 20:35:53.994754+00');

INSERT INTO identity.one_time_codes VALUES
	('01a1ffd2-a65a-7ca3-8559-cceb5a9e0dba', '75365c24-94e0-55af-8523-88fff106a5f1', 'verify-email', '2026-11-21 21:05:57.68794+00'),
	('01a1ffd2-a9e9-78b8-ae61-42c33bcf123e', '5454bc4f-b364-5540-9f86-899d9f5076a1', 'verify-email', '2026-11-21 21:05:58.607344+00'),
	('01a1ffd2-aafa-7bf3-abd3-d5874feeb91c', '851cf01d-c569-599e-a772-d80fe93e9065', 'verify-email', '2026-11-21 21:05:58.857217+00'),
	('01a1ffd2-adf6-7337-a18c-87351f058fbb', 'dd778d0c-6c98-53c7-b77f-f42626ebf274', 'verify-email', '2026-11-21 21:05:59.627038+00'),
	('01a1ffd2-ae8a-7020-9ff1-550885ba5995', '6b16b53f-3412-55d4-8eb5-f7e3d9c76825', 'verify-email', '2026-11-21 21:05:59.76685+00');

INSERT INTO identity.profiles VALUES
	('75365c24-94e0-55af-8523-88fff106a5f1', 'visitor-1@example.org', NULL, 'Europe/Berlin', '2026-11-21 20:35:57.660321+00'),
	('5454bc4f-b364-5540-9f86-899d9f5076a1', 'visitor-2@example.org', NULL, 'Europe/Berlin', '2026-11-21 20:35:58.571219+00'),
	('851cf01d-c569-599e-a772-d80fe93e9065', 'visitor-3@example.org', 'Visitor', 'Asia/Tokyo', '2026-11-21 20:35:58.843922+00'),
	('dd778d0c-6c98-53c7-b77f-f42626ebf274', 'visitor-4@example.org', NULL, 'Europe/Berlin', '2026-11-21 20:35:59.607806+00'),
	('6b16b53f-3412-55d4-8eb5-f7e3d9c76825', 'visitor-5@example.org', NULL, 'Europe/Berlin', '2026-11-21 20:35:59.755143+00');

INSERT INTO identity.relay VALUES
	(true, 1, '01a1ffd2-98d2-7d78-b512-4c0cd56dc764', '2026-11-21 20:36:07.117123+00', 21, NULL);

INSERT INTO identity.relay_partitions VALUES
	(0, -1, 0, 0),
	(1, -1, 0, 0),
	(2, 2, 15, 1),
	(3, 1, 2, 1),
	(4, 2, 21, 1),
	(5, 3, 8, 1),
	(6, 1, 9, 1),
	(7, 1, 11, 1);

INSERT INTO identity.request_key VALUES
	(true, '\xdd90b4b6d8e54fffa816f2e53a846696e04fd97e2807471c94a727375970d124');

INSERT INTO identity.signing_keys VALUES
	('1a913ef4-e2ba-41db-bcf3-f99a3250d402', 'OqAVIdGGkF7xhXZEXcO0UiY1MQt9MXmKEpOiskHZpok', 'Wx6X5UEgLtEp1_TAjrWOMaHQnVJwrdU7CrowZy3KGrs', '2026-11-21 20:35:54.128955+00', '2026-12-21 20:35:54.128955+00', NULL),
	('5f561dc7-dfc5-498c-8774-d3e7a484db9d', 'lQE-DmwcqyR1y7C4sBJ9EE4k1mijliysCW51yhFGdXg', 'EHNw38-KrRE530t3gGDJOcszml4aST0pSo03NIBBwG0', '2026-11-21 20:41:01.025855+00', '2026-12-21 20:41:01.025855+00', NULL);

INSERT INTO identity.signing_private_keys VALUES
	('1a913ef4-e2ba-41db-bcf3-f99a3250d402', '\x0d20abb796940b34a5f60ee69e406f6ca2f2dd5d4bda30b3b1d3cc442da702845c036b8bfe4814545aff18857631b9d5ceaacc59e504ee3d66b07c1f2d4861bdf9dd07372c4ca1a04605fb18a2eea991736b0694738387fcc2d7d9daeafae2eaed7a06ed8f2f154345bf4335936787a241a57b081423139338a02a116bd3529d6a9196f76db7823c7e89a2ef91db65e31cbb56576172e348cd0bbf9b0872a5c08e812ad3ddbe', '2026-11-21 20:35:54.128955+00', '2026-12-21 20:35:54.128955+00'),
	('5f561dc7-dfc5-498c-8774-d3e7a484db9d', '\x07092a47626fb0275c67fcf5f9dd0565387ffd55d8cd62ac0f039db23b20c06991821038ea18c35e4feeb732ea655dd911931cb072f341f6800601339cc7253f5cb93a91b57826cec53d0b28077700895a4bbb0f52d8492fa46c51ffee98d3870c61d176734d013c71c09d70d556987cc4dd8c2e8bd2c17262053a9b91ea6e7543353061e4c2f8ea88981e6691d4c077bd8c07d76094362bbeb92f81e2e4e3ce9a0ecb7c649c', '2026-11-21 20:41:01.025855+00', '2026-12-21 20:41:01.025855+00');

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

