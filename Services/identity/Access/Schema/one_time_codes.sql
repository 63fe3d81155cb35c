-- Codes that were mailed and can be used once. A code is authenticated by a key that is not in the database, so none can
-- be made from what stands here.
create table one_time_codes (
    id         uuid primary key,
    user_id    uuid not null references profiles on delete cascade,
    purpose    text not null,
    expires_at timestamptz not null
);
create index one_time_codes_by_user on one_time_codes (user_id);
create index one_time_codes_by_end on one_time_codes (expires_at);

create function row_open_code(args json) returns text language sql as $$
    insert into one_time_codes (id, user_id, purpose, expires_at)
    values ((args ->> 'id')::uuid, (args ->> 'userId')::uuid, args ->> 'purpose', (args ->> 'expiresAt')::timestamptz)
    on conflict (id) do nothing;
    select null::text;
$$;

create function row_use_code(args json) returns text language plpgsql as $$
begin
    perform from one_time_codes
    where id = (args ->> 'id')::uuid and user_id = (args ->> 'userId')::uuid and purpose = args ->> 'purpose'
        and expires_at > clock_timestamp();
    if not found then
        return 'code-invalid';
    end if;
    delete from one_time_codes where user_id = (args ->> 'userId')::uuid and purpose = args ->> 'purpose';
    return null;
end $$;

alter table one_time_codes enable row level security;
create policy owners_rows on one_time_codes using (in_scope(user_id));
grant select, delete on one_time_codes to :role;
