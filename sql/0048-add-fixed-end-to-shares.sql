-- Whether a share expires at a moment that its owner chose, instead of some days after finalize.
alter table shares add column fixed_end boolean not null default false;
alter table shares alter column fixed_end drop default;
