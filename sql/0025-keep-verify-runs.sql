-- Runs of `transfer verify`: the newest one, which may be unfinished, and the last finished one.
create table verify_runs (
  id            bigint generated always as identity primary key,
  started_at    timestamptz not null,
  -- Null while it runs, and after an interruption: then the next one goes on from `place`.
  finished_at   timestamptz,
  -- Where it is, as JSON: see verify/place.ts.
  place         text not null,
  -- The worker that may go on; another one takes the run over by its own id.
  worker_id     uuid not null,
  -- When the worker was last at work; null once it has ended.
  active_at     timestamptz,
  bytes_checked bigint not null default 0,
  -- What there was to check when it began.
  bytes_total   bigint not null,
  missing       integer not null default 0,
  short         integer not null default 0,
  rotten        integer not null default 0,
  orphaned      integer not null default 0
);

create table verify_findings (
  id            bigint generated always as identity primary key,
  run_id        bigint not null references verify_runs on delete cascade,
  kind          text not null check (kind in ('missing', 'short', 'rotten', 'orphaned')),
  -- What was found, so that a run that is resumed does not count it twice.
  subject       text not null,
  container_id  uuid not null,
  segment_id    uuid,
  file_id       integer,
  -- Files that are damaged by it.
  files         integer not null,
  -- The client's id and index of a chunk of an unfinished upload.
  file_key      text,
  chunk_index   integer,
  removed_at    timestamptz,
  found_at      timestamptz not null,
  unique (run_id, subject)
);
