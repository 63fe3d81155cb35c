-- When the code of a mail was opened: once, however often the mail is sent. Else a mail that is sent again would open a code that
-- was used, or is over, for another life.
alter table mail_outbox add column code_opened_at timestamptz;

-- What was tried already has opened its code.
update mail_outbox set code_opened_at = queued_at where attempts > 0;

create function row_open_code_of_mail(args json) returns text language plpgsql as $$
begin
    update mail_outbox set code_opened_at = clock_timestamp()
    where id = (args ->> 'id')::uuid and code_opened_at is null;
    return case when found then null else 'code-opened' end;
end $$;
