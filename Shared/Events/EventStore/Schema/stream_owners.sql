-- Whose each stream is: the owner on whose behalf it was begun. An erasure finds a subject's streams here, however long the
-- log is. A row is written with the append that begins its stream and, like the log, never changed.
create table stream_owners (
    owner  uuid not null,
    stream text not null check (stream <> ''),
    primary key (owner, stream)
);
grant select on stream_owners to :role;
