-- The newest mail to each recipient of one topic, sent and dead ones too.
create index mails_newest on mails (topic, recipient, created_at desc, id);

-- Whether the last failure was about this very mail. Others, such as a server that is away, tell of
-- the machinery: only administrators read those.
alter table mails add column is_refused boolean not null default false;
