-- How many rows an erasure removes, for its receipt.
create function rows_of_user(of_user uuid) returns bigint language sql stable as $$
    select (select count(*) from profiles where user_id = of_user)
        + (select count(*) from credentials where user_id = of_user)
        + (select count(*) from devices where user_id = of_user)
        + (select count(*) from logins where user_id = of_user)
        + (select count(*) from one_time_codes where user_id = of_user)
        + (select count(*) from mail_outbox where owner_id = of_user);
$$;

grant execute on function rows_of_user to :role;
