-- What was rebuilt: who, when, from which code, how much, and what came of it. The fresh table of a read model is called
-- <name>_fresh, the one that a switch took out of service <name>_before.
create table rebuilds (
    id                bigint generated always as identity primary key,
    model             text not null,
    -- built: beside the live one. switched: it is the live one. undone: switched back. dropped: the table before is gone.
    state             text not null default 'building'
        check (state in ('building', 'built', 'switched', 'undone', 'dropped', 'abandoned')),
    started_by        text not null,
    code              text not null,
    started_at        timestamptz not null default clock_timestamp(),
    ended_at          timestamptz,
    -- How far the fresh table is folded, and where the table before stood when it was taken out of service.
    position          bigint not null default 0,
    previous_position bigint,
    events            bigint not null default 0,
    row_count         bigint not null default 0,
    differences       bigint,
    first_difference  text
);
grant select, update on rebuilds to :role;
