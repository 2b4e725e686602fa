-- When administrators were last emailed about each kind of problem: at most once a day, also
-- over restarts.
create table administrator_notices (
  kind    text collate "C" primary key,
  -- What a notice that is not repeated was about: the newest migration of an update.
  about   text not null,
  sent_at timestamptz not null
);

-- Tokens for monitoring read the metrics and nothing else.
alter table api_tokens
  drop constraint api_tokens_scopes_known,
  add constraint api_tokens_scopes_known check (
    cardinality(scopes) > 0
    and scopes <@ array['read', 'send', 'manage', 'administer', 'metrics']
  );
