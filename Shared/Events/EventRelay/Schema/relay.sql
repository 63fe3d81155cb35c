-- The relay's lease and cursor. Whoever raised the epoch last is the relay; an update under an older epoch finds no row.
create table relay (
    singleton   boolean primary key default true check (singleton),
    epoch       bigint not null default 0,
    holder      uuid,
    lease_until timestamptz not null default '-infinity',
    -- Every event up to here has been published and acknowledged, or is private.
    cursor      bigint not null default 0 check (cursor >= 0),
    -- An operator's wish to publish again all behind a position; the next lease fulfils it.
    rewind_to   bigint check (rewind_to >= 0)
) with (fillfactor = 50);
insert into relay default values;

-- Where reading back may begin: a record known to have been in the partition. A hint, compared before it is believed.
create table relay_partitions (
    partition     integer primary key,
    last_offset   bigint not null,
    last_position bigint not null,
    last_epoch    bigint not null
) with (fillfactor = 50);

grant select, update on relay to :role;
grant select, insert, update, delete on relay_partitions to :role;
