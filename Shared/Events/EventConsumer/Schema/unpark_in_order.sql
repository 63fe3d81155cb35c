-- Whoever takes off a message that is not its key's first one has read the table in another state: the database was replaced
-- meanwhile by an older one, where the owner's epoch is the same. The owner must claim the partition again.
create or replace function row_unpark(args json) returns text language plpgsql as $$
declare
    freed parked_messages%rowtype;
begin
    if not exists (select from consumer_partitions where topic = args ->> 'topic'
        and partition = (args ->> 'partition')::integer and epoch = (args ->> 'epoch')::bigint for update) then
        return 'watermark';
    end if;
    select * from parked_messages where topic = args ->> 'topic' and partition = (args ->> 'partition')::integer
        and identity = args ->> 'identity' into freed;
    if not found then
        return 'not-parked';
    end if;
    if exists (select from parked_messages p where p.topic = freed.topic and p.partition = freed.partition
        and hashtextextended(p.key, 0) = hashtextextended(freed.key, 0) and p.key = freed.key and p.id < freed.id) then
        return 'watermark';
    end if;
    delete from parked_messages where id = freed.id;
    update parked_messages set release = true where id = (
        select p.id from parked_messages p where p.topic = freed.topic and p.partition = freed.partition
            and hashtextextended(p.key, 0) = hashtextextended(freed.key, 0) and p.key = freed.key order by p.id limit 1);
    return null;
end $$;
