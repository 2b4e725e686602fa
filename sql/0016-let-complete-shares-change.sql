-- A complete share may take more files, and lose some. Until additions are finalized nobody but
-- its owner knows of them: their chunks lie in the share's own parcel, and its files stay as they
-- are.
alter table shares
  -- Since when additions are pending, or when they were last asked for again; null when none are.
  add column adding_since timestamptz,
  -- The additions that upload tokens are good for; kept when they end, so that finalize can be
  -- repeated.
  add column additions_id uuid,
  -- When the files changed last, after finalized_at.
  add column revised_at timestamptz,
  -- Moves with every change of which files there are, or of where their bytes lie.
  add column generation integer not null default 0,
  -- The generation at which compaction found nothing to do.
  add column compacted_generation integer;

create index shares_adding on shares (adding_since) where adding_since is not null;
create index shares_compaction_due on shares (id)
  where state = 'complete' and compacted_generation is distinct from generation;

-- Set when compaction met bytes that are not what was received: it leaves the segment as it is.
alter table segments add column damaged_at timestamptz;

-- Segments whose live bytes lie elsewhere now; removed once nobody can be on the way to them.
create table segment_tombstones (
  segment_id uuid primary key,
  parcel_id  uuid not null references parcels on delete cascade,
  created_at timestamptz not null
);

create index segment_tombstones_parcel_id on segment_tombstones (parcel_id);
