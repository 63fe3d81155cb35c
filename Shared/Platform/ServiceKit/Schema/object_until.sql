-- What is in use for a while only: when that is over, the sweeper takes it away by itself, whatever else has stopped. Not the
-- column `deadline`, which says until when somebody may still be writing it.
alter table object_intents add column kept_until timestamptz;
create index object_intents_kept on object_intents (kept_until) where kept_until is not null;

-- An object that is in use is so until a moment at most; of several the earliest counts.
create function row_keep_object_until(args json) returns text language sql as $$
    update object_intents set kept_until = least(kept_until, (args ->> 'until')::timestamptz)
    where object_key = args ->> 'key';
    select null::text;
$$;

create or replace function row_discard_overdue(args json) returns text language sql as $$
    update object_intents set unwanted = true
    where (deadline < clock_timestamp() or kept_until < clock_timestamp()) and not unwanted;
    select null::text;
$$;
