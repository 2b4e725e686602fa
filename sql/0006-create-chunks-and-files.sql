-- What has arrived of files that are not complete yet: one row a chunk, naming its extent.
create table chunks (
  parcel_id      uuid not null references parcels on delete cascade,
  file_key       text collate "C" not null,
  chunk_index    integer not null check (chunk_index >= 0),
  segment_id     uuid not null,
  segment_offset bigint not null,
  length         bigint not null,
  crc32          bigint not null,
  -- Set under DURABILITY=os until a sync has covered the extent: the boot it was written in.
  boot_id        text,
  created_at     timestamptz not null,
  primary key (parcel_id, file_key, chunk_index)
);

create index chunks_boot_id on chunks (parcel_id) where boot_id is not null;

create table files (
  id            integer generated always as identity primary key,
  parcel_id     uuid not null references parcels on delete cascade,
  file_key      text collate "C" not null,
  original_name text not null,
  -- The name in the archive: original_name made unique and safe for every file system.
  entry_name    text not null,
  size          bigint not null,
  mime_type     text not null,
  crc32         bigint not null,
  damaged_at    timestamptz,
  created_at    timestamptz not null
);

create index files_parcel_id on files (parcel_id, id);

-- A file is its extents in order; adjacent chunks are merged into one.
create table extents (
  file_id        integer not null references files on delete cascade,
  position       integer not null,
  segment_id     uuid not null,
  segment_offset bigint not null,
  length         bigint not null,
  crc32          bigint not null,
  primary key (file_id, position)
);
