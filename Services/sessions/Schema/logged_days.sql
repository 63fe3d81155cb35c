-- How many sessions each owner has logged for each local day, so that nobody fills the log: deleted ones count too.
create table logged_days (
    owner_id uuid not null,
    -- Days since 1 January 1970.
    day      integer not null,
    logged   integer not null check (logged > 0),
    primary key (owner_id, day)
);

-- Counts a session with the event that logs it; refuses when the day has `most` already.
create function row_count_logged(args json) returns text language plpgsql as $$
begin
    insert into logged_days as d (owner_id, day, logged)
    values ((args ->> 'ownerId')::uuid, (args ->> 'day')::integer, 1)
    on conflict (owner_id, day) do update set logged = d.logged + 1 where d.logged < (args ->> 'most')::integer;
    return case when found then null else 'day-full' end;
end $$;

create function row_forget_logged_days(args json) returns text language sql as $$
    delete from logged_days where owner_id = (args ->> 'subject')::uuid;
    select null::text;
$$;

alter table logged_days enable row level security;
create policy owners_rows on logged_days using (in_scope(owner_id));
