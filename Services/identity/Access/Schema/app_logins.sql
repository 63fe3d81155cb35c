-- Login sessions of apps whose clients cannot refresh: such a session ends with its token, or before, never for want of use.
alter table logins add column surface text check (char_length(surface) between 1 and 40);

-- Makes one of a session that has just begun.
create function row_make_app_login(args json) returns text language plpgsql as $$
begin
    update logins set surface = args ->> 'surface'
    where session = (args ->> 'session')::uuid and expires_at > clock_timestamp();
    return case when found then null else 'login-ended' end;
end $$;
