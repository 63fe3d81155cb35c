-- Analyses that each client network has begun: for each network (a keyed hash) the time at which its allowance is full again.
-- Unlogged: after a crash of the server every network begins with a full allowance.
create unlogged table network_analyses (
    network bytea primary key check (octet_length(network) = 32),
    full_at timestamptz not null
);
create index network_analyses_by_time on network_analyses (full_at);

-- Takes one of `allowance` analyses, of which one comes back every `pace`; answers how many seconds to wait when none is left,
-- else null.
create function take_analysis(
    of_network bytea, allowance bigint, pace interval
) returns double precision language plpgsql as $$
declare
    full_again timestamptz;
begin
    insert into network_analyses as n (network, full_at) values (of_network, clock_timestamp() + pace)
    on conflict (network) do update set full_at = greatest(n.full_at, clock_timestamp()) + pace
    where n.full_at + pace <= clock_timestamp() + pace * allowance;
    if found then
        return null;
    end if;
    select n.full_at into full_again from network_analyses n where n.network = of_network;
    return greatest(extract(epoch from full_again + pace - clock_timestamp() - pace * allowance), 0);
end $$;

grant select, insert, update, delete on network_analyses to :role;
grant execute on function take_analysis to :role;
