-- Row-level security's question: may this session see a row of that owner? The service's own work runs in the scope
-- "system", reads on behalf of a user in the scope of that user's id; without a scope nothing is seen.
create function in_scope(owner uuid) returns boolean language sql stable parallel safe as $$
    select coalesce(
        nullif(current_setting('mirrormate.scope', true), '') in ('system', owner::text), false)
$$;
