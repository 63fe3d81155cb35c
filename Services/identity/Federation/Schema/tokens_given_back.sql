-- A token of a sign-in that was refused belongs to nobody, and is to be revoked.
create function give_back_provider_token(token_id uuid, client text, sealed_token bytea) returns void language sql as $$
    insert into provider_tokens (id, user_id, client_id, sealed) values (token_id, null, client, sealed_token)
$$;

grant insert on provider_tokens to :role;
grant execute on function give_back_provider_token to :role;
