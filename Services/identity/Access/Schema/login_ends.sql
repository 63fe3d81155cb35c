-- The end of a login session before its time is an event; its row goes with it.
create function row_end_login(args json) returns text language sql as $$
    delete from logins where session = (args ->> 'session')::uuid;
    select null::text;
$$;

-- Guards an append that ends all others: one that began meanwhile would live on.
create function row_no_other_logins(args json) returns text language plpgsql as $$
begin
    if exists (select from logins
        where user_id = (args ->> 'userId')::uuid and session <> (args ->> 'session')::uuid) then
        return 'login-begun';
    end if;
    return null;
end $$;

-- As turn_login, which older programs call, but what is reused stands until the append that says so.
create function refresh_login(
    presented_session uuid, presented bigint, grace interval
) returns table (verdict text, owner uuid, number bigint, is_account boolean) language plpgsql as $$
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
        verdict := 'reused';
    end if;
    owner := login.user_id;
    is_account := exists (select from credentials c where c.user_id = login.user_id);
    return next;
end $$;

grant execute on function refresh_login to :role;
