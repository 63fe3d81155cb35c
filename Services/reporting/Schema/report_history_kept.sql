-- Until when the recording of a report's session is kept; null when it is gone.
alter table report_history add column kept_until timestamptz;
