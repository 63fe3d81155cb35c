-- The log is followed by position, as far as the days are folded: two read models' times are in no common order, so what one of
-- them had folded later was missed.
drop function changed_streaks(integer);
drop index practice_days_changed;
drop index practitioners_changed;
alter table milestone_watch
    drop column examined_to,
    add column examined_position bigint not null default 0 check (examined_position >= 0);
comment on table milestone_watch is 'Up to which position of the log streaks have been looked at for milestones.';

grant update (examined_position) on milestone_watch to :role;
