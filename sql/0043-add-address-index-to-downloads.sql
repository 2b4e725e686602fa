-- A client without a cookie resumes what its address has begun. Without this, each try reads all
-- downloads of the share.
create index downloads_address on downloads (share_id, target, ip, started_at desc);
