-- The relay's verdict counts while its lease and the history that it judged do: what a later relay or a confirmed restore has
-- put right must not be refused again by a slow one. Behind the head lock, as a restore is, so that one sees the other.
drop function refuse_appends(text);
create function refuse_appends(reason text, under_epoch bigint, under_incarnation uuid) returns void
language plpgsql security definer set search_path from current as $$
begin
    perform from head for update;
    update head h set refused = reason from relay r
        where r.epoch = under_epoch and h.incarnation = under_incarnation and h.refused is distinct from reason;
end $$;
grant execute on function refuse_appends to :role;
