-- Waiting requests take turns by network. Those of unknown addresses are no longer stored.
alter table password_reset_requests
  add column network text not null default '',
  add column turn    integer not null default 0;

comment on table password_reset_requests is
  'Requests of known addresses, until a background task has written the email.';
