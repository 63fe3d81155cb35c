-- Which account has what a customer of a shop pays for: the first one that is named, until it is erased.
create table purchase_customers (
    -- shop and id, such as stripe/cus_1
    customer text primary key check (customer <> ''),
    owner_id uuid not null,
    bound_at timestamptz not null default now()
);
create index purchase_customers_of_owner on purchase_customers (owner_id);

-- What shops have told, each once: the members that decisions read, and none of cards or receipts.
create table purchase_notices (
    -- shop and id, such as stripe/evt_1
    notice      text primary key check (notice <> ''),
    type        text not null,
    customer    text,
    -- null while no account is known for the customer
    owner_id    uuid,
    -- by the shop's clock
    created_at  timestamptz not null,
    received_at timestamptz not null default now(),
    content     json not null,
    -- waiting: for an account; ignored: says nothing of a purchase; unreadable: not what this build reads;
    -- applied: became an event, or bound a customer; stale: newer was known
    outcome     text not null check (outcome in ('waiting', 'ignored', 'unreadable', 'applied', 'stale'))
);
create index purchase_notices_of_customer on purchase_notices (customer) where outcome = 'waiting';
create index purchase_notices_of_owner on purchase_notices (owner_id);
create index purchase_notices_received on purchase_notices (received_at);

create function row_keep_notice(args json) returns text language sql as $$
    insert into purchase_notices (notice, type, customer, created_at, content, outcome)
    values (args ->> 'notice', args ->> 'type', args ->> 'customer', (args ->> 'createdAt')::timestamptz,
        args -> 'content', args ->> 'outcome')
    on conflict (notice) do nothing;
    select null::text;
$$;

create function row_bind_customer(args json) returns text language sql as $$
    insert into purchase_customers (customer, owner_id)
    values (args ->> 'customer', (args ->> 'ownerId')::uuid) on conflict (customer) do nothing;
    select null::text;
$$;

-- What was applied stays so, whatever a repeat comes to.
create function row_settle_notice(args json) returns text language sql as $$
    update purchase_notices set owner_id = (args ->> 'ownerId')::uuid, outcome = args ->> 'outcome'
    where notice = args ->> 'notice' and (outcome <> 'applied' or args ->> 'outcome' = 'applied');
    select null::text;
$$;

create function row_discard_notice(args json) returns text language sql as $$
    delete from purchase_notices where notice = args ->> 'notice';
    select null::text;
$$;

-- With an erasure: also what came for the customer and was not looked at yet.
create function row_forget_purchases(args json) returns text language sql as $$
    delete from purchase_notices where owner_id = (args ->> 'subject')::uuid
        or customer in (select customer from purchase_customers where owner_id = (args ->> 'subject')::uuid);
    delete from purchase_customers where owner_id = (args ->> 'subject')::uuid;
    select null::text;
$$;

alter table purchase_customers enable row level security;
create policy owners_rows on purchase_customers using (in_scope(owner_id));
grant select on purchase_customers to :role;

alter table purchase_notices enable row level security;
create policy owners_rows on purchase_notices using (in_scope(owner_id));
grant select, delete on purchase_notices to :role;
