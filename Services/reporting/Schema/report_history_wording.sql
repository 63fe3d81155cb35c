-- Which variants the sentences of each report are, so that the owner's next report uses others: names and numbers, no words.
-- Null of reports that do not say.
alter table report_history add column wording json check (json_typeof(wording) = 'object');
