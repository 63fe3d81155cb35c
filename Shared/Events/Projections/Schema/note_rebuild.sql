-- Records how far a completed fresh table is folded, and what comparing it with the live one showed; null leaves an
-- earlier comparison as it is.
create function note_rebuild(
    rebuild bigint, folded bigint, folded_events bigint, rows_made bigint, differing bigint, first_differing text
) returns void
language plpgsql security definer set search_path from current as $$
declare
    model_name text := claim_rebuild(rebuild, '{building, built}');
begin
    if not is_read_model(to_regclass(quote_ident(model_name || '_fresh'))) then
        raise exception 'the fresh table of % is not complete', model_name using errcode = 'MMRB3';
    end if;
    update rebuilds set state = 'built', position = folded, events = folded_events, row_count = rows_made,
        differences = coalesce(differing, differences),
        first_difference = coalesce(first_differing, first_difference), ended_at = clock_timestamp()
    where id = rebuild;
end $$;
grant execute on function note_rebuild to :role;
