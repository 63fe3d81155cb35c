-- The photos of accounts, as JPEGs of our own making. They lie here and not in object storage because each is small, and as
-- rows they are backed up, kept from others and erased like all else that is personal.
create table photos (
    user_id    uuid primary key references profiles on delete cascade,
    jpeg       bytea not null check (octet_length(jpeg) between 1 and 98304),
    -- By what clients know whether theirs is still the one.
    tag        text not null generated always as (encode(substring(sha256(jpeg) from 1 for 16), 'hex')) stored,
    updated_at timestamptz not null default clock_timestamp()
);

-- It is compressed already.
alter table photos alter column jpeg set storage external;

create function row_put_photo(args json) returns text language sql as $$
    insert into photos (user_id, jpeg) values ((args ->> 'userId')::uuid, decode(args ->> 'jpeg', 'base64'))
    on conflict (user_id) do update set jpeg = excluded.jpeg, updated_at = clock_timestamp();
    select null::text;
$$;

create function row_remove_photo(args json) returns text language sql as $$
    delete from photos where user_id = (args ->> 'userId')::uuid;
    select null::text;
$$;

alter table photos enable row level security;
create policy owners_rows on photos using (in_scope(user_id));
grant select on photos to :role;
