-- Guards the creation of a session by an account that has not confirmed its address: it may have one, deleted ones included.
-- The stream's owner is noted here already, not only with the event, so that of several creations in one batch one is first.
create function row_begin_only_session(args json) returns text language plpgsql as $$
begin
    perform from stream_owners where owner = (args ->> 'ownerId')::uuid
        and starts_with(stream, split_part(args ->> 'stream', '-', 1) || '-');
    if found then
        return 'address-unconfirmed';
    end if;
    insert into stream_owners (owner, stream) values ((args ->> 'ownerId')::uuid, args ->> 'stream');
    return null;
end $$;
