-- Sessions that nobody goes on with: not finalized in time, or worked on for too long.
create function overdue_sessions() returns table (session_id uuid, owner_id uuid, is_work boolean)
language sql stable as $$
    select key::uuid, owner_id, status = 'processing' from session_list
    where status in ('queued', 'awaitingUpload', 'processing') and least(expires_at, deadline) <= now()
        and case status when 'processing' then deadline else expires_at end <= now()
    limit 100;
$$;
grant execute on function overdue_sessions() to :role;
