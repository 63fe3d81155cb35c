-- What calls to providers outside have cost on a day (UTC), in millionths of their currency, and may still cost while they are under way:
-- one row for an owner's day. The owner zero has what is left of erased ones.
create table provider_spending (
    day      date not null,
    owner_id uuid not null,
    micros   bigint not null check (micros >= 0),
    primary key (day, owner_id)
);

create function spending_day(moment text) returns date language sql as $$
    select (moment::timestamptz at time zone 'UTC')::date;
$$;

-- Appends come one by one, so no two calls are given the same rest of a limit. A limit that is left out is none.
create function row_reserve_spending(args json) returns text language plpgsql as $$
declare
    today date := spending_day(args ->> 'begunAt');
    most numeric := (args ->> 'micros')::bigint;
    by_owner numeric;
    by_all numeric;
begin
    select coalesce(sum(micros) filter (where owner_id = (args ->> 'ownerId')::uuid), 0), coalesce(sum(micros), 0)
    into by_owner, by_all from provider_spending where day = today;
    if by_owner + most > (args ->> 'ownerDayMicros')::bigint then
        return 'owner-budget';
    end if;
    if by_all + most > (args ->> 'dayMicros')::bigint then
        return 'budget';
    end if;
    insert into provider_spending as s (day, owner_id, micros)
    values (today, (args ->> 'ownerId')::uuid, least(most, 1000000000000000)::bigint)
    on conflict (day, owner_id) do update set micros = s.micros + excluded.micros;
    return null;
end $$;

create function row_settle_spending(args json) returns text language sql as $$
    update provider_spending set micros = greatest(micros + (args ->> 'micros')::bigint, 0)
    where day = spending_day(args ->> 'begunAt') and owner_id = (args ->> 'ownerId')::uuid;
    select null::text;
$$;

create function row_forget_spending(args json) returns text language sql as $$
    insert into provider_spending as s (day, owner_id, micros)
    select day, '00000000-0000-0000-0000-000000000000', micros from provider_spending
    where owner_id = (args ->> 'subject')::uuid
    on conflict (day, owner_id) do update set micros = s.micros + excluded.micros;
    delete from provider_spending where owner_id = (args ->> 'subject')::uuid;
    select null::text;
$$;

alter table provider_spending enable row level security;
create policy owners_rows on provider_spending using (in_scope(owner_id));
grant select, delete on provider_spending to :role;
