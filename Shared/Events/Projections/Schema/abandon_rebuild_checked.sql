-- Only of a registered read model.
create or replace function abandon_rebuild(rebuild bigint) returns boolean
language plpgsql security definer set search_path from current as $$
declare
    model_name text;
begin
    select model into model_name from rebuilds where id = rebuild;
    if model_name is null then
        return false;
    end if;
    perform check_read_model(model_name);
    perform pg_advisory_xact_lock(hashtextextended('rebuild ' || current_schema || '.' || model_name, 0));
    update rebuilds set state = 'abandoned', ended_at = clock_timestamp()
        where id = rebuild and state in ('building', 'built');
    if not found then
        return false;
    end if;
    execute format('drop table if exists %I', model_name || '_fresh');
    return true;
end $$;
