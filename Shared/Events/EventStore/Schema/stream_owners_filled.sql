-- The streams that were begun before their owners were written down. Calls of append_batch that are still running as it was
-- then end first; they are few and short. Streams that begin meanwhile have their row already, so no append waits for this.
do $$
declare
    running text[] := array(
        select l.virtualtransaction from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where l.locktype = 'virtualxid' and l.granted and l.pid <> pg_backend_pid()
            and a.datname = current_database() and a.usename = btrim(':role', '"'));
begin
    while exists (select from pg_locks l
        where l.locktype = 'virtualxid' and l.granted and l.virtualtransaction = any (running)) loop
        perform pg_sleep(0.01);
    end loop;
    insert into stream_owners (owner, stream)
    select (e.metadata ->> 'owner')::uuid, e.stream from events e
    where e.version = 1 and e.metadata ->> 'owner' is not null
    on conflict do nothing;
end $$;
