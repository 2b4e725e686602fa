-- How emails are written to the account; null for the settings.
alter table preferences
  add column language text,
  add column time_zone text;
