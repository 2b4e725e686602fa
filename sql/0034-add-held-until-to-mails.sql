-- Until when a mail gathers what follows, and then is sent; null for one that is sent at once.
alter table mails add column held_until timestamptz;
