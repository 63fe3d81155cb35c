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
	('\xfd116d93efb084b6905ebe0a9dc6997cbe87267416e46d4e2c6f9aad5df371a1', '2026-11-21 20:48:17.970531+00');

INSERT INTO identity.consumer_partitions VALUES
	('mirrormate.quota.v1', 5, 1, 1, 'a7197fb6-2e98-40e1-844f-6262cfcf197c/lease/1', 'a7197fb6-2e98-40e1-844f-6262cfcf197c', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 7, 1, 4, 'a7197fb6-2e98-40e1-844f-6262cfcf197c/17', 'a7197fb6-2e98-40e1-844f-6262cfcf197c', 17, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 2, 1, 3, 'a7197fb6-2e98-40e1-844f-6262cfcf197c/3', 'a7197fb6-2e98-40e1-844f-6262cfcf197c', 3, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 6, 1, 1, 'a7197fb6-2e98-40e1-844f-6262cfcf197c/lease/1', 'a7197fb6-2e98-40e1-844f-6262cfcf197c', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 3, 1, 3, 'a7197fb6-2e98-40e1-844f-6262cfcf197c/12', 'a7197fb6-2e98-40e1-844f-6262cfcf197c', 12, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 7, 1, 8, 'a5544583-04ab-48ee-a3c7-075daeebcbea/37', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 37, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 0, 1, 1, 'c827503e-27b9-44bb-9886-36717b49f0f2/lease/1', 'c827503e-27b9-44bb-9886-36717b49f0f2', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 1, 1, 7, 'a5544583-04ab-48ee-a3c7-075daeebcbea/19', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 19, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 1, 1, 2, 'c827503e-27b9-44bb-9886-36717b49f0f2/4', 'c827503e-27b9-44bb-9886-36717b49f0f2', 4, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 4, 1, 9, 'a5544583-04ab-48ee-a3c7-075daeebcbea/27', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 27, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 2, 1, 7, 'a5544583-04ab-48ee-a3c7-075daeebcbea/8', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 8, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 2, 1, 2, 'c827503e-27b9-44bb-9886-36717b49f0f2/2', 'c827503e-27b9-44bb-9886-36717b49f0f2', 2, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 4, 1, 5, 'a7197fb6-2e98-40e1-844f-6262cfcf197c/14', 'a7197fb6-2e98-40e1-844f-6262cfcf197c', 14, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 1, 1, 5, 'a7197fb6-2e98-40e1-844f-6262cfcf197c/9', 'a7197fb6-2e98-40e1-844f-6262cfcf197c', 9, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 0, 1, 1, 'a5544583-04ab-48ee-a3c7-075daeebcbea/lease/1', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 5, 1, 1, 'a5544583-04ab-48ee-a3c7-075daeebcbea/lease/1', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 3, 1, 1, 'a5544583-04ab-48ee-a3c7-075daeebcbea/lease/1', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.analysis.v1', 6, 1, 1, 'a5544583-04ab-48ee-a3c7-075daeebcbea/lease/1', 'a5544583-04ab-48ee-a3c7-075daeebcbea', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.quota.v1', 0, 1, 1, 'a7197fb6-2e98-40e1-844f-6262cfcf197c/lease/1', 'a7197fb6-2e98-40e1-844f-6262cfcf197c', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 4, 1, 8, '67aa24d3-31b1-443b-a01e-a9981feea048/43', '67aa24d3-31b1-443b-a01e-a9981feea048', 43, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 4, 1, 3, 'c827503e-27b9-44bb-9886-36717b49f0f2/7', 'c827503e-27b9-44bb-9886-36717b49f0f2', 7, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 1, 1, 5, '67aa24d3-31b1-443b-a01e-a9981feea048/28', '67aa24d3-31b1-443b-a01e-a9981feea048', 28, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 6, 1, 1, '67aa24d3-31b1-443b-a01e-a9981feea048/lease/1', '67aa24d3-31b1-443b-a01e-a9981feea048', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 3, 1, 3, '67aa24d3-31b1-443b-a01e-a9981feea048/32', '67aa24d3-31b1-443b-a01e-a9981feea048', 32, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 7, 1, 3, 'c827503e-27b9-44bb-9886-36717b49f0f2/10', 'c827503e-27b9-44bb-9886-36717b49f0f2', 10, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 7, 1, 5, '67aa24d3-31b1-443b-a01e-a9981feea048/55', '67aa24d3-31b1-443b-a01e-a9981feea048', 55, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 3, 1, 1, 'c827503e-27b9-44bb-9886-36717b49f0f2/lease/1', 'c827503e-27b9-44bb-9886-36717b49f0f2', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 0, 1, 1, '67aa24d3-31b1-443b-a01e-a9981feea048/lease/1', '67aa24d3-31b1-443b-a01e-a9981feea048', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 6, 1, 1, 'c827503e-27b9-44bb-9886-36717b49f0f2/lease/1', 'c827503e-27b9-44bb-9886-36717b49f0f2', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.reporting.v1', 5, 1, 1, 'c827503e-27b9-44bb-9886-36717b49f0f2/lease/1', 'c827503e-27b9-44bb-9886-36717b49f0f2', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 5, 1, 1, '67aa24d3-31b1-443b-a01e-a9981feea048/lease/1', '67aa24d3-31b1-443b-a01e-a9981feea048', 0, 1, NULL, false, NULL, 0, NULL),
	('mirrormate.sessions.v1', 2, 1, 4, '67aa24d3-31b1-443b-a01e-a9981feea048/11', '67aa24d3-31b1-443b-a01e-a9981feea048', 11, 1, NULL, false, NULL, 0, NULL);

INSERT INTO identity.credentials VALUES
	('339b3bd7-808b-5447-bdb9-0455de0d9159', 'visitor-1@example.org', '$argon2id$v=19$m=19456,t=2,p=1$iPLUVi0VM+w/qnxyhuR8gg$EC1o4iGvIvNICN3788NMn+67zOdGrGK6apqSTqIqer4', '2026-11-21 20:48:14.606298+00', NULL),
	('e88f6646-fa20-5866-a935-0384095b5309', 'visitor-2@example.org', '$argon2id$v=19$m=19456,t=2,p=1$MYeJckw+GuqpHi/9sCRvsg$K3h2EUqSD81ELydu7RYblz7yAQjXVog1xFlU02o6P+k', '2026-11-21 20:48:15.946195+00', NULL),
	('c07d663c-8788-5a68-a5a6-4841a4503f57', 'visitor-3@example.org', '$argon2id$v=19$m=19456,t=2,p=1$3Ks/gKTHfYfff1KzkHmGkw$HmgyBq+oQh3nu0RWrGYMJWUfc5VXX8VmNETxcsgjpyI', '2026-11-21 20:48:16.198373+00', NULL),
	('f4674116-33e2-5e03-a073-ba1d7cae582c', 'visitor-4@example.org', '$argon2id$v=19$m=19456,t=2,p=1$pl4W7ZuHwGACvAT5h2a86g$tzvxxzoT0s8c0fJ7BoxDWmCh/RxzwDc6vK/rkN052Ls', '2026-11-21 20:48:17.190873+00', NULL),
	('2d5bfaaf-c171-5bc0-a03a-27923c66fa59', 'visitor-5@example.org', '$argon2id$v=19$m=19456,t=2,p=1$bhOfX8iuPoYTL4cS1Rvm6g$+nLA9W5ta098Y2HTojlI43gyRQuuUu7zNkRPm9+0Ghs', '2026-11-21 20:48:17.372799+00', NULL);

INSERT INTO identity.erased_subjects VALUES
	('413dc46a-0026-54e9-8df7-08e017108c5f', '2026-11-21 20:48:18.578747+00');

INSERT INTO identity.events VALUES
	(1, 'signingkey-029fd939-d459-49ff-abba-f4b23c2939ce', 1, '43d24649-08f4-5de9-9b55-8418c722d636', 'SigningKeyPublished', 1, '{"kid":"029fd939-d459-49ff-abba-f4b23c2939ce","x":"-oYPS9Ntl4vPRwZa8ZDOhZdbNL3ng-HDzCMYLJ-V2KE","y":"Ps2gQXywZNKywcsf1rHLxUvGAvE_t5ktnSV1u5wlEgs","notBefore":"2026-11-21T20:48:12.921559Z","expiresAt":"2026-12-21T20:48:12.921559Z"}', '{"correlation":"01a1ffdd-de81-76dd-ba8e-704dd790ebdf","actor":"identity"}', '\x029fd939d45949ffabbaf4b23c2939ce', '2026-11-21 20:48:13.026359+00'),
	(2, 'user-339b3bd7-808b-5447-bdb9-0455de0d9159', 1, 'a7c58892-eecc-55ea-b19b-ebff311a2687', 'UserRegistered', 1, '{"userId":"339b3bd7-808b-5447-bdb9-0455de0d9159","kind":"user","timeZone":"Europe/Berlin"}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e50b-74d9-9080-8223e0d680c6","actor":"339b3bd7-808b-5447-bdb9-0455de0d9159","traceparent":"00-a51f2e9cff63a6db78582d5b0d3b3b29-74e4197855192f93-01"}', '\x8c6180dc2faf695d9f8faa6ab226272bd6f81e7304ca1ed0373913209a881c72', '2026-11-21 20:48:14.604755+00'),
	(3, 'user-339b3bd7-808b-5447-bdb9-0455de0d9159', 2, '8ae30e87-2e77-505b-aaee-b662c9b0c0f6', 'CredentialsAttached', 1, '{"userId":"339b3bd7-808b-5447-bdb9-0455de0d9159","method":"password","upgradesDevice":false}', '{"owner":"339b3bd7-808b-5447-bdb9-0455de0d9159","correlation":"01a1ffdd-e50b-74d9-9080-8223e0d680c6","actor":"339b3bd7-808b-5447-bdb9-0455de0d9159","traceparent":"00-a51f2e9cff63a6db78582d5b0d3b3b29-74e4197855192f93-01"}', NULL, '2026-11-21 20:48:14.604755+00'),
	(4, 'user-e88f6646-fa20-5866-a935-0384095b5309', 1, '108cad93-6306-5d30-8e84-407a1902b4c9', 'UserRegistered', 1, '{"userId":"e88f6646-fa20-5866-a935-0384095b5309","kind":"user","timeZone":"Europe/Berlin"}', '{"owner":"e88f6646-fa20-5866-a935-0384095b5309","correlation":"01a1ffdd-ea47-7c6a-8b6c-26ac4a50b54d","actor":"e88f6646-fa20-5866-a935-0384095b5309","traceparent":"00-b35f4fdd747d8cdbdb6ee584fb36b364-6a03cb4c096a0083-01"}', '\x31d2f8ecc60ee5ed14ace637a2bc46a923cc97455617755b38904b7b3fb8fd4c', '2026-11-21 20:48:15.945751+00'),
	(5, 'user-e88f6646-fa20-5866-a935-0384095b5309', 2, '52f4d1b0-fcc1-5b39-ac6e-a21e435a93fa', 'CredentialsAttached', 1, '{"userId":"e88f6646-fa20-5866-a935-0384095b5309","method":"password","upgradesDevice":false}', '{"owner":"e88f6646-fa20-5866-a935-0384095b5309","correlation":"01a1ffdd-ea47-7c6a-8b6c-26ac4a50b54d","actor":"e88f6646-fa20-5866-a935-0384095b5309","traceparent":"00-b35f4fdd747d8cdbdb6ee584fb36b364-6a03cb4c096a0083-01"}', NULL, '2026-11-21 20:48:15.945751+00'),
	(6, 'user-c07d663c-8788-5a68-a5a6-4841a4503f57', 1, '80256c0d-efae-57d9-91dd-8509b1701249', 'UserRegistered', 1, '{"userId":"c07d663c-8788-5a68-a5a6-4841a4503f57","kind":"user","timeZone":"Europe/Berlin"}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-eb44-70f9-9501-ee0a27195c02","actor":"c07d663c-8788-5a68-a5a6-4841a4503f57","traceparent":"00-fd315980bef3a666677adb0a01f3112e-99b7d04443067038-01"}', '\x28520e58fccb66952eaac66a83facffbc436a5a14dc9f08cd46b257fc7405528', '2026-11-21 20:48:16.197958+00'),
	(7, 'user-c07d663c-8788-5a68-a5a6-4841a4503f57', 2, '90f2ef49-fb80-5c4d-a8f0-674cfd529e70', 'CredentialsAttached', 1, '{"userId":"c07d663c-8788-5a68-a5a6-4841a4503f57","method":"password","upgradesDevice":false}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-eb44-70f9-9501-ee0a27195c02","actor":"c07d663c-8788-5a68-a5a6-4841a4503f57","traceparent":"00-fd315980bef3a666677adb0a01f3112e-99b7d04443067038-01"}', NULL, '2026-11-21 20:48:16.197958+00'),
	(8, 'user-c07d663c-8788-5a68-a5a6-4841a4503f57', 3, '8a06a99f-6496-5a2d-a78e-641c51b98827', 'UserProfileChanged', 1, '{"userId":"c07d663c-8788-5a68-a5a6-4841a4503f57","timeZone":"Asia/Tokyo"}', '{"owner":"c07d663c-8788-5a68-a5a6-4841a4503f57","correlation":"01a1ffdd-eed2-7887-8582-50249a31702d","actor":"c07d663c-8788-5a68-a5a6-4841a4503f57","traceparent":"00-995fe4281fe961c317d18a734c9025ed-d075ccb0a1fdfca0-01"}', '\x9bdab9c3292c48f587d5dc1d8022e626', '2026-11-21 20:48:17.107981+00'),
	(9, 'user-f4674116-33e2-5e03-a073-ba1d7cae582c', 1, '4fe9c552-c7f6-5a11-b5a3-ce7c030b3f7a', 'UserRegistered', 1, '{"userId":"f4674116-33e2-5e03-a073-ba1d7cae582c","kind":"user","timeZone":"Europe/Berlin"}', '{"owner":"f4674116-33e2-5e03-a073-ba1d7cae582c","correlation":"01a1ffdd-ef24-7d47-b81d-e4dc7723ca4b","actor":"f4674116-33e2-5e03-a073-ba1d7cae582c","traceparent":"00-36f7f79908fd3c29519e239522d55df2-d55eace85eb1b6ba-01"}', '\x60bb34d53db64cf44130eeadb98babdaea0ba96e7496a5f0d16443ad58183c4f', '2026-11-21 20:48:17.19048+00'),
	(10, 'user-f4674116-33e2-5e03-a073-ba1d7cae582c', 2, 'd1af2df7-1868-559d-baa0-e388b0068363', 'CredentialsAttached', 1, '{"userId":"f4674116-33e2-5e03-a073-ba1d7cae582c","method":"password","upgradesDevice":false}', '{"owner":"f4674116-33e2-5e03-a073-ba1d7cae582c","correlation":"01a1ffdd-ef24-7d47-b81d-e4dc7723ca4b","actor":"f4674116-33e2-5e03-a073-ba1d7cae582c","traceparent":"00-36f7f79908fd3c29519e239522d55df2-d55eace85eb1b6ba-01"}', NULL, '2026-11-21 20:48:17.19048+00'),
	(11, 'user-2d5bfaaf-c171-5bc0-a03a-27923c66fa59', 1, 'aec6974a-897b-5312-b22b-2636fe91e71d', 'UserRegistered', 1, '{"userId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","kind":"user","timeZone":"Europe/Berlin"}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-efda-7df7-b314-504d62b31527","actor":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","traceparent":"00-23bec85ccf3f605fdc2dfa4db61ed8b0-87c038a4e9f6fe03-01"}', '\x750cb6b8bf692dab91ca411a69c480338553190270d7ff4bfd363955c0ecfabc', '2026-11-21 20:48:17.372199+00'),
	(12, 'user-2d5bfaaf-c171-5bc0-a03a-27923c66fa59', 2, '88413574-82bf-5d02-92a9-852d939a51be', 'CredentialsAttached', 1, '{"userId":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","method":"password","upgradesDevice":false}', '{"owner":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","correlation":"01a1ffdd-efda-7df7-b314-504d62b31527","actor":"2d5bfaaf-c171-5bc0-a03a-27923c66fa59","traceparent":"00-23bec85ccf3f605fdc2dfa4db61ed8b0-87c038a4e9f6fe03-01"}', NULL, '2026-11-21 20:48:17.372199+00'),
	(13, 'user-413dc46a-0026-54e9-8df7-08e017108c5f', 1, '2d572f18-630c-5eaa-b233-3ab741dd35b0', 'UserRegistered', 1, '{"userId":"413dc46a-0026-54e9-8df7-08e017108c5f","kind":"user","timeZone":"Europe/Berlin"}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f258-7651-83e8-266ed5b20c68","actor":"413dc46a-0026-54e9-8df7-08e017108c5f","traceparent":"00-b24f651c7839b8a54ae09bd045435f24-6783cd72e2f3b983-01"}', '\xb22bfee808e343d60073700607131bd72eba76e3db6750b646ac36e713eb05b6', '2026-11-21 20:48:18.00967+00'),
	(14, 'user-413dc46a-0026-54e9-8df7-08e017108c5f', 2, '9e9410da-992f-5ec7-b457-26af7a174d5f', 'CredentialsAttached', 1, '{"userId":"413dc46a-0026-54e9-8df7-08e017108c5f","method":"password","upgradesDevice":false}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f258-7651-83e8-266ed5b20c68","actor":"413dc46a-0026-54e9-8df7-08e017108c5f","traceparent":"00-b24f651c7839b8a54ae09bd045435f24-6783cd72e2f3b983-01"}', NULL, '2026-11-21 20:48:18.00967+00'),
	(15, 'user-413dc46a-0026-54e9-8df7-08e017108c5f', 3, '5f9accf3-649d-5407-9edb-ca71601e3e41', 'UserErased', 1, '{"userId":"413dc46a-0026-54e9-8df7-08e017108c5f"}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f48e-7a5e-9431-e192160e95ce","actor":"413dc46a-0026-54e9-8df7-08e017108c5f","traceparent":"00-f5533794e3c7b78bdc7343d8157df5bc-6ed31f75bd8e228b-01"}', '\x413dc46a002654e98df708e017108c5f', '2026-11-21 20:48:18.57838+00'),
	(16, 'user-413dc46a-0026-54e9-8df7-08e017108c5f', 4, '2181947b-1975-53f3-aebc-ba09100369ef', 'ErasureConfirmed', 1, '{"userId":"413dc46a-0026-54e9-8df7-08e017108c5f","service":"identity","removed":{"rows":4,"objects":0}}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f48e-7a5e-9431-e192160e95ce","actor":"413dc46a-0026-54e9-8df7-08e017108c5f","traceparent":"00-f5533794e3c7b78bdc7343d8157df5bc-6ed31f75bd8e228b-01"}', NULL, '2026-11-21 20:48:18.57838+00'),
	(17, 'user-413dc46a-0026-54e9-8df7-08e017108c5f', 5, '113792dd-69cd-51d3-b9c3-6343141e5cc1', 'ErasureConfirmed', 1, '{"userId":"413dc46a-0026-54e9-8df7-08e017108c5f","service":"reporting","removed":{"rows":1,"objects":0}}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f48e-7a5e-9431-e192160e95ce","causation":"65a3a13b-82aa-530e-af88-b86f2b0cdeaa","actor":"identity","traceparent":"00-f5533794e3c7b78bdc7343d8157df5bc-6ed31f75bd8e228b-01","origin":"reporting/c827503e-27b9-44bb-9886-36717b49f0f2/10"}', '\x65a3a13b82aa530eaf88b86f2b0cdeaa', '2026-11-21 20:48:18.643199+00'),
	(18, 'user-413dc46a-0026-54e9-8df7-08e017108c5f', 6, 'f37697ba-dcd1-5630-a96c-96b01c81aec1', 'ErasureConfirmed', 1, '{"userId":"413dc46a-0026-54e9-8df7-08e017108c5f","service":"quota","removed":{"rows":1,"objects":0}}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f48e-7a5e-9431-e192160e95ce","causation":"a35bbef0-11bf-5ad5-a918-6e860202045a","actor":"identity","traceparent":"00-f5533794e3c7b78bdc7343d8157df5bc-6ed31f75bd8e228b-01","origin":"quota/a7197fb6-2e98-40e1-844f-6262cfcf197c/17"}', '\xa35bbef011bf5ad5a9186e860202045a', '2026-11-21 20:48:18.677653+00'),
	(19, 'user-413dc46a-0026-54e9-8df7-08e017108c5f', 7, 'b624dbb8-868e-5438-a8a7-345e457eb8f6', 'ErasureConfirmed', 1, '{"userId":"413dc46a-0026-54e9-8df7-08e017108c5f","service":"sessions","removed":{"rows":1,"objects":2}}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f48e-7a5e-9431-e192160e95ce","causation":"a35bbef0-11bf-5ad5-a918-6e860202045a","actor":"identity","traceparent":"00-f5533794e3c7b78bdc7343d8157df5bc-6ed31f75bd8e228b-01","origin":"sessions/67aa24d3-31b1-443b-a01e-a9981feea048/55"}', '\xa35bbef011bf5ad5a9186e860202045a', '2026-11-21 20:48:18.705248+00'),
	(20, 'user-413dc46a-0026-54e9-8df7-08e017108c5f', 8, 'aef64bfb-4cf3-5ff6-affd-d1c9cde78936', 'ErasureConfirmed', 1, '{"userId":"413dc46a-0026-54e9-8df7-08e017108c5f","service":"analysis","removed":{"rows":1,"objects":1}}', '{"owner":"413dc46a-0026-54e9-8df7-08e017108c5f","correlation":"01a1ffdd-f48e-7a5e-9431-e192160e95ce","causation":"a35bbef0-11bf-5ad5-a918-6e860202045a","actor":"identity","traceparent":"00-f5533794e3c7b78bdc7343d8157df5bc-6ed31f75bd8e228b-01","origin":"analysis/a5544583-04ab-48ee-a3c7-075daeebcbea/37"}', '\xa35bbef011bf5ad5a9186e860202045a', '2026-11-21 20:48:18.720556+00'),
	(21, 'signingkey-6471d4c3-f9ed-4460-8137-839dbe85fa83', 1, 'c0ce623a-86b2-50f6-866f-d5b5cc0a6ce6', 'SigningKeyPublished', 1, '{"kid":"6471d4c3-f9ed-4460-8137-839dbe85fa83","x":"Qf-xU1RcGa56OfwR0XVVC8vZe5xmvbaS9ixgs-qgeFM","y":"HOFIrexT60scyfYu-9Km3WBX8jSnDykoXs0U_uoDjrI","notBefore":"2026-11-21T20:53:18.811814Z","expiresAt":"2026-12-21T20:53:18.811814Z"}', '{"correlation":"01a1ffdd-f580-742d-be8b-49707867ef9d","actor":"identity"}', '\x6471d4c3f9ed44608137839dbe85fa83', '2026-11-21 20:48:18.838822+00');

INSERT INTO identity.head VALUES
	(true, 'fc03a36b-e35c-4bea-9125-ed0840733a55', NULL);

INSERT INTO identity.incarnations VALUES
	('fc03a36b-e35c-4bea-9125-ed0840733a55', NULL, 0, '2026-11-21 20:48:11.888119+00');

INSERT INTO identity.logins VALUES
	('fabd9b94-43ba-46ce-b2e9-640a4b486cac', '339b3bd7-808b-5447-bdb9-0455de0d9159', 1, '2026-11-21 20:48:14.606862+00', '2027-02-19 20:48:14.603958+00'),
	('904362f4-fab7-45af-adec-0b4c0bbefa38', 'e88f6646-fa20-5866-a935-0384095b5309', 1, '2026-11-21 20:48:15.946317+00', '2027-02-19 20:48:15.944866+00'),
	('9bdab9c3-292c-48f5-87d5-dc1d8022e626', 'c07d663c-8788-5a68-a5a6-4841a4503f57', 1, '2026-11-21 20:48:16.198482+00', '2027-02-19 20:48:16.197297+00'),
	('b47ee35f-eda7-44f8-b982-282d38e4a9a3', 'f4674116-33e2-5e03-a073-ba1d7cae582c', 1, '2026-11-21 20:48:17.190991+00', '2027-02-19 20:48:17.189663+00'),
	('2c14efad-8079-4c21-a4d3-1772876eee0a', '2d5bfaaf-c171-5bc0-a03a-27923c66fa59', 1, '2026-11-21 20:48:17.372952+00', '2027-02-19 20:48:17.371604+00');

INSERT INTO identity.migrations VALUES
	('defaults', 'bbbc80e2f22d6c70', '2026-11-21 20:48:11.823202+00'),
	('scope', 'c7d456e957fc1364', '2026-11-21 20:48:11.834867+00'),
	('head', 'e72b49b65dda4c45', '2026-11-21 20:48:11.888945+00'),
	('events', 'bbfd42eb9788a7bd', '2026-11-21 20:48:11.920479+00'),
	('events_immutable', 'e01cf0229e7fd418', '2026-11-21 20:48:11.930454+00'),
	('erased_subjects', '2146bc0c2be40d91', '2026-11-21 20:48:11.943498+00'),
	('append_batch', '9f09a3219dbfffd4', '2026-11-21 20:48:11.963573+00'),
	('privileges', 'fdd9b5951144bb48', '2026-11-21 20:48:11.97411+00'),
	('relay', '1682739c19a064b0', '2026-11-21 20:48:12.00311+00'),
	('incarnation', '7e74a231e02a5b5a', '2026-11-21 20:48:12.013228+00'),
	('consumer_partitions', '48f1e25c7fe5bb7f', '2026-11-21 20:48:12.042354+00'),
	('parked_messages', '7e23a009eb467817', '2026-11-21 20:48:12.083792+00'),
	('projections', 'b60500a61b2cbb97', '2026-11-21 20:48:12.111117+00'),
	('rebuilds', '559cf9ed68b2b3bf', '2026-11-21 20:48:12.138988+00'),
	('rename_read_model', '86e564ba8b91283d', '2026-11-21 20:48:12.15868+00'),
	('begin_rebuild', 'c8cae99280351953', '2026-11-21 20:48:12.163197+00'),
	('complete_rebuild', '121993744112cac9', '2026-11-21 20:48:12.172076+00'),
	('switch_rebuild', 'f03d670e1faaf5bd', '2026-11-21 20:48:12.181616+00'),
	('undo_rebuild', '841c4c38c900d773', '2026-11-21 20:48:12.192724+00'),
	('drop_rebuild', 'cf1b4d618e545b4f', '2026-11-21 20:48:12.203894+00'),
	('request_key', 'eb88c0ad3dfad762', '2026-11-21 20:48:12.222977+00'),
	('signing_keys', 'cf99a50835fd752', '2026-11-21 20:48:12.245123+00'),
	('object_intents', '299a9fee0e13f609', '2026-11-21 20:48:12.271119+00'),
	('object_sweep', '1684e7c2309b09b2', '2026-11-21 20:48:12.276416+00'),
	('reader', '2a6dba18899e3b07', '2026-11-21 20:48:12.28001+00'),
	('profiles', '13e49774b8a71094', '2026-11-21 20:48:12.302344+00'),
	('credentials', '51d80d69e56958e3', '2026-11-21 20:48:12.32248+00'),
	('devices', 'b066b52baa6863b1', '2026-11-21 20:48:12.343216+00'),
	('attempts', '47a893dbc280c475', '2026-11-21 20:48:12.380253+00'),
	('logins', 'ccc8f54cd59be3fe', '2026-11-21 20:48:12.404479+00'),
	('one_time_codes', 'bfd4ac702e908644', '2026-11-21 20:48:12.433113+00'),
	('signing_private_keys', '9c65b57a35d86b76', '2026-11-21 20:48:12.457047+00'),
	('mail_outbox', '4614aed4025b0137', '2026-11-21 20:48:12.470574+00');

INSERT INTO identity.one_time_codes VALUES
	('01a1ffdd-e50b-7f8d-83ca-0cbadea2b171', '339b3bd7-808b-5447-bdb9-0455de0d9159', 'verify-email', '2026-11-21 21:18:14.633489+00'),
	('01a1ffdd-ea48-7e10-a210-d903f2d7d748', 'e88f6646-fa20-5866-a935-0384095b5309', 'verify-email', '2026-11-21 21:18:15.965517+00'),
	('01a1ffdd-eb45-74ed-a2e9-29331e56cb2b', 'c07d663c-8788-5a68-a5a6-4841a4503f57', 'verify-email', '2026-11-21 21:18:16.273342+00'),
	('01a1ffdd-ef25-7ad0-aa85-0984f866666e', 'f4674116-33e2-5e03-a073-ba1d7cae582c', 'verify-email', '2026-11-21 21:18:17.205185+00'),
	('01a1ffdd-efdb-79d2-a846-8f6b7306d389', '2d5bfaaf-c171-5bc0-a03a-27923c66fa59', 'verify-email', '2026-11-21 21:18:17.386766+00');

INSERT INTO identity.profiles VALUES
	('339b3bd7-808b-5447-bdb9-0455de0d9159', 'visitor-1@example.org', NULL, 'Europe/Berlin', '2026-11-21 20:48:14.605823+00'),
	('e88f6646-fa20-5866-a935-0384095b5309', 'visitor-2@example.org', NULL, 'Europe/Berlin', '2026-11-21 20:48:15.946099+00'),
	('c07d663c-8788-5a68-a5a6-4841a4503f57', 'visitor-3@example.org', 'Visitor', 'Asia/Tokyo', '2026-11-21 20:48:16.198289+00'),
	('f4674116-33e2-5e03-a073-ba1d7cae582c', 'visitor-4@example.org', NULL, 'Europe/Berlin', '2026-11-21 20:48:17.190789+00'),
	('2d5bfaaf-c171-5bc0-a03a-27923c66fa59', 'visitor-5@example.org', NULL, 'Europe/Berlin', '2026-11-21 20:48:17.37269+00');

INSERT INTO identity.relay VALUES
	(true, 1, '01a1ffdd-df00-7e72-9f23-6157dcd9e6d4', '2026-11-21 20:48:24.873812+00', 21, NULL);

INSERT INTO identity.relay_partitions VALUES
	(0, -1, 0, 0),
	(1, 2, 8, 1),
	(2, 1, 2, 1),
	(3, 1, 9, 1),
	(4, 4, 21, 1),
	(5, -1, 0, 0),
	(6, -1, 0, 0),
	(7, 2, 15, 1);

INSERT INTO identity.request_key VALUES
	(true, '\xafae846a7dba4288b260252a44d9734a94e7d9e9762e4c1b977ee6ea3012aedf');

INSERT INTO identity.signing_keys VALUES
	('029fd939-d459-49ff-abba-f4b23c2939ce', '-oYPS9Ntl4vPRwZa8ZDOhZdbNL3ng-HDzCMYLJ-V2KE', 'Ps2gQXywZNKywcsf1rHLxUvGAvE_t5ktnSV1u5wlEgs', '2026-11-21 20:48:12.921559+00', '2026-12-21 20:48:12.921559+00', NULL),
	('6471d4c3-f9ed-4460-8137-839dbe85fa83', 'Qf-xU1RcGa56OfwR0XVVC8vZe5xmvbaS9ixgs-qgeFM', 'HOFIrexT60scyfYu-9Km3WBX8jSnDykoXs0U_uoDjrI', '2026-11-21 20:53:18.811814+00', '2026-12-21 20:53:18.811814+00', NULL);

INSERT INTO identity.signing_private_keys VALUES
	('029fd939-d459-49ff-abba-f4b23c2939ce', '\xc1a8e4a23ffe882d7a85d8ea1744bde6d60eeaa0d1932f94d90054140026734279cd6d237183d9ed25b009f6ace97bccab6be08be8e5729b998f286ff4e5c67cf21b68bc6ce237346669263cc803d91e6a49ca2e8054670ce41cce25292dcc3696f5f080b0602f278136171f8b46eeb114fd8031703e4c926e43ec14fe84d4281c2cb23f0247e7e9fb7df7ba38e66593a5e86d1437edd5dc59cb19d1bcda57ade35ff0c4a3d5', '2026-11-21 20:48:12.921559+00', '2026-12-21 20:48:12.921559+00'),
	('6471d4c3-f9ed-4460-8137-839dbe85fa83', '\x6e07171c7993dbee5afd806747fc81c0324c105d0e6ca4089c4c50f1cd63910a683fbdbe76325552705a16a44728f55c242d9a81a3359df27a34ec7a4928d8216fe95702ba4b9d01daf672b984c90bce12b8314fbf27309cb89b58e0831ca627e484f238d37492b3d8d99798a05500ff327944d2a8ee408ce051daf4577aa023cc2c8db11266fe582863ff4048bd5319a736213f9655a1ba0aafd562c980fe1376214f597857', '2026-11-21 20:53:18.811814+00', '2026-12-21 20:53:18.811814+00');

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

