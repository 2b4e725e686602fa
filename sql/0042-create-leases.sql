-- A transfer, as people count them: a client takes a share within 24 hours, in as many downloads as
-- it likes. Its first download has the same id.
create table leases (
  id               uuid primary key,
  -- Not referenced: rows outlive their share, and are freed in pages.
  share_id         text not null,
  -- A lease pays and unlocks only while the share has the password that it was opened under.
  password_version integer not null,
  token_hash       bytea not null,
  opened_at        timestamptz not null,
  -- False once the count was given back.
  counted          boolean not null default true,
  bytes_charged    bigint not null,
  bytes_max        bigint not null
);

-- Until now each target of a client was counted for itself. Downloads of a deleted share may still
-- wait to be freed.
insert into leases (
  id, share_id, password_version, token_hash, opened_at, counted, bytes_charged, bytes_max
)
select downloads.id, share_id, downloads.password_version, lease_hash, started_at, counted,
  bytes_charged, greatest(2 * shares.total_size, bytes_charged)
from downloads
left join shares on shares.id = downloads.share_id;

create index leases_token on leases (share_id, token_hash, opened_at desc);

alter table downloads add column lease_id uuid references leases on delete cascade;
-- Selections were named by the ids of their files, which can be too long for an index.
update downloads
set lease_id = id,
    target = case
      when target ~ '^(archive|tar):' then split_part(target, ':', 1) || ':' ||
        encode(sha256(convert_to(split_part(target, ':', 2), 'UTF8')), 'hex')
      else target
    end;
alter table downloads
  alter column lease_id set not null,
  drop column lease_hash,
  drop column bytes_charged,
  drop column counted,
  drop column password_version;

-- One row for each target of a lease.
create unique index downloads_lease on downloads (lease_id, target);
