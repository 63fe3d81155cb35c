-- Where owners want to be told. Personal, so a row goes with its endpoint or with its owner. Written by the append that says so.
create table webhook_endpoints (
    endpoint_id    uuid primary key,
    owner_id       uuid not null,
    -- sealed, as is the secret: nobody who sees the table can send there, or sign
    address        bytea not null,
    secret         bytea not null,
    -- what is sent is signed with this one too, until a moment; null when there is none
    earlier_secret bytea,
    earlier_until  timestamptz,
    kinds          text[] not null check (cardinality(kinds) > 0),
    added_at       timestamptz not null,
    -- why nothing more is sent; null while it is told
    ended          text check (ended in ('gone', 'failing')),
    -- so long something is on its way to it, or its sender is dead
    busy_until     timestamptz not null default '-infinity',
    -- since when nothing arrives; null after something did
    failing_since  timestamptz,
    -- when the next of its deliveries is due; null when none is
    next_due       timestamptz,
    check ((earlier_secret is null) = (earlier_until is null))
);
create index webhook_endpoints_by_owner on webhook_endpoints (owner_id, added_at desc);
-- One entry for each endpoint, however much waits: one whose receiver is dead is passed over once.
create index webhook_endpoints_by_time on webhook_endpoints (next_due) where next_due is not null;

-- What is, was or is to be sent, to one endpoint each.
create table webhook_deliveries (
    -- also the webhook-id that receivers see
    delivery_id uuid primary key,
    endpoint_id uuid not null references webhook_endpoints on delete cascade,
    owner_id    uuid not null,
    kind        text not null,
    -- text and not json: it is signed byte by byte
    body        text not null check (octet_length(body) <= 20000),
    happened_at timestamptz not null,
    queued_at   timestamptz not null default clock_timestamp(),
    -- failed: nobody tries any more; dropped: its endpoint was disabled
    state       text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed', 'dropped')),
    attempts    integer not null default 0,
    due_at      timestamptz default clock_timestamp(),
    -- of the last attempt: when it ended, with which status, or why there was none
    tried_at    timestamptz,
    status      integer,
    failure     text,
    check ((state = 'waiting') = (due_at is not null))
);
create index webhook_deliveries_by_time on webhook_deliveries (endpoint_id, due_at) where due_at is not null;
create index webhook_deliveries_pages on webhook_deliveries (endpoint_id, queued_at desc, delivery_id desc);
create index webhook_deliveries_by_owner on webhook_deliveries (owner_id, kind, queued_at desc);
create index webhook_deliveries_over on webhook_deliveries (tried_at) where due_at is null;

create function row_add_webhook(args json) returns text language sql as $$
    insert into webhook_endpoints (endpoint_id, owner_id, address, secret, kinds, added_at)
    values ((args ->> 'endpointId')::uuid, (args ->> 'ownerId')::uuid, decode(args ->> 'address', 'hex'),
        decode(args ->> 'secret', 'hex'), array(select json_array_elements_text(args -> 'kinds')),
        (args ->> 'addedAt')::timestamptz)
    on conflict (endpoint_id) do nothing;
    select null::text;
$$;

create function row_remove_webhook(args json) returns text language sql as $$
    delete from webhook_endpoints
    where endpoint_id = (args ->> 'endpointId')::uuid and owner_id = (args ->> 'ownerId')::uuid;
    select null::text;
$$;

create function row_rotate_webhook(args json) returns text language sql as $$
    update webhook_endpoints set earlier_secret = secret, earlier_until = (args ->> 'until')::timestamptz,
        secret = decode(args ->> 'secret', 'hex')
    where endpoint_id = (args ->> 'endpointId')::uuid and owner_id = (args ->> 'ownerId')::uuid;
    select null::text;
$$;

create function row_disable_webhook(args json) returns text language sql as $$
    update webhook_endpoints set ended = args ->> 'end', next_due = null
    where endpoint_id = (args ->> 'endpointId')::uuid and owner_id = (args ->> 'ownerId')::uuid;
    update webhook_deliveries set state = 'dropped', due_at = null, tried_at = coalesce(tried_at, clock_timestamp())
    where endpoint_id = (args ->> 'endpointId')::uuid and due_at is not null;
    select null::text;
$$;

-- To an endpoint that is there and told; once.
create function row_queue_webhook(args json) returns text language sql as $$
    with told as (
        select endpoint_id, owner_id from webhook_endpoints
        where endpoint_id = (args ->> 'endpointId')::uuid and owner_id = (args ->> 'ownerId')::uuid and ended is null
        for update
    ), queued as (
        insert into webhook_deliveries (delivery_id, endpoint_id, owner_id, kind, body, happened_at)
        select (args ->> 'deliveryId')::uuid, endpoint_id, owner_id, args ->> 'kind', args ->> 'body',
            (args ->> 'happenedAt')::timestamptz
        from told on conflict (delivery_id) do nothing
        returning endpoint_id, due_at
    )
    update webhook_endpoints e set next_due = least(e.next_due, q.due_at) from queued q
    where e.endpoint_id = q.endpoint_id;
    select null::text;
$$;

create function row_forget_webhooks(args json) returns text language sql as $$
    delete from webhook_endpoints where owner_id = (args ->> 'ownerId')::uuid;
    select null::text;
$$;

-- Takes the delivery that is due first of an endpoint to which nothing is on its way, and keeps others from the endpoint for a while:
-- who dies meanwhile leaves the delivery to be taken again. Those to whom nothing arrives are asked for by themselves, so that they can
-- be given few places.
create function take_webhook(failing boolean, lease interval)
returns table (
    delivery_id uuid, endpoint_id uuid, owner_id uuid, kind text, body text, attempts integer, address bytea, secret bytea,
    earlier_secret bytea, failing_since timestamptz
) language plpgsql as $$
#variable_conflict use_column
declare
    chosen webhook_endpoints;
begin
    select e.* into chosen from webhook_endpoints e
    where e.next_due <= clock_timestamp() and e.busy_until <= clock_timestamp()
        and (e.failing_since is not null) = failing
    order by e.next_due limit 1 for update skip locked;
    if not found then
        return;
    end if;
    return query
        select d.delivery_id, d.endpoint_id, d.owner_id, d.kind, d.body, d.attempts, chosen.address, chosen.secret,
            case when chosen.earlier_until > clock_timestamp() then chosen.earlier_secret end, chosen.failing_since
        from webhook_deliveries d
        where d.endpoint_id = chosen.endpoint_id and d.due_at <= clock_timestamp() order by d.due_at limit 1;
    if found then
        update webhook_endpoints e set busy_until = clock_timestamp() + lease where e.endpoint_id = chosen.endpoint_id;
    else
        update webhook_endpoints e set next_due = (
            select min(d.due_at) from webhook_deliveries d where d.endpoint_id = e.endpoint_id and d.due_at is not null)
        where e.endpoint_id = chosen.endpoint_id;
    end if;
end $$;

-- What became of an attempt; with the pause until the next, or none where it was the last. Says nothing of what was removed meanwhile.
create function settle_webhook(delivery uuid, endpoint uuid, outcome text, status integer, failure text, pause interval)
returns void language plpgsql as $$
#variable_conflict use_column
begin
    -- First the endpoint, as whoever queues or takes does.
    perform from webhook_endpoints e where e.endpoint_id = endpoint for update;
    update webhook_deliveries d set attempts = d.attempts + 1, state = outcome, due_at = clock_timestamp() + pause,
        tried_at = clock_timestamp(), status = settle_webhook.status, failure = settle_webhook.failure
    where d.delivery_id = delivery and d.due_at is not null;
    update webhook_endpoints e set busy_until = '-infinity',
        failing_since = case when outcome <> 'delivered' then coalesce(e.failing_since, clock_timestamp()) end,
        next_due = (
            select min(d.due_at) from webhook_deliveries d where d.endpoint_id = e.endpoint_id and d.due_at is not null)
    where e.endpoint_id = endpoint;
end $$;

-- Makes what is over due once more; whether there is such a delivery, to an endpoint that is told.
create function replay_webhook(owner uuid, delivery uuid) returns boolean language plpgsql as $$
#variable_conflict use_column
declare
    place uuid;
begin
    select e.endpoint_id into place from webhook_endpoints e
    where e.owner_id = owner and e.ended is null
        and e.endpoint_id = (select d.endpoint_id from webhook_deliveries d where d.delivery_id = delivery)
    for update;
    if not found then
        return false;
    end if;
    update webhook_deliveries d set state = 'waiting', attempts = 0, due_at = clock_timestamp()
    where d.delivery_id = delivery and d.due_at is null;
    update webhook_endpoints e set next_due = least(e.next_due, clock_timestamp())
    where e.endpoint_id = place;
    return true;
end $$;

alter table webhook_endpoints enable row level security;
create policy owners_rows on webhook_endpoints using (in_scope(owner_id));
-- Endpoints come and go with events; under way is what is sent, and another key may seal.
grant select, update (address, secret, earlier_secret, earlier_until, busy_until, failing_since, next_due)
    on webhook_endpoints to :role;

alter table webhook_deliveries enable row level security;
create policy owners_rows on webhook_deliveries using (in_scope(owner_id));
grant select, delete, update (state, attempts, due_at, tried_at, status, failure) on webhook_deliveries to :role;
grant execute on function take_webhook, settle_webhook, replay_webhook to :role;
