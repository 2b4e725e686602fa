-- For how many clients have only previewed files: those whose first download is a preview.
create index downloads_previews on downloads (share_id)
  where id = lease_id and target like 'preview:%';
