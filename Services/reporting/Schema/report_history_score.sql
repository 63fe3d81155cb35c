-- What the score of each report rests on: points of 100, and between what the score lies. Null of reports that do not say.
alter table report_history
    add column score_coverage integer check (score_coverage between 0 and 100),
    add column score_low      integer check (score_low between 0 and 100),
    add column score_high     integer check (score_high between 0 and 100),
    add check ((score_low is null) = (score_high is null) and score_low <= score_high);
