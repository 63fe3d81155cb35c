-- The login role may append through the functions and read; nothing else on history.
-- :role is the service's login role; the migrator puts its name in.
grant select on head, incarnations, events, erased_subjects to :role;
grant execute on function append_batch, in_scope to :role;
