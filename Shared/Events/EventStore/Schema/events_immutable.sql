-- History cannot be changed, not even by the owner of the schema without dropping this on purpose.
create function refuse_change() returns trigger language plpgsql as $$
begin
    raise exception 'events are immutable: append a new event that corrects the old one' using errcode = '42501';
end $$;

create trigger events_are_immutable before update or delete on events
    for each row execute function refuse_change();
create trigger events_are_not_truncated before truncate on events
    for each statement execute function refuse_change();
