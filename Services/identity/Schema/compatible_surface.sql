-- What the compatible surface keeps of users: the metadata that its clients keep with an account, and which login sessions began there.
alter table profiles add metadata jsonb not null default '{}'
    check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 4096);
alter table logins add compatible boolean not null default false;

-- What is there is added, in place of what had the same names; a value of null takes a name away. Its bound is that of a token's.
create function row_merge_metadata(args json) returns text language plpgsql as $$
declare
    given jsonb := args::jsonb -> 'metadata';
    merged jsonb;
begin
    select (metadata || given) - coalesce(
        (select array_agg(key) from jsonb_each(given) where jsonb_typeof(value) = 'null'), '{}'::text[])
    into merged from profiles where user_id = (args ->> 'userId')::uuid for update;
    if merged is null then
        return 'user-gone';
    elsif octet_length(merged::text) > 1024 then
        return 'metadata-too-long';
    end if;
    update profiles set metadata = merged where user_id = (args ->> 'userId')::uuid;
    return null;
end $$;

create function row_make_compatible_login(args json) returns text language plpgsql as $$
begin
    update logins set compatible = true
    where session = (args ->> 'session')::uuid and expires_at > clock_timestamp();
    return case when found then null else 'login-ended' end;
end $$;
