-- The key of request hashes: a hash of a request that holds an e-mail address must not be guessable from the log.
create table request_key (
    singleton boolean primary key default true check (singleton),
    key       bytea not null
);
insert into request_key (key)
select decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex');
grant select on request_key to :role;
