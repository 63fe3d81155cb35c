-- As before, and of those alone that were begun with one proof, when one is named: it is worth nothing any more.
create or replace function row_no_other_logins(args json) returns text language plpgsql as $$
begin
    if exists (select from logins
        where user_id = (args ->> 'userId')::uuid and session <> (args ->> 'session')::uuid
            and (args ->> 'amr' is null or amr = args ->> 'amr')) then
        return 'login-begun';
    end if;
    return null;
end $$;
