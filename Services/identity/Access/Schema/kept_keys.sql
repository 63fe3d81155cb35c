-- The keys that authenticate refresh tokens, mailed codes, devices and the like, sealed (AES-256-GCM) under a key that is not
-- in the database. They stay when that key changes.
create table kept_keys (
    name   text primary key check (name ~ '^[a-z-]{1,40}$'),
    sealed bytea not null
);

grant select, insert, update (sealed) on kept_keys to :role;

-- What is sealed is sealed again when the key changes.
grant update (sealed) on second_factors to :role;
