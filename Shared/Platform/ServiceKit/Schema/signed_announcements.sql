-- From which position on identity signs its announcements, one row for each announcement key. As soon as there is one, keys
-- that nobody has signed for count no longer: identity announces every living one again.
create table announcements_begun (
    key      text primary key,
    position bigint not null
);

create function row_begin_announcements(args json) returns text language sql as $$
    insert into announcements_begun (key, position) values (args ->> 'key', (args ->> 'position')::bigint)
    on conflict (key) do nothing;
    select null::text;
$$;

alter table signing_keys add signed boolean not null default false;

-- Keys that were retired: they stay so, also when the key itself comes later, or again.
create table retired_keys (
    kid        text primary key,
    retired_at timestamptz not null
);
insert into retired_keys (kid, retired_at) select kid, retired_at from signing_keys where retired_at is not null;

-- A signed key takes the place of an unsigned one of its name, never the other way round.
create or replace function row_learn_key(args json) returns text language sql as $$
    insert into signing_keys (kid, x, y, not_before, expires_at, signed, retired_at)
    values (args ->> 'kid', args ->> 'x', args ->> 'y', (args ->> 'notBefore')::timestamptz,
        (args ->> 'expiresAt')::timestamptz, coalesce((args ->> 'signed')::boolean, false),
        (select retired_at from retired_keys where kid = args ->> 'kid'))
    on conflict (kid) do update set x = excluded.x, y = excluded.y, not_before = excluded.not_before,
        expires_at = excluded.expires_at, signed = true
    where excluded.signed and not signing_keys.signed;
    select null::text;
$$;

-- The earliest retirement stands.
create or replace function row_retire_key(args json) returns text language sql as $$
    insert into retired_keys as r (kid, retired_at) values (args ->> 'kid', (args ->> 'retiredAt')::timestamptz)
    on conflict (kid) do update set retired_at = least(r.retired_at, excluded.retired_at);
    update signing_keys k set retired_at = r.retired_at from retired_keys r
    where k.kid = args ->> 'kid' and r.kid = k.kid;
    select null::text;
$$;

-- The keys that are good now.
create view good_signing_keys as
    select kid, x, y, not_before from signing_keys
    where expires_at > now() and (retired_at is null or retired_at > now())
        and (signed or not exists (select from announcements_begun));

grant select on announcements_begun, retired_keys, good_signing_keys to :role;
-- For the tools that compare logs with topics.
grant select on announcements_begun, disowned_records to mirrormate_reader;
