-- Who did what to which thing: written by the transaction of the act. Nothing here refers to other
-- tables, because these rows outlive the accounts and things they tell of.
create table audit (
  id            bigint generated always as identity primary key,
  at            timestamptz not null,
  actor_kind    text not null
    check (actor_kind in ('user', 'guest', 'anonymous', 'operator', 'system')),
  actor_user_id integer,
  -- As it was then; empty for everybody but users.
  actor_email   text not null,
  -- One of audit/acts.ts.
  act           text not null,
  target_kind   text not null,
  target_id     text not null,
  -- As it was then: an account's is its e-mail address.
  target_name   text not null,
  -- Empty for the operator and the service itself.
  ip            text not null,
  details       jsonb not null
);

-- One for each filter; the newest rows come first.
create index audit_at on audit (at);
create index audit_actor_user_id on audit (actor_user_id, id);
create index audit_actor_email on audit (lower(actor_email), id);
create index audit_act on audit (act text_pattern_ops, id);
create index audit_target_id on audit (target_id, id);
create index audit_target_name on audit (lower(target_name), id);
create index audit_ip on audit (ip, id);

-- A request is answered in the background: its row in the log tells where it came from.
alter table password_reset_requests add column ip text not null default '';
