-- When each owner has asked for pages of a shop, the last few times within an hour: a limit's counter. Unlogged: after a crash of the
-- server everybody begins anew.
create unlogged table purchase_pages (
    owner_id uuid not null,
    page     text not null check (page in ('checkout', 'portal')),
    begun    timestamptz[] not null,
    -- When the last of them is an hour ago.
    full_at  timestamptz not null,
    primary key (owner_id, page)
);
create index purchase_pages_by_time on purchase_pages (full_at);

-- Counts one; refused when as many as are allowed were asked for within the time.
create function row_take_purchase_page(args json) returns text language plpgsql as $$
declare
    allowance integer := (args ->> 'allowance')::integer;
    span interval := (args ->> 'spanMicroseconds')::bigint * interval '1 microsecond';
begin
    insert into purchase_pages as p (owner_id, page, begun, full_at)
    values ((args ->> 'ownerId')::uuid, args ->> 'page', array[clock_timestamp()], clock_timestamp() + span)
    on conflict (owner_id, page) do update set
        begun = (p.begun || clock_timestamp())[greatest(cardinality(p.begun) + 2 - allowance, 1):],
        full_at = clock_timestamp() + span
    where cardinality(p.begun) < allowance or p.begun[cardinality(p.begun) + 1 - allowance] <= clock_timestamp() - span;
    return case when found then null else 'purchase-pages-used-up' end;
end $$;

create function row_forget_purchase_pages(args json) returns text language sql as $$
    delete from purchase_pages where owner_id = (args ->> 'ownerId')::uuid;
    select null::text;
$$;

alter table purchase_pages enable row level security;
create policy owners_rows on purchase_pages using (in_scope(owner_id));
grant select, delete, update (full_at) on purchase_pages to :role;
