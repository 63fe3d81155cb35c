-- Rows that a service's work in the background could not do: the others go on, each of these is tried again, and goes once it is done.
create table stuck_rows (
    work     text not null,
    -- The work's own name of the row, an id and no content.
    key      text not null,
    -- Why, as a stable code.
    code     text not null,
    since    timestamptz not null default clock_timestamp(),
    tried_at timestamptz not null default clock_timestamp(),
    primary key (work, key)
);
grant select, insert, update, delete on stuck_rows to :role;
grant select on stuck_rows to mirrormate_reader;
