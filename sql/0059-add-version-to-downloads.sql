-- The version that a download began with, and the end of what its client may have of it. A client
-- resumes without a cookie or If-Range (`curl -C -`), and must not join two versions.
alter table downloads
  add column etag text,
  add column sent_to bigint not null default 0;
