-- What all calls of a day cost, beside what each owner's do: a call is begun under the append lock, where nothing is summed up.
create table provider_day_spending (
    day    date primary key,
    micros numeric not null check (micros >= 0)
);
insert into provider_day_spending (day, micros) select day, sum(micros) from provider_spending group by day;

create or replace function row_reserve_spending(args json) returns text language plpgsql as $$
declare
    today date := spending_day(args ->> 'begunAt');
    most numeric := (args ->> 'micros')::bigint;
    by_owner numeric := coalesce(
        (select micros from provider_spending where day = today and owner_id = (args ->> 'ownerId')::uuid), 0);
    by_all numeric := coalesce((select micros from provider_day_spending where day = today), 0);
begin
    if by_owner + most > (args ->> 'ownerDayMicros')::bigint then
        return 'owner-budget';
    end if;
    if by_all + most > (args ->> 'dayMicros')::bigint then
        return 'budget';
    end if;
    most := least(most, 1000000000000000);
    insert into provider_spending as s (day, owner_id, micros)
    values (today, (args ->> 'ownerId')::uuid, most::bigint)
    on conflict (day, owner_id) do update set micros = s.micros + excluded.micros;
    insert into provider_day_spending as s (day, micros) values (today, most)
    on conflict (day) do update set micros = s.micros + excluded.micros;
    return null;
end $$;

create or replace function row_settle_spending(args json) returns text language plpgsql as $$
declare
    that_day date := spending_day(args ->> 'begunAt');
    before bigint;
    after bigint;
begin
    select micros, greatest(micros + (args ->> 'micros')::bigint, 0) into before, after
    from provider_spending where day = that_day and owner_id = (args ->> 'ownerId')::uuid;
    if not found then
        return null;
    end if;
    update provider_spending set micros = after where day = that_day and owner_id = (args ->> 'ownerId')::uuid;
    update provider_day_spending set micros = greatest(micros + after - before, 0) where day = that_day;
    return null;
end $$;

grant select, delete on provider_day_spending to :role;
