-- What is deleted or has expired is hidden by one small transaction. Its rows and bytes are freed
-- afterwards in pages, each in its own transaction; a tombstone says what is left to free.
alter table tombstones
  -- 'chunks': what arrived of dropped additions. 'contents': files and bytes of an expired share,
  -- whose row stays. 'container': everything.
  add column frees text not null default 'container'
    check (frees in ('chunks', 'contents', 'container')),
  -- The share it belonged to: its downloads are freed too, or are waited for when it has expired.
  add column share_id text,
  -- Attempts that failed, and when the next one is due; null for now.
  add column attempts integer not null default 0,
  add column next_try_at timestamptz,
  add column last_error text not null default '';

-- Tombstones of shares that had expired before this version: their rows stay.
update tombstones
set frees = 'contents'
from parcels
where parcels.id = tombstones.parcel_id;

create index tombstones_created_at on tombstones (created_at, parcel_id);

-- Set before the first byte is freed: no new segment from then on.
alter table parcels add column is_buried boolean not null default false;

-- A share may have a million downloads: deleting its row must not delete theirs in one statement.
alter table downloads drop constraint downloads_share_id_fkey;

-- Running downloads of an expired share keep its bytes.
create index downloads_reading on downloads (share_id, started_at) where running > 0;
