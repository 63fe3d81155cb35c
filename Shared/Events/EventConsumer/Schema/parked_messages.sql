-- Messages that could not be handled, and their key's successors behind them, in order. Released in the same order.
create table parked_messages (
    -- The order of parking: offsets begin again when a topic is made anew.
    id          bigint generated always as identity primary key,
    topic       text not null,
    partition   integer not null,
    record_offset bigint not null,
    key         text not null,
    identity    text not null,
    type        text not null,
    -- Why: a code; `successor` for what only waits behind a predecessor of its key.
    reason      text not null,
    headers     json not null,
    value       bytea not null,
    parked_at   timestamptz not null default clock_timestamp(),
    -- Set by an operator; the partition's owner then handles the key's messages in order, or drops this one.
    release     boolean not null default false,
    dropped     boolean not null default false,
    -- Deaths while it was handled after its release.
    attempts    integer not null default 0,
    unique (topic, partition, identity)
);
create index parked_messages_by_key on parked_messages (topic, partition, key, id);

create function row_park(args json) returns text language sql as $$
    insert into parked_messages (topic, partition, record_offset, key, identity, type, reason, headers, value)
    values (args ->> 'topic', (args ->> 'partition')::integer, (args ->> 'offset')::bigint, args ->> 'key',
        args ->> 'identity', args ->> 'type', args ->> 'reason', args -> 'headers', decode(args ->> 'value', 'hex'))
    on conflict (topic, partition, identity) do nothing;
    select null::text;
$$;

-- Under the partition's epoch, so that a former owner cannot release what the present one handles. The release goes on to
-- the key's next message in the same step.
create function row_unpark(args json) returns text language plpgsql as $$
declare
    freed text;
begin
    if not exists (select from consumer_partitions where topic = args ->> 'topic'
        and partition = (args ->> 'partition')::integer and epoch = (args ->> 'epoch')::bigint for update) then
        return 'watermark';
    end if;
    delete from parked_messages where topic = args ->> 'topic' and partition = (args ->> 'partition')::integer
        and identity = args ->> 'identity' returning key into freed;
    if not found then
        return 'not-parked';
    end if;
    update parked_messages set release = true where id = (
        select p.id from parked_messages p where p.topic = args ->> 'topic'
            and p.partition = (args ->> 'partition')::integer and p.key = freed order by p.id limit 1);
    return null;
end $$;

grant select, update, delete, insert on parked_messages to :role;
grant execute on function row_park, row_unpark to :role;
