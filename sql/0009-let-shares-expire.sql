-- An expired share keeps its row, so that its link says so; its files and their bytes are gone.
alter table shares drop constraint shares_state_check;
alter table shares add constraint shares_state_check check (state in ('draft', 'complete', 'expired'));

create index shares_drafts on shares (created_at) where state = 'draft';

-- When each job was last done: a sweep after a long silence waits before it removes anything.
create table job_runs (
  name    text primary key,
  done_at timestamptz not null
);
