-- Files that a provider has, or may have, for one question, and that are taken back. A row comes with the event that begins the call and goes
-- when the provider has nothing of the file any more, so no death in between leaves one there. The names say nothing of anybody.
create table lent_files (
    provider text not null,
    name     uuid not null,
    -- From then on the question is over, however its asker has ended.
    due_at   timestamptz not null,
    primary key (provider, name)
);
create index lent_files_by_due on lent_files (due_at);

create function row_lend_file(args json) returns text language sql as $$
    insert into lent_files (provider, name, due_at)
    values (args ->> 'provider', (args ->> 'name')::uuid, (args ->> 'dueAt')::timestamptz);
    select null::text;
$$;

grant select, delete on lent_files to :role;
