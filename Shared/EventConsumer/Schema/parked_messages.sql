-- Messages that could not be handled, and their key's successors behind them, in order. Released in the same order.
create table parked_messages (
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
    primary key (topic, partition, record_offset)
);
create index parked_messages_by_key on parked_messages (topic, partition, key, record_offset);

create function row_park(args json) returns text language sql as $$
    insert into parked_messages (topic, partition, record_offset, key, identity, type, reason, headers, value)
    values (args ->> 'topic', (args ->> 'partition')::integer, (args ->> 'offset')::bigint, args ->> 'key',
        args ->> 'identity', args ->> 'type', args ->> 'reason', args -> 'headers', decode(args ->> 'value', 'hex'))
    on conflict do nothing;
    select null::text;
$$;

-- Under the partition's epoch, so that a former owner cannot release what the present one handles.
create function row_unpark(args json) returns text language plpgsql as $$
begin
    if not exists (select from consumer_partitions where topic = args ->> 'topic'
        and partition = (args ->> 'partition')::integer and epoch = (args ->> 'epoch')::bigint for update) then
        return 'watermark';
    end if;
    delete from parked_messages where topic = args ->> 'topic' and partition = (args ->> 'partition')::integer
        and record_offset = (args ->> 'offset')::bigint;
    return case when found then null else 'not-parked' end;
end $$;

grant select, update, delete, insert on parked_messages to :role;
grant execute on function row_park, row_unpark to :role;
