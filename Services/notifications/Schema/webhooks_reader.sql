-- The tools tell an operator what became of deliveries, without where they go, how they are signed and what they say.
grant select (endpoint_id, owner_id, kinds, added_at, ended, busy_until, failing_since, next_due)
    on webhook_endpoints to mirrormate_reader;
grant select (delivery_id, endpoint_id, owner_id, kind, happened_at, queued_at, state, attempts, due_at, tried_at, status, failure)
    on webhook_deliveries to mirrormate_reader;
