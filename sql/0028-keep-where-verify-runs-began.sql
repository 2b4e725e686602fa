alter table verify_runs
  -- Host and folder of the storage: a copy of the data does not resume a run of the original.
  add column storage_place text not null default '',
  -- When the worker left or last reported; old progress is not resumed.
  add column progress_at timestamptz not null default now(),
  -- Bytes that had been checked before the run was last resumed.
  add column resumed_bytes bigint not null default 0,
  -- Why the last worker ended early.
  add column last_error text;

-- Extents of versions before block checksums get them from a run that starts with the service.
insert into verify_runs (started_at, place, worker_id, bytes_total)
select now(), '{}', gen_random_uuid(), 0
where exists (select 1 from extents where blocks is null and length > 131072)
  and not exists (select 1 from verify_runs);
