-- How far each read model has folded the service's own log. The row is locked while a batch is folded, so one instance
-- folds at a time, and it moves in the transaction that writes the rows.
create table projections (
    name     text primary key,
    position bigint not null default 0 check (position >= 0)
) with (fillfactor = 50);

grant select, insert, update on projections to :role;
