-- What the tools that look at histories may see, through a role that can change nothing. Of parked messages not the bytes:
-- a foreign record may hold anything.
grant usage on schema :schema to mirrormate_reader;
grant select on events, head, incarnations, cut_incarnations, erased_subjects, relay, relay_partitions,
    consumer_partitions, projections, rebuilds, migrations to mirrormate_reader;
grant select (id, topic, partition, record_offset, key, identity, type, reason, parked_at, release, dropped, attempts)
    on parked_messages to mirrormate_reader;
grant execute on function in_scope to mirrormate_reader;
