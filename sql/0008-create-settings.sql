-- What administrators have set; a key that is not here has its default (settings/table.ts).
create table settings (
  key        text primary key,
  value      jsonb not null,
  updated_at timestamptz not null
);
