-- What the owner of a login session is shown of it; null for one that began before this was kept, or that an older program
-- began.
alter table logins add column begun_at timestamptz, add column device text check (char_length(device) between 1 and 100);

create or replace function row_begin_login(args json) returns text language sql as $$
    insert into logins (session, user_id, expires_at, auth_time, amr, begun_at, device)
    values (
        (args ->> 'session')::uuid, (args ->> 'userId')::uuid, (args ->> 'expiresAt')::timestamptz,
        case when args ->> 'amr' is not null then clock_timestamp() end, args ->> 'amr', clock_timestamp(),
        args ->> 'device');
    select null::text;
$$;

-- As refresh_login with three arguments, which older programs call, but a login session that nobody used for `idle` is over.
create function refresh_login(
    presented_session uuid, presented bigint, grace interval, idle interval
) returns table (verdict text, owner uuid, number bigint, is_account boolean) language plpgsql as $$
begin
    perform from logins l
    where l.session = presented_session and l.turned_at > clock_timestamp() - idle for update;
    if found then
        return query select * from refresh_login(presented_session, presented, grace);
    else
        verdict := 'unknown';
        return next;
    end if;
end $$;

create index logins_by_use on logins (turned_at);

grant execute on function refresh_login(uuid, bigint, interval, interval) to :role;
