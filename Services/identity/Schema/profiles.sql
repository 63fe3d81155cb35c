-- What is personal about a user. Its row is the anchor of all others of the user: when it goes, they go.
create table profiles (
    user_id      uuid primary key,
    -- As it was typed; null for an anonymous device.
    email        text check (octet_length(email) between 3 and 254),
    display_name text check (char_length(display_name) between 1 and 100),
    time_zone    text not null check (octet_length(time_zone) between 1 and 64),
    created_at   timestamptz not null default clock_timestamp()
);

-- Opens a profile, or makes an account's of an anonymous device's, whose time zone stands.
create function row_put_profile(args json) returns text language sql as $$
    insert into profiles (user_id, email, display_name, time_zone)
    values ((args ->> 'userId')::uuid, args ->> 'email', args ->> 'displayName', args ->> 'timeZone')
    on conflict (user_id) do update set email = excluded.email,
        display_name = coalesce(excluded.display_name, profiles.display_name);
    select null::text;
$$;

-- Changes the members that are there; a displayName of null removes the name.
create function row_change_profile(args json) returns text language plpgsql as $$
begin
    update profiles set
        display_name = case when args::jsonb ? 'displayName' then args ->> 'displayName' else display_name end,
        time_zone = coalesce(args ->> 'timeZone', time_zone)
    where user_id = (args ->> 'userId')::uuid;
    return case when found then null else 'user-gone' end;
end $$;

create function row_forget_user(args json) returns text language sql as $$
    delete from profiles where user_id = (args ->> 'userId')::uuid;
    select null::text;
$$;

alter table profiles enable row level security;
create policy owners_rows on profiles using (in_scope(user_id));
grant select on profiles to :role;
