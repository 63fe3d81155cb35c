-- The role that looks at all services and changes nothing: it may log in, and the migrations of each service name the
-- tables that it may read. No personal content is among them.
select 'create role mirrormate_reader'
where not exists (select from pg_roles where rolname = 'mirrormate_reader') \gexec

alter role mirrormate_reader login inherit nosuperuser nocreatedb nocreaterole nobypassrls password :'password';
alter role mirrormate_reader set default_transaction_read_only = on;
alter role mirrormate_reader set statement_timeout = '60s';
-- Whose transaction keeps whom waiting, and since when.
grant pg_read_all_stats to mirrormate_reader;
grant connect on database mirrormate to mirrormate_reader;
