-- The read model of a rebuild in one of these states. Holds the read model's lock to the end of the transaction, which
-- whoever began the rebuild holds already; while another session does, this rebuild is none of the caller's.
create function claim_rebuild(rebuild bigint, states text[]) returns text
language plpgsql set search_path from current as $$
declare
    model_name text;
begin
    select model into model_name from rebuilds where id = rebuild and state = any (states) for update;
    if model_name is null then
        raise exception 'the rebuild % is not %', rebuild, array_to_string(states, ' or ') using errcode = 'MMRB5';
    end if;
    perform check_read_model(model_name);
    if not pg_try_advisory_xact_lock(hashtextextended('rebuild ' || current_schema || '.' || model_name, 0)) then
        raise exception 'another rebuild of % is running', model_name using errcode = 'MMRB2';
    end if;
    return model_name;
end $$;
