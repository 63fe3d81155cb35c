-- How calls to providers have ended lately, of all instances: what their circuits are made of. Written with the event that says so.
create table provider_outcomes (
    number    bigint generated always as identity primary key,
    provider  text not null,
    model     text not null,
    ended_at  timestamptz not null,
    succeeded boolean not null
);
create index provider_outcomes_by_end on provider_outcomes (provider, model, ended_at);

create function row_note_provider_outcome(args json) returns text language sql as $$
    insert into provider_outcomes (provider, model, ended_at, succeeded)
    values (args ->> 'provider', args ->> 'model', (args ->> 'endedAt')::timestamptz, (args ->> 'succeeded')::boolean);
    select null::text;
$$;

grant select, delete on provider_outcomes to :role;
