-- Mails to send, written by the transaction of the act they tell of, one row a recipient. Sent ones
-- stay for a while without their content; dead letters until an administrator has had time to look.
create table mails (
  id              uuid primary key,
  kind            text not null,
  recipient       text not null,
  -- What the mail is about, such as 'share:<id>': for taking it back.
  topic           text not null,
  -- Subject, text and HTML: they hold links, which are keys. Null once sent.
  content_sealed  bytea,
  created_at      timestamptz not null,
  -- After this nobody has a use for it.
  useful_until    timestamptz,
  -- Begin of the trying, anew with every retry by hand.
  queued_at       timestamptz not null,
  attempts        integer not null default 0,
  next_attempt_at timestamptz not null,
  -- The process that is sending it now, and until when nobody else may.
  process_id      uuid,
  leased_until    timestamptz,
  last_error      text not null default '',
  sent_at         timestamptz,
  dead_at         timestamptz
);

create index mails_due on mails (next_attempt_at) where sent_at is null and dead_at is null;
create index mails_topic on mails (topic) where sent_at is null and dead_at is null;
create index mails_created_at on mails (created_at desc, id);
