-- Grows when the logins of the account are ended: upload tokens given before end with them.
alter table users add column upload_version integer not null default 0;
