-- Puts a fresh table in the place of the live one. The caller holds the read model's row of projections and has folded the
-- fresh table up to exactly its position, so nobody folds meanwhile and no event is lost or folded twice.
create function switch_rebuild(rebuild bigint) returns void
language plpgsql security definer set search_path from current as $$
declare
    model_name text;
    folded bigint;
    live bigint;
    item record;
begin
    select model, position into model_name, folded from rebuilds where id = rebuild and state = 'built' for update;
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
grant execute on function switch_rebuild to :role;
