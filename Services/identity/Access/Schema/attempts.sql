-- Rate limits for all instances together: for each key (a keyed hash) the time at which its allowance is full again.
-- Unlogged: after a crash of the server everybody begins with a full allowance.
create unlogged table attempts (
    key  bytea primary key,
    full_at timestamptz not null
);
create index attempts_by_time on attempts (full_at);

-- Takes one of `allowance` attempts, of which one comes back every `pace`; answers how many seconds to wait when none is
-- left, else null; how many are left, and in how many seconds all are there again.
create function take_attempt(
    attempt_key bytea, allowance bigint, pace interval
) returns table (waiting double precision, remaining bigint, resets double precision) language plpgsql as $$
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

grant select, insert, update, delete on attempts to :role;
grant execute on function take_attempt to :role;
