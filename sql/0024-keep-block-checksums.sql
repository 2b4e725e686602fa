-- CRC-32s of blocks of 128 KiB, four bytes each, so that any range can be checked without reading
-- all of its extent. Null for one block at most, whose checksum is the crc32 of the row; null in
-- longer rows from before this column, until `transfer verify` has read them.
alter table chunks add column blocks bytea;
alter table extents add column blocks bytea;

-- Damaged files are refused: asked for with every download.
create index files_damaged on files (parcel_id) where damaged_at is not null;
