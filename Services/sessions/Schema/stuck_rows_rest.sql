-- A session of which a clock cannot do what is due stands in stuck_rows and rests for half a minute: a clock takes a hundred at a time, and as
-- many that fail again and again must not hold up all others.
create or replace function overdue_sessions() returns table (session_id uuid, owner_id uuid, is_work boolean)
language sql stable as $$
    select s.key::uuid, s.owner_id, s.status = 'processing' from session_list s
    where status in ('queued', 'awaitingUpload', 'processing') and least(expires_at, deadline) <= now()
        and case status when 'processing' then deadline else expires_at end <= now()
        and not exists (
            select from stuck_rows r where r.work = 'clock' and r.key = 'session-' || s.key
                and r.tried_at > now() - interval '30 seconds')
    limit 100;
$$;

create or replace function overdue_media(most_days integer, day_length interval)
returns table (session_id uuid, owner_id uuid, allowed_until timestamptz) language sql stable as $$
    select s.key::uuid, s.owner_id, least(media_until, media_since + least(coalesce(c.keep_days, 0), most_days) * day_length)
    from session_list s left join media_choices c on c.owner_id = s.owner_id
    where media_until is not null
        and (media_until <= now() or media_since + least(coalesce(c.keep_days, 0), most_days) * day_length < media_until)
        and not exists (
            select from stuck_rows r where r.work = 'media-clock' and r.key = 'session-' || s.key
                and r.tried_at > now() - interval '30 seconds')
    limit 100;
$$;

create or replace function unreachable_sessions(age interval) returns table (session_id uuid, owner_id uuid)
language sql stable as $$
    select s.key::uuid, s.owner_id from session_list s
    where substr(s.owner_id::text, 15, 1) = '8' and s.created_at < now() - age
        and status in ('complete', 'error', 'cancelled', 'expired', 'refused')
        and not exists (
            select from stuck_rows r where r.work = 'forgetting-clock' and r.key = 'session-' || s.key
                and r.tried_at > now() - interval '30 seconds')
    limit 100;
$$;
