-- A logged session of an anonymous device becomes an account's: an erasure finds it there from then on. It is the only way in
-- which the owner of a stream changes.
create function row_hand_over_logged(args json) returns text language sql as $$
    delete from stream_owners where owner = (args ->> 'from')::uuid and stream = args ->> 'stream';
    insert into stream_owners (owner, stream) values ((args ->> 'to')::uuid, args ->> 'stream') on conflict do nothing;
    select null::text;
$$;
