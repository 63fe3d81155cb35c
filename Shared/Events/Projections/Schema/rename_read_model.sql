-- Renames a read model's table with its indexes, whose names end in what the table's does.
create function rename_read_model(from_name text, to_name text, ending text) returns void
language plpgsql set search_path from current as $$
declare
    item record;
begin
    for item in select c.relname as name from pg_index x join pg_class c on c.oid = x.indexrelid
        where x.indrelid = to_regclass(quote_ident(from_name))
    loop
        execute format('alter index %I rename to %I', item.name,
            regexp_replace(item.name, '_(fresh|before)$', '') || ending);
    end loop;
    execute format('alter table %I rename to %I', from_name, to_name);
end $$;
