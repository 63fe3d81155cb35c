-- The roles and the schema of one service; roles.sql sets :service and :password.
\set owner :service '_owner'

select format('create role %I nologin', :'owner')
where not exists (select from pg_roles where rolname = :'owner') \gexec
select format('create role %I', :'service')
where not exists (select from pg_roles where rolname = :'service') \gexec

alter role :"service" login noinherit nosuperuser nocreatedb nocreaterole nobypassrls password :'password';
-- An instance needs seven. Whoever has taken over a service leaves the others some.
alter role :"service" connection limit 100;
alter role :"service" set search_path = :"service";
alter role :"service" set statement_timeout = '30s';
alter role :"service" set lock_timeout = '10s';
alter role :"service" set idle_in_transaction_session_timeout = '30s';
alter role :"owner" set search_path = :"service";

create schema if not exists :"service" authorization :"owner";
revoke all on schema :"service" from public;
grant usage on schema :"service" to :"service";
grant connect on database mirrormate to :"service";
