-- Only of a rebuild that is built, by whoever began it or after them.
create or replace function switch_rebuild(rebuild bigint) returns void
language plpgsql security definer set search_path from current as $$
declare
    model_name text := claim_rebuild(rebuild, '{built}');
    folded bigint;
    live bigint;
begin
    if not is_read_model(to_regclass(quote_ident(model_name || '_fresh'))) then
        raise exception 'the fresh table of % is not complete', model_name using errcode = 'MMRB3';
    end if;
    select position into folded from rebuilds where id = rebuild;
    select position into live from projections where name = model_name for update;
    if live is distinct from folded then
        raise exception 'the fresh table is folded to %, the live one to %', folded, live using errcode = 'MMRB3';
    end if;
    update rebuilds set state = 'dropped' where model = model_name and state = 'switched';
    if (select relrowsecurity from pg_class where oid = to_regclass(quote_ident(model_name))) then
        execute format('alter table %I enable row level security', model_name || '_fresh');
    end if;
    execute format('drop table if exists %I', model_name || '_before');
    perform rename_read_model(model_name, model_name || '_before', '_before');
    perform rename_read_model(model_name || '_fresh', model_name, '');
    update rebuilds set state = 'switched', previous_position = folded, ended_at = clock_timestamp() where id = rebuild;
end $$;
