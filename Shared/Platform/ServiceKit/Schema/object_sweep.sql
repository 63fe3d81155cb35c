-- The sweeper gives up on objects whose writer had its time. Under the head lock, as everything that keep_object reads: once
-- it is unwanted here no append can keep it any more, and only then are its bytes removed.
create function row_discard_overdue(args json) returns text language sql as $$
    update object_intents set unwanted = true where deadline < clock_timestamp() and not unwanted;
    select null::text;
$$;
