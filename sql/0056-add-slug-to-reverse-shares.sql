-- A second name of the link, chosen by its owner. Of two that differ only in case, one can exist.
alter table reverse_shares add column slug text check (slug ~ '^[A-Za-z0-9_-]{3,50}$');
create unique index reverse_shares_slug on reverse_shares (lower(slug collate "C"));
-- A slug must not be the id of a reverse share either, in any case.
create index reverse_shares_folded_id on reverse_shares (lower(id collate "C"));
