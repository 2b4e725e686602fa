-- A folder that holds parcels. Its marker file carries the same id: without it nothing is written,
-- so that a disk that is not mounted is not taken for an empty one.
create table storage_roots (
  id         uuid primary key,
  created_at timestamptz not null
);

-- A parcel owns segments: append-only files on disk that hold the bytes of one share (or delivery).
create table parcels (
  id         uuid primary key,
  root_id    uuid not null references storage_roots,
  -- Bytes on disk that were ever committed, replaced chunks included.
  used_bytes bigint not null default 0,
  -- Bytes that chunks or files still refer to.
  live_bytes bigint not null default 0,
  created_at timestamptz not null
);

create table segments (
  id            uuid primary key,
  parcel_id     uuid not null references parcels on delete cascade,
  -- The process that may append; null once nobody does. See storage/lanes.ts.
  owner_id      uuid,
  committed_end bigint not null default 0,
  created_at    timestamptz not null
);

create index segments_parcel_id on segments (parcel_id);
create index segments_owner_id on segments (owner_id) where owner_id is not null;

-- Written by the transaction that removes a parcel's rows; removed when its bytes are gone.
create table tombstones (
  parcel_id  uuid primary key,
  root_id    uuid not null,
  created_at timestamptz not null
);
