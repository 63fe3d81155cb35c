-- A clock asks for overdue recordings every second: what is over is found by its moment, and what a smaller choice takes away by the
-- choices of the last hour. Nothing is read of all the recordings that stay.
create index session_list_media_until on session_list (media_until) where media_until is not null;
alter table media_choices add column chosen_at timestamptz not null default clock_timestamp();
create index media_choices_by_moment on media_choices (chosen_at);

create or replace function row_choose_retention(args json) returns text language sql as $$
    insert into media_choices (owner_id, keep_days) values ((args ->> 'ownerId')::uuid, (args ->> 'days')::integer)
    on conflict (owner_id) do update set keep_days = excluded.keep_days, chosen_at = clock_timestamp();
    select null::text;
$$;

create or replace function overdue_media(most_days integer, day_length interval)
returns table (session_id uuid, owner_id uuid, allowed_until timestamptz) language sql stable as $$
    select s.key::uuid, s.owner_id, least(media_until, media_since + least(coalesce(c.keep_days, 0), most_days) * day_length)
    from session_list s left join media_choices c on c.owner_id = s.owner_id
    where media_until <= now()
        and not exists (
            select from stuck_rows r where r.work = 'media-clock' and r.key = 'session-' || s.key
                and r.tried_at > now() - interval '30 seconds')
    union
    select s.key::uuid, s.owner_id, media_since + least(c.keep_days, most_days) * day_length
    from media_choices c join session_list s on s.owner_id = c.owner_id
    where c.chosen_at > now() - interval '1 hour' and media_until is not null and media_until > now()
        and media_since + least(c.keep_days, most_days) * day_length < media_until
        and not exists (
            select from stuck_rows r where r.work = 'media-clock' and r.key = 'session-' || s.key
                and r.tried_at > now() - interval '30 seconds')
    limit 100;
$$;

-- Recordings that are kept for longer than their owners have chosen, whenever that was, or than the operator allows now: of a list that was
-- folded late, or under another limit. Reads all that are kept.
create function overlong_media(most_days integer, day_length interval)
returns table (session_id uuid, owner_id uuid, allowed_until timestamptz) language sql stable as $$
    select s.key::uuid, s.owner_id, media_since + least(coalesce(c.keep_days, 0), most_days) * day_length
    from session_list s left join media_choices c on c.owner_id = s.owner_id
    where media_until is not null and media_since + least(coalesce(c.keep_days, 0), most_days) * day_length < media_until
        and not exists (
            select from stuck_rows r where r.work = 'media-limits-clock' and r.key = 'session-' || s.key
                and r.tried_at > now() - interval '30 seconds')
    limit 100;
$$;
grant execute on function overlong_media to :role;
