-- What was announced for one purpose goes together, for instance all bytes of a session.
create function row_discard_purpose(args json) returns text language sql as $$
    update object_intents set unwanted = true where purpose = args ->> 'purpose';
    select null::text;
$$;
