-- Rate limits for all instances together: for each key (a keyed hash) the time at which its allowance is full again.
-- Unlogged: after a crash of the server everybody begins with a full allowance.
create unlogged table attempts (
    key  bytea primary key,
    full_at timestamptz not null
);
create index attempts_by_time on attempts (full_at);

-- Takes one of `allowance` attempts, of which one comes back every `pace`; answers how many seconds to wait when none is
-- left, else null.
create function take_attempt(attempt_key bytea, allowance bigint, pace interval) returns double precision
language plpgsql as $$
declare
    waiting double precision;
begin
    insert into attempts as a (key, full_at) values (attempt_key, clock_timestamp() + pace)
    on conflict (key) do update set full_at = greatest(a.full_at, clock_timestamp()) + pace
    where a.full_at + pace <= clock_timestamp() + pace * allowance;
    if found then
        return null;
    end if;
    select extract(epoch from a.full_at + pace - clock_timestamp() - pace * allowance) into waiting
    from attempts a where a.key = attempt_key;
    return greatest(waiting, 0);
end $$;

grant select, insert, update, delete on attempts to :role;
grant execute on function take_attempt to :role;
