-- What a token may do. Tokens made before keep what they could do, but for what no token may any
-- more: those of administrators administer, the others do not, even if their holder is promoted.
alter table api_tokens add column scopes text[];

update api_tokens
set scopes = case
  when users.is_admin then array['read', 'send', 'manage', 'administer']
  else array['read', 'send', 'manage']
end
from users
where users.id = api_tokens.user_id;

alter table api_tokens
  alter column scopes set not null,
  add constraint api_tokens_scopes_known check (
    cardinality(scopes) > 0 and scopes <@ array['read', 'send', 'manage', 'administer']
  );
