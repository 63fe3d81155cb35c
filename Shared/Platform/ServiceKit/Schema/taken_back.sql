-- What identity never said, or what a restore of its store has undone, counts no longer. Only what the message itself brought is
-- removed: a forged one may name a login session that goes on, or a key that identity has announced before.
create function row_take_back_app_token(args json) returns text language sql as $$
    delete from app_tokens
    where hash = decode(args ->> 'hash', 'hex') and session = (args ->> 'session')::uuid
        and owner_id = (args ->> 'userId')::uuid;
    select null::text;
$$;

-- Not retired: a retirement is for good, and a living key may be announced again.
create function row_take_back_key(args json) returns text language sql as $$
    delete from signing_keys where kid = args ->> 'kid' and x = args ->> 'x' and y = args ->> 'y';
    select null::text;
$$;

-- Whatever an announcement says, no token counts longer than identity lets any login session last.
create or replace function row_learn_app_token(args json) returns text language sql as $$
    insert into app_tokens (hash, owner_id, session, surface, time_zone, expires_at)
    select decode(args ->> 'hash', 'hex'), (args ->> 'userId')::uuid, (args ->> 'session')::uuid, args ->> 'surface',
        args ->> 'timeZone', least((args ->> 'expiresAt')::timestamptz, clock_timestamp() + interval '400 days')
    where not exists (select from ended_logins where session = (args ->> 'session')::uuid)
    on conflict (hash) do nothing;
    select null::text;
$$;
update app_tokens set expires_at = clock_timestamp() + interval '400 days'
where expires_at > clock_timestamp() + interval '400 days';
