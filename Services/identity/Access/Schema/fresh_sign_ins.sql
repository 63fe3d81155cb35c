-- When and how the bearer of a login session last showed who they are; null for one that began before this was kept, or that
-- an older program began.
alter table logins add column auth_time timestamptz, add column amr text check (amr <> '');

create or replace function row_begin_login(args json) returns text language sql as $$
    insert into logins (session, user_id, expires_at, auth_time, amr)
    values (
        (args ->> 'session')::uuid, (args ->> 'userId')::uuid, (args ->> 'expiresAt')::timestamptz,
        case when args ->> 'amr' is not null then clock_timestamp() end, args ->> 'amr');
    select null::text;
$$;

create function row_confirm_login(args json) returns text language plpgsql as $$
begin
    update logins set auth_time = clock_timestamp(), amr = args ->> 'amr'
    where session = (args ->> 'session')::uuid and user_id = (args ->> 'userId')::uuid
        and expires_at > clock_timestamp();
    return case when found then null else 'login-ended' end;
end $$;
