-- A read-only role for all services: it may log in, and each service's migrations grant it the tables that it may read.
-- None of them contains personal content.
select 'create role mirrormate_reader'
where not exists (select from pg_roles where rolname = 'mirrormate_reader') \gexec

alter role mirrormate_reader login inherit nosuperuser nocreatedb nocreaterole nobypassrls password :'password';
alter role mirrormate_reader set default_transaction_read_only = on;
alter role mirrormate_reader set statement_timeout = '60s';
-- To see whose transaction blocks whom, and since when.
grant pg_read_all_stats to mirrormate_reader;
grant connect on database mirrormate to mirrormate_reader;
