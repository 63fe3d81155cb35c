-- Takes one analysis of a client network together with the event that begins it: counted if, and only if, the session is there,
-- whatever becomes of the request.
create function row_take_analysis(args json) returns text language plpgsql as $$
begin
    return case when take_analysis(
        decode(args ->> 'network', 'hex'), (args ->> 'allowance')::bigint,
        (args ->> 'paceMicroseconds')::bigint * interval '1 microsecond') is null then null else 'network-used-up' end;
end $$;
