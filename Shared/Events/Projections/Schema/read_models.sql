-- The service's read models. A migration registers each, so that no rebuild can be led to another table: a rebuild makes,
-- replaces and removes tables with the rights of the schema's owner.
create table read_models (
    -- The table's name, with room for the endings of a rebuild's tables and their indexes.
    name text primary key check (name ~ '^[a-z][a-z0-9_]{0,39}$' and name !~ '_(fresh|before)$')
);

-- Whether a table is rows under a text key and nothing else. What guards history fails this: the log and the head, their
-- registries and watermarks have other keys, triggers, or references.
create function is_read_model(candidate regclass) returns boolean language sql stable set search_path from current as $$
    select exists (
        select from pg_class c
            join pg_index x on x.indrelid = c.oid and x.indisprimary and x.indnatts = 1
            join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[0]
        where c.oid = candidate and c.relkind = 'r' and c.relpersistence = 'p'
            and (c.relnamespace, c.relowner) =
                (select r.relnamespace, r.relowner from pg_class r where r.oid = 'read_models'::regclass)
            and a.attname = 'key' and a.atttypid = 'text'::regtype
            -- References are triggers too.
            and not exists (select from pg_trigger t where t.tgrelid = c.oid));
$$;

-- For migrations alone: no other role may call it.
create function register_read_model(model_name text) returns void language plpgsql set search_path from current as $$
begin
    if is_read_model(to_regclass(quote_ident(model_name))) then
        insert into read_models (name) values (model_name) on conflict do nothing;
        insert into projections (name) values (model_name) on conflict do nothing;
    else
        raise exception 'the table % is no read model''s: it needs a primary key "key" of type text, and no trigger',
            model_name;
    end if;
end $$;

-- Every function that works on a read model's tables begins with this.
create function check_read_model(model_name text) returns void language plpgsql set search_path from current as $$
begin
    if not exists (select from read_models where name = model_name) then
        raise exception 'there is no read model %', model_name using errcode = 'MMRB1';
    end if;
    if not is_read_model(to_regclass(quote_ident(model_name))) then
        raise exception 'the table of the read model % is missing, or is none', model_name using errcode = 'MMRB1';
    end if;
end $$;

-- A row of projections that was there before and that no migration registers stays, and no rebuild looks at it.
alter table projections add foreign key (name) references read_models not valid;
revoke all on projections, rebuilds from :role;
grant select, update (position) on projections to :role;
-- Older programs make sure of their row themselves; the reference lets in what is registered, and nothing else.
grant insert (name) on projections to :role;
-- A rebuild's record is written by its functions.
grant select on rebuilds to :role;
