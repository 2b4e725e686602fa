-- The owner gets emails about downloads that ended after `notify_downloads_since`; null for none.
alter table shares
  add column notify_downloads_since timestamptz,
  add column downloads_emailed_at timestamptz;

create index shares_notify_downloads on shares (downloads_emailed_at)
  where notify_downloads_since is not null;
