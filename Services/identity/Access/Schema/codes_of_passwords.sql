-- A code that chooses a new password without the old one ends with the password that was there when it was mailed: whoever chooses
-- another one, because somebody may read their mail, leaves none of those behind.
create or replace function row_change_password(args json) returns text language plpgsql as $$
begin
    update credentials set password_hash = args ->> 'passwordHash', changed_at = clock_timestamp()
    where user_id = (args ->> 'userId')::uuid and password_hash = args ->> 'checkedHash';
    if not found then
        return 'password-changed';
    end if;
    delete from one_time_codes where user_id = (args ->> 'userId')::uuid and purpose = 'password-reset';
    return null;
end $$;
