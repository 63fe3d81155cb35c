-- The login session that asked for a mail, where the code in it counts for that one alone.
alter table mail_outbox add column session uuid;
