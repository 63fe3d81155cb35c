-- How many recordings of the longest window could not be used at all and were forgiven, as late_cancellations counts.
alter table allowances
    add column unusable_recordings bigint not null default 0 check (unusable_recordings >= 0);
