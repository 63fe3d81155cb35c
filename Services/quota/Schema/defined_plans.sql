-- Which plans were ever defined; what each of them allows stands in the log, in the stream named here.
create table defined_plans (
    plan   text primary key check (plan <> ''),
    stream text not null
);

create function row_define_plan(args json) returns text language sql as $$
    insert into defined_plans (plan, stream) values (args ->> 'plan', args ->> 'stream') on conflict (plan) do nothing;
    select null::text;
$$;

grant select on defined_plans to :role;
grant select on defined_plans to mirrormate_reader;
