-- How many rows an erasure removes, for its receipt; with the photo.
create or replace function rows_of_user(of_user uuid) returns bigint language sql stable as $$
    select (select count(*) from profiles where user_id = of_user)
        + (select count(*) from photos where user_id = of_user)
        + (select count(*) from credentials where user_id = of_user)
        + (select count(*) from linked_identities where user_id = of_user)
        + (select count(*) from provider_tokens where user_id = of_user)
        + (select count(*) from devices where user_id = of_user)
        + (select count(*) from logins where user_id = of_user)
        + (select count(*) from one_time_codes where user_id = of_user)
        + (select count(*) from second_factors where user_id = of_user)
        + (select count(*) from recovery_codes where user_id = of_user)
        + (select count(*) from email_changes where user_id = of_user)
        + (select count(*) from mail_outbox where owner_id = of_user);
$$;
