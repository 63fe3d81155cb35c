-- Recordings of completed sessions that their owners keep for a while: until when, and for how many days each owner keeps them.
alter table session_list
    add column media_since timestamptz,
    add column media_until timestamptz,
    add check ((media_since is null) = (media_until is null) and media_since < media_until);
create index session_list_media on session_list (owner_id) where media_until is not null;

create table media_choices (
    owner_id  uuid primary key,
    keep_days integer not null check (keep_days >= 0)
);

-- Notes the choice with the event that says so.
create function row_choose_retention(args json) returns text language sql as $$
    insert into media_choices (owner_id, keep_days) values ((args ->> 'ownerId')::uuid, (args ->> 'days')::integer)
    on conflict (owner_id) do update set keep_days = excluded.keep_days;
    select null::text;
$$;

create function row_forget_retention(args json) returns text language sql as $$
    delete from media_choices where owner_id = (args ->> 'ownerId')::uuid;
    select null::text;
$$;

-- Recordings whose time is over, or is by what their owners have chosen since or what the operator allows now. Each with the
-- moment until which it may be kept, which is never later than it was.
create function overdue_media(most_days integer, day_length interval)
returns table (session_id uuid, owner_id uuid, allowed_until timestamptz) language sql stable as $$
    select key::uuid, s.owner_id, least(media_until, media_since + least(coalesce(c.keep_days, 0), most_days) * day_length)
    from session_list s left join media_choices c on c.owner_id = s.owner_id
    where media_until is not null
        and (media_until <= now() or media_since + least(coalesce(c.keep_days, 0), most_days) * day_length < media_until)
    limit 100;
$$;

alter table media_choices enable row level security;
create policy owners_rows on media_choices using (in_scope(owner_id));
grant select on media_choices to :role;
grant execute on function overdue_media to :role;
