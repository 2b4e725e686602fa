-- A second name of the share, chosen by its owner, for its link. Of two that differ in case alone
-- only one can be.
alter table shares add column slug text check (slug ~ '^[A-Za-z0-9_-]{3,50}$');
create unique index shares_slug on shares (lower(slug collate "C"));
-- A slug must not be the id of a share either, in any case.
create index shares_folded_id on shares (lower(id collate "C"));

-- A draft whose owner shows the link before the files have arrived.
alter table shares add column published boolean not null default false;

-- Grows when the password is set, changed or removed: a download pays and unlocks only while the
-- share has the version it began under.
alter table shares add column password_version integer not null default 0;
alter table downloads add column password_version integer not null default 0;
