-- Goes with a step of a hand-over: refused when the account has told a session since the step was looked at, which may be one of
-- those that would come to it.
create function row_handover_account(args json) returns text language sql as $$
    select case when coalesce(sum(logged), 0) = (args ->> 'logged')::bigint then null else 'handover-account-told' end
    from logged_days where owner_id = (args ->> 'accountId')::uuid;
$$;
