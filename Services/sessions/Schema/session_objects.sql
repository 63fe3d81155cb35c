-- All bytes of one session are named by their purpose, so that its ending lets them go.
create function row_discard_session_objects(args json) returns text language sql as $$
    update object_intents set unwanted = true where purpose = 'session ' || (args ->> 'sessionId');
    select null::text;
$$;
