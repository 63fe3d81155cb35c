-- How often each owner has changed the grace, and frozen or thawed days, on the day (UTC) of the last change: every change is an event
-- for ever, and the stream is read whole.
create table practice_changes (
    owner_id uuid not null,
    what     text not null check (what in ('grace', 'freezes')),
    day      date not null,
    changes  integer not null check (changes > 0),
    primary key (owner_id, what)
);

-- Counts a change with the event that says it; refuses when the day has `most` already.
create function row_count_practice_change(args json) returns text language plpgsql as $$
declare
    today date := (clock_timestamp() at time zone 'UTC')::date;
begin
    insert into practice_changes as c (owner_id, what, day, changes)
    values ((args ->> 'ownerId')::uuid, args ->> 'what', today, 1)
    on conflict (owner_id, what) do update
    set day = today, changes = case when c.day = today then c.changes + 1 else 1 end
    where c.day <> today or c.changes < (args ->> 'most')::integer;
    return case when found then null else 'practice-changes-used-up' end;
end $$;

create function row_forget_practice_changes(args json) returns text language sql as $$
    delete from practice_changes where owner_id = (args ->> 'subject')::uuid;
    select null::text;
$$;

alter table practice_changes enable row level security;
create policy owners_rows on practice_changes using (in_scope(owner_id));
