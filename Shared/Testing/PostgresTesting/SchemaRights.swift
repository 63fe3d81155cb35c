package import Postgres
import Runtime

/// What a service's login role may do, as the server itself says it: by grants, by what is granted to everyone, and by
/// memberships.
package enum SchemaRights {
    /// Everything that the login role named like a schema may do in it, a line for each object, sorted.
    ///
    /// - Parameter pool: the administrator's.
    /// - Throws: `PostgresError`.
    @Loop package static func of(_ schema: String, _ pool: PostgresPool) async throws -> [String] {
        try await pool.query(sql, [.text(schema)]).rows.map { $0.text(0) }.sorted()
    }

    private static let sql = """
        with objects as (select $1::text as role, oid as schema from pg_namespace where nspname = $1),
        privileges as (
            select unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as name),
        tables as (select c.*, o.role from pg_class c join objects o on c.relnamespace = o.schema)
        select 'schema ' || p from objects o, unnest(array['create', 'usage']) p
            where has_schema_privilege(o.role, o.schema, p)
        union all
        select 'other schema ' || n.nspname || ' ' || p from objects o, pg_namespace n, unnest(array['create', 'usage']) p
            where n.oid <> o.schema and n.nspname !~ '^(pg_|information_schema)' and (p, n.nspname) <> ('usage', 'public')
                and has_schema_privilege(o.role, n.oid, p)
        union all
        select 'member of ' || r.rolname from objects o join pg_roles r on r.rolname <> o.role
            where pg_has_role(o.role, r.oid, 'member')
        union all
        select 'attribute ' || a from objects o join pg_roles r on r.rolname = o.role,
            unnest(array[case when rolsuper then 'superuser' end, case when rolcreaterole then 'createrole' end,
                case when rolcreatedb then 'createdb' end, case when rolbypassrls then 'bypassrls' end]) a
            where a is not null
        union all
        select 'owner of ' || relname from tables where relowner = role::regrole
        union all
        select 'table ' || t.relname || case when relrowsecurity then ' of owners' else '' end || ': '
                || string_agg(p.name || coalesce(' (' || a.columns || ')', ''), ', ' order by p.name)
            from tables t cross join privileges p left join lateral (
                select string_agg(attname, ', ' order by attnum) as columns from pg_attribute
                where attrelid = t.oid and attnum > 0 and not attisdropped
                    and p.name in ('select', 'insert', 'update', 'references')
                    and not has_table_privilege(role, t.oid, p.name)
                    and has_column_privilege(role, t.oid, attnum, p.name)) a on true
            where t.relkind in ('r', 'v', 'm', 'p', 'f')
                and (has_table_privilege(role, t.oid, p.name) or a.columns is not null)
            group by t.relname, relrowsecurity
        union all
        select 'sequence ' || t.relname || ': ' || p from tables t, unnest(array['select', 'update', 'usage']) p
            where t.relkind = 'S' and has_sequence_privilege(role, t.oid, p)
        union all
        select 'function ' || p.proname || '/' || p.pronargs
                || case when prosecdef then ' as owner' else '' end
                || case when prosecdef and not exists (
                        select from unnest(proconfig) c where replace(c, ' ', '') = 'search_path=' || role || ',pg_temp')
                    then ' WITH ANY SEARCH PATH' else '' end
            from pg_proc p join objects o on p.pronamespace = o.schema
            where has_function_privilege(o.role, p.oid, 'execute')
        """
}
