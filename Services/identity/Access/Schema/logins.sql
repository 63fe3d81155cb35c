-- Login sessions, each with its family of refresh tokens. A token names its session and its number in the family and is
-- authenticated by a key that is not in the database, so neither tokens nor their hashes are kept here.
create table logins (
    session    uuid primary key,
    user_id    uuid not null references profiles on delete cascade,
    -- The number of the newest token.
    generation bigint not null default 1 check (generation > 0),
    -- When the newest token was first given out.
    turned_at  timestamptz not null default clock_timestamp(),
    expires_at timestamptz not null
);
create index logins_by_user on logins (user_id);
create index logins_by_end on logins (expires_at);

create function row_begin_login(args json) returns text language sql as $$
    insert into logins (session, user_id, expires_at)
    values ((args ->> 'session')::uuid, (args ->> 'userId')::uuid, (args ->> 'expiresAt')::timestamptz);
    select null::text;
$$;

create function row_end_other_logins(args json) returns text language sql as $$
    delete from logins where user_id = (args ->> 'userId')::uuid and session <> (args ->> 'session')::uuid;
    select null::text;
$$;

-- Answers a refresh token: turned (the next number), repeated (its successor once more: the first answer may have been
-- lost), reused (an older one, so the family is over), unknown.
create function turn_login(
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
        delete from logins l where l.session = presented_session;
        verdict := 'reused';
    end if;
    owner := login.user_id;
    is_account := exists (select from credentials c where c.user_id = login.user_id);
    return next;
end $$;

alter table logins enable row level security;
create policy owners_rows on logins using (in_scope(user_id));
grant select, update, delete on logins to :role;
grant execute on function turn_login to :role;
