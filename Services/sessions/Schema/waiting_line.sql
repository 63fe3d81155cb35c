-- What is under way of a session's work, and since when a sealed upload waits that nobody has begun to work on.
--
-- No check ties them to the status: while instances of before still fold, they leave both columns as they are.
alter table session_list
    add column stage         text,
    add column waiting_since timestamptz;
create index session_list_waiting on session_list (waiting_since, key)
    where waiting_since is not null and status = 'processing';

-- Sessions that are under way now, as far as the list is folded.
with known as (
    select s.key, e.position, e.type, e.data, e.recorded_at
    from session_list s
        join events e on e.stream = 'session-' || s.key
        join projections p on p.name = 'session_list' and e.position <= p.position
    where s.status = 'processing' and e.type in ('UploadFinalized', 'AnalysisStarted', 'AnalysisProgressed')
), furthest as (
    select distinct on (key) key, type,
        case data ->> 'stage'
            when 'probe' then 'decode' when 'decode' then 'transcribe' when 'transcribe' then 'voice'
            when 'voice' then 'picture' when 'picture' then 'report' end as following
    from known where type <> 'UploadFinalized'
    order by key, (data ->> 'progressPercent')::integer desc nulls last, position
)
update session_list s set
    stage = case when f.key is not null then coalesce(f.following, 'probe') end,
    waiting_since = case when f.key is null then k.recorded_at end
from known k left join furthest f on f.key = k.key
where k.key = s.key and k.type = 'UploadFinalized';
