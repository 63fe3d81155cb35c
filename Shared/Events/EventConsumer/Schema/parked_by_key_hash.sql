-- A key may be longer than an entry of an index.
drop index parked_messages_by_key;
create index parked_messages_by_key_hash on parked_messages (topic, partition, hashtextextended(key, 0), id);

create or replace function row_unpark(args json) returns text language plpgsql as $$
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
            and p.partition = (args ->> 'partition')::integer
            and hashtextextended(p.key, 0) = hashtextextended(freed, 0) and p.key = freed order by p.id limit 1);
    return null;
end $$;
