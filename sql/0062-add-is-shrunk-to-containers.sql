-- Bytes never move within a container: a segment goes once nothing refers to it. Set when live bytes
-- became fewer, until a job has looked for such segments.
alter table containers add column is_shrunk boolean not null default false;
create index containers_shrunk on containers (id) where is_shrunk;

alter table shares drop column generation, drop column compacted_generation;
alter table segments drop column damaged_at;
