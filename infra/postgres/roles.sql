-- Roles and schemas of the services; run by psql as a superuser, any number of times.
--
--   psql -X -v ON_ERROR_STOP=1 -v secrets=FOLDER -d postgres -f infra/postgres/roles.sql
--
-- FOLDER contains one password file per service: db-identity, db-sessions, db-quota, db-analysis, db-reporting, db-notifications, and
-- db-reader for the read-only role.
-- Each service gets a schema, a role that owns it (without login; migrations assume it) and a login role, which can use
-- its own schema and cannot even see another's tables.

-- Statements with passwords must not reach the server's log.
set log_min_error_statement = panic;
set log_statement = 'none';
set client_min_messages = warning;

select 'create database mirrormate encoding ''UTF8'' template template0'
where not exists (select from pg_database where datname = 'mirrormate') \gexec
\connect mirrormate
set log_min_error_statement = panic;
set log_statement = 'none';
set client_min_messages = warning;

revoke all on database mirrormate from public;
revoke all on schema public from public;

\set service identity
\set password `cat :'secrets'/db-identity`
\ir service.sql
\set service sessions
\set password `cat :'secrets'/db-sessions`
\ir service.sql
\set service quota
\set password `cat :'secrets'/db-quota`
\ir service.sql
\set service analysis
\set password `cat :'secrets'/db-analysis`
\ir service.sql
\set service reporting
\set password `cat :'secrets'/db-reporting`
\ir service.sql
\set service notifications
\set password `cat :'secrets'/db-notifications`
\ir service.sql
\set password `cat :'secrets'/db-reader`
\ir reader.sql
