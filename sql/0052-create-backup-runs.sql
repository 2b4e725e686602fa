-- Backups of this database, see src/backup/. A few of the newest are kept.
create table backup_runs (
  id           uuid primary key,
  -- The folder of the backup, or `-` for a stream.
  place        text not null,
  started_at   timestamptz not null,
  -- Until then no stored byte is removed. A running backup keeps moving it; null once it has ended.
  held_until   timestamptz,
  -- Null while it runs, and for one that failed or was killed.
  finished_at  timestamptz,
  -- Bytes of stored files, and those of them that this run has copied.
  bytes        bigint not null default 0,
  copied_bytes bigint not null default 0,
  files        integer not null default 0,
  -- Files that were found damaged while they were copied.
  damaged      integer not null default 0
);
