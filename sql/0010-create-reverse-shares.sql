-- A link at which guests deliver files. Expiring closes it for guests; what was delivered stays.
create table reverse_shares (
  id                text primary key,
  owner_id          integer not null references users on delete cascade,
  name              text not null,
  -- Bytes that all deliveries together may hold; 0 for no limit.
  max_size          bigint not null check (max_size >= 0),
  password_hash     text,
  notify            boolean not null,
  send_email_to     text not null,
  thank_you_message text not null,
  expires_at        timestamptz,
  created_at        timestamptz not null
);

create index reverse_shares_owner_id on reverse_shares (owner_id, created_at desc, id);

-- What one guest uploads in one go: a draft until it is finalized.
create table deliveries (
  id                uuid primary key,
  reverse_share_id  text not null references reverse_shares on delete cascade,
  parcel_id         uuid not null unique references parcels,
  state             text not null check (state in ('draft', 'complete')),
  sender_name       text not null,
  sender_email      text not null,
  note              text not null,
  -- Hash of the list that finalized it, and its revision, as in shares.
  list_hash         bytea,
  revision          uuid,
  manifest_revision uuid,
  created_at        timestamptz not null,
  finalized_at      timestamptz
);

create index deliveries_reverse_share_id on deliveries (reverse_share_id, created_at desc, id);
create index deliveries_drafts on deliveries (created_at) where state = 'draft';
create index deliveries_manifest_due on deliveries (id)
  where state = 'complete' and manifest_revision is distinct from revision;
