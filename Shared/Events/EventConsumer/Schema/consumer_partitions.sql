-- How far this service has consumed each partition of the topics it reads. Moves only together with the effect, and only
-- under the epoch of the partition's present owner.
create table consumer_partitions (
    topic         text not null,
    partition     integer not null,
    -- Rises with every claim; a former owner's writes find no row.
    epoch         bigint not null default 0,
    next_offset   bigint not null default 0,
    -- Which record stood before next_offset; tells an offset that was moved or a topic that was made anew.
    last_identity text,
    -- The publisher's incarnation, the last position seen of it here, and the highest epoch of its relay.
    incarnation   uuid,
    seen          bigint not null default 0,
    source_epoch  bigint not null default 0,
    -- Where the publisher's history was cut below what had been seen; seen went back to it, to no message's own position.
    fork          bigint,
    -- False from a claim until an orderly end: then a record may have killed its process.
    clean         boolean not null default true,
    -- The record that was begun after an unclean end, and how often: a death in between leaves both as they are. The
    -- first death at a record is not counted, because nobody suspected it then.
    suspect       text,
    attempts      integer not null default 0,
    -- What is missing, while the chain is broken.
    alarm         text,
    primary key (topic, partition)
) with (fillfactor = 50);

-- The arguments are read once: each ->> would parse them again.
create function row_move_watermark(args json) returns text language plpgsql as $$
begin
    update consumer_partitions p set
        next_offset = a."nextOffset", last_identity = a."lastIdentity", incarnation = a.incarnation, seen = a.seen,
        source_epoch = a."sourceEpoch", fork = a.fork, alarm = null
    from json_to_record(args) as a (
        topic text, partition integer, epoch bigint, "fromOffset" bigint, "fromSeen" bigint, "nextOffset" bigint,
        "lastIdentity" text, incarnation uuid, seen bigint, "sourceEpoch" bigint, fork bigint)
    where p.topic = a.topic and p.partition = a.partition and p.epoch = a.epoch
        and p.next_offset = a."fromOffset" and p.seen = a."fromSeen";
    return case when found then null else 'watermark' end;
end $$;

grant select, insert, update on consumer_partitions to :role;
grant execute on function row_move_watermark to :role;
