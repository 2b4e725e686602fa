-- The schema of version 1.0.0. Later changes are migrations of their own, forward only.
-- Times that end something are compared with the clock of the service, not of the database.


-- Accounts (src/accounts)

create table users (
  id             integer generated always as identity primary key,
  email          text not null,
  name           text not null,
  -- Empty for an account without a password, which a sign-in provider has made.
  password_hash  text not null,
  is_admin       boolean not null default false,
  disabled_at    timestamptz,
  -- Set while an invited account has no password of its own.
  invited_at     timestamptz,
  -- Set while a person who has signed up waits for approval; the account is disabled until then.
  requested_at   timestamptz check (requested_at is null or disabled_at is not null),
  -- Bytes of storage for this account: 0 for no limit, null for what the settings say.
  quota          bigint check (quota >= 0),
  -- Grows when the sessions of the account are ended: upload tokens given before end with them.
  upload_version integer not null default 0,
  -- False once its holder has entered another address, until they set a password by a link to it.
  email_verified boolean not null default true,
  created_at     timestamptz not null
);

-- Email addresses are compared without their case, and shown as they were given.
create unique index users_email_key on users (lower(email));

-- Passkeys (WebAuthn credentials) of accounts, with the public half of their keys.
create table passkeys (
  id            uuid primary key,
  user_id       integer not null references users on delete cascade,
  name          text not null,
  -- Base64url.
  credential_id text not null unique,
  -- A COSE key.
  public_key    bytea not null,
  -- Signatures that the authenticator has counted; 0 if it counts none.
  counter       bigint not null,
  transports    text[] not null,
  -- The account's name at its authenticators: random, and the same for all its passkeys.
  user_handle   text not null,
  created_at    timestamptz not null,
  last_used_at  timestamptz
);

create index passkeys_user_id on passkeys (user_id);

-- Values that were answered: challenges of passkeys, sign-ins with a provider, and logout tokens. Each
-- is good for one answer. They are signed, so that unanswered ones need no row.
create table used_challenges (
  challenge_hash bytea primary key,
  expires_at     timestamptz not null
);

-- Sign-in providers (OpenID Connect).
create table oidc_providers (
  -- Part of the address to which the provider sends browsers back.
  id                   text primary key,
  name                 text not null,
  issuer               text not null,
  client_id            text not null,
  -- Null for a client without one.
  secret_sealed        bytea,
  -- Which accounts a verified email address may link to a new identity.
  linking              text not null check (linking in ('off', 'no_password', 'all')),
  -- Who gets an account at the first sign-in.
  creation             text not null check (creation in ('off', 'domains', 'all')),
  domains              text[] not null,
  -- Whether addresses count as verified of which the provider says nothing.
  trusts_email         boolean not null,
  -- Whether its sign-ins count as both factors.
  trusts_second_factor boolean not null,
  -- Empty for none.
  groups_claim         text not null,
  admin_group          text not null,
  -- [{"group": text, "quota": bytes}]
  group_quotas         jsonb not null,
  -- When a sign-in or a test first succeeded with its present issuer and credentials.
  worked_at            timestamptz,
  created_at           timestamptz not null
);

-- Users of issuers, linked to accounts. An email address is no part of an identity.
create table oidc_identities (
  id           uuid primary key,
  user_id      integer not null references users on delete cascade,
  issuer       text not null,
  subject      text not null,
  -- Their email address or name there, for people.
  name         text not null,
  created_at   timestamptz not null,
  last_used_at timestamptz,
  unique (issuer, subject)
);

create index oidc_identities_user_id on oidc_identities (user_id);

create table sessions (
  id           uuid primary key,
  user_id      integer not null references users on delete cascade,
  created_at   timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at   timestamptz not null,
  -- When its holder last proved who they are, at the sign-in or later, and by what: one of several
  -- factors, all that a sign-in takes, or a passkey.
  confirmed_at timestamptz not null,
  confirmed_by text not null default 'all' check (confirmed_by in ('one', 'all', 'passkey')),
  -- The passkey that has verified its holder; removing it ends the session.
  passkey_id   uuid references passkeys on delete cascade,
  -- The provider and the identity that started it; removing one of them ends the session.
  provider_id  text references oidc_providers on delete cascade,
  identity_id  uuid references oidc_identities on delete cascade,
  -- The provider's name for its own session (`sid`).
  provider_session text,
  ip           text not null,
  user_agent   text not null,
  -- Started for the user of the proxy: ends for requests of another user of it.
  is_by_proxy  boolean not null default false
);

create index sessions_user_id on sessions (user_id);
create index sessions_passkey_id on sessions (passkey_id) where passkey_id is not null;
create index sessions_identity_id on sessions (identity_id) where identity_id is not null;
create index sessions_provider_id on sessions (provider_id, provider_session)
  where provider_id is not null;
create index sessions_expires_at on sessions (expires_at);

-- Beside the accounts and not in them: otherwise sign-ins and changes of an account would wait for
-- each other.
create table last_sign_ins (
  user_id integer primary key references users on delete cascade,
  at      timestamptz not null
);

-- The newest ten addresses from which an account was signed in to: their owners are not delayed by
-- failed guesses of others.
create table sign_in_addresses (
  user_id integer not null references users on delete cascade,
  address text not null,
  seen_at timestamptz not null,
  primary key (user_id, address)
);

create table second_factors (
  user_id       integer primary key references users on delete cascade,
  secret_sealed bytea not null,
  -- Null until the first code has shown that the device has the secret.
  enabled_at    timestamptz,
  -- The time step of the last code: codes of this step and earlier ones are not valid again.
  last_step     bigint not null default 0,
  created_at    timestamptz not null
);

create table recovery_codes (
  user_id   integer not null references second_factors on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

create table api_tokens (
  id           uuid primary key,
  user_id      integer not null references users on delete cascade,
  name         text not null,
  -- The first characters of the token, so that its owner recognises it.
  hint         text not null,
  token_hash   bytea not null unique,
  -- Tokens for monitoring (metrics) read the metrics and nothing else.
  scopes       text[] not null check (
    cardinality(scopes) > 0
    and scopes <@ array['read', 'send', 'manage', 'administer', 'metrics']
  ),
  created_at   timestamptz not null,
  expires_at   timestamptz,
  last_used_at timestamptz
);

create index api_tokens_user_id on api_tokens (user_id);
create index api_tokens_expires_at on api_tokens (expires_at);

-- Requests of known addresses, until a background task has written the email. Networks take turns.
create table password_reset_requests (
  id         uuid primary key,
  email      text not null,
  ip         text not null default '',
  network    text not null default '',
  turn       integer not null default 0,
  created_at timestamptz not null
);

create table password_resets (
  token_hash    bytea primary key,
  user_id       integer not null references users on delete cascade,
  -- The address it was emailed to: after a change of address the link is not valid.
  email         text not null,
  -- Lets an invited account in for the first time.
  is_invitation boolean not null default false,
  -- Emailed, and not handed over by an administrator.
  proves_email  boolean not null default false,
  created_at    timestamptz not null,
  expires_at    timestamptz not null
);

create index password_resets_user_id on password_resets (user_id);
create index password_resets_expires_at on password_resets (expires_at);

-- What the new shares of an account begin with, and how it is written to; null for the settings.
create table preferences (
  user_id          integer primary key references users on delete cascade,
  expiration_val   integer,
  expiration_unit  text,
  max_downloads    integer,
  message          text,
  start_right_away boolean,
  language         text,
  time_zone        text,
  check ((expiration_val is null) = (expiration_unit is null))
);

-- Bytes of the shares and deliveries of each account, as counted for its quota: kept by the triggers
-- below the file requests. An account has a row for each of a few parts of its containers, so that
-- uploads to different shares rarely wait for each other.
create table usage (
  user_id      integer not null references users on delete cascade,
  part         smallint not null,
  -- Of files and received chunks.
  live_bytes   bigint not null,
  -- On disk: those that were replaced or removed too, until their segments go.
  stored_bytes bigint not null,
  primary key (user_id, part)
);

-- The address book of an account, visible only to its holder.
create table contacts (
  id         uuid primary key,
  user_id    integer not null references users on delete cascade,
  email      text not null,
  -- Empty when none was given.
  name       text not null,
  created_at timestamptz not null
);

create unique index contacts_email_key on contacts (user_id, lower(email));


-- Settings (src/settings)

-- What administrators have set; a key without a row has its default (settings/table.ts).
create table settings (
  key        text primary key,
  value      jsonb not null,
  updated_at timestamptz not null
);


-- Bytes (src/bytes)

-- A folder or bucket that holds segments. Its marker has the same id: without it nothing is written,
-- so that a disk that is not mounted is not taken for an empty one. There is one, or two while files
-- are moved: then both are read, and the current one gets new segments.
create table storage_roots (
  id         uuid primary key,
  is_current boolean not null,
  created_at timestamptz not null
);

-- Which roots each process has open: files are not moved while one of them would not find them.
create table root_openings (
  process_id uuid not null,
  root_id    uuid not null,
  primary key (process_id, root_id)
);

-- Owns segments: append-only files on disk with the bytes of one share or one delivery.
create table containers (
  id            uuid primary key,
  -- Bytes on disk that were ever committed, replaced chunks included.
  used_bytes    bigint not null default 0,
  -- Bytes of chunks and files.
  live_bytes    bigint not null default 0,
  -- Set when live bytes became fewer, until a job has looked for segments without any.
  is_shrunk     boolean not null default false,
  -- Set before its first byte is freed: from then on it gets no new segment.
  is_tombstoned boolean not null default false,
  -- When bytes were last counted: a draft whose bytes have just arrived is being sent.
  changed_at    timestamptz,
  created_at    timestamptz not null
);

create index containers_shrunk on containers (id) where is_shrunk;

create table segments (
  id            uuid primary key,
  container_id  uuid not null references containers on delete cascade,
  -- Where its bytes are. A former root may have a copy of them until all segments have moved.
  root_id       uuid not null references storage_roots,
  -- The process that may append; null once none does.
  owner_id      uuid,
  committed_end bigint not null default 0,
  created_at    timestamptz not null
);

create index segments_container_id on segments (container_id);
create index segments_owner_id on segments (owner_id) where owner_id is not null;

-- Segments without live bytes; removed when no transfer reads them.
create table segment_tombstones (
  segment_id   uuid primary key,
  container_id uuid not null references containers on delete cascade,
  created_at   timestamptz not null
);

create index segment_tombstones_container_id on segment_tombstones (container_id);

-- What is deleted or has expired is hidden by one small transaction, which writes this row. Its rows
-- and bytes are freed afterwards in pages, each in its own transaction.
create table tombstones (
  container_id uuid primary key,
  -- 'chunks': of additions that were given up. 'contents': files and bytes of an expired share, whose
  -- row stays. 'container': everything.
  frees        text not null default 'container'
    check (frees in ('chunks', 'contents', 'container')),
  -- The share it belonged to: its downloads are freed too, or are waited for when it has expired.
  share_id     text,
  -- Attempts that failed, and when the next one is due; null for now.
  attempts     integer not null default 0,
  next_try_at  timestamptz,
  last_error   text not null default '',
  created_at   timestamptz not null
);

create index tombstones_created_at on tombstones (created_at, container_id);

-- What has arrived of files that are not complete yet.
create table chunks (
  container_id     uuid not null references containers on delete cascade,
  file_key         text collate "C" not null,
  chunk_index      integer not null check (chunk_index >= 0),
  segment_id       uuid not null,
  segment_offset   bigint not null,
  length           bigint not null,
  crc32            bigint not null,
  -- CRC-32s of blocks of 128 KiB, four bytes each, so that any range can be checked without reading
  -- its whole extent. Null for one block at most, whose checksum is crc32.
  blocks           bytea,
  -- What finalize needs to complete a share with the files that have arrived: set in the first chunk
  -- of a file; size and date only where the sender has given them (a tar archive does).
  file_name        text,
  file_size        bigint,
  file_modified_at timestamptz,
  created_at       timestamptz not null,
  primary key (container_id, file_key, chunk_index),
  check (
    coalesce(octet_length(blocks), 0)
      = case when length > 131072 then 4 * ((length + 131071) / 131072) else 0 end
  )
);

create table files (
  id            integer generated always as identity primary key,
  container_id  uuid not null references containers on delete cascade,
  file_key      text collate "C" not null,
  original_name text not null,
  -- The name in archives: original_name made unique and safe for every file system.
  entry_name    text not null,
  size          bigint not null,
  mime_type     text not null,
  crc32         bigint not null,
  -- When the file was last changed at its sender; null where the sender has not said it.
  modified_at   timestamptz,
  -- Part of the file's ETag: ids come again when an older backup is restored, and other bytes must
  -- not have the same tag.
  tag_seed      uuid not null default gen_random_uuid(),
  has_thumbnail boolean not null default false,
  -- Damaged files are refused.
  damaged_at    timestamptz,
  created_at    timestamptz not null
);

create index files_container_id on files (container_id, id);
create index files_damaged on files (container_id) where damaged_at is not null;

-- A file is its extents in order; adjacent chunks are merged into one.
create table extents (
  file_id        integer not null references files on delete cascade,
  position       integer not null,
  segment_id     uuid not null,
  segment_offset bigint not null,
  length         bigint not null,
  crc32          bigint not null,
  -- As in chunks.
  blocks         bytea,
  primary key (file_id, position),
  check (
    coalesce(octet_length(blocks), 0)
      = case when length > 131072 then 4 * ((length + 131071) / 131072) else 0 end
  )
);

-- Folders of tar archives without a file beneath them. Those of a draft, or of pending additions,
-- have no entry_name yet: archives and lists show the others.
create table folders (
  container_id uuid not null references containers on delete cascade,
  -- Made safe like the names of files, without a slash at its end.
  path         text collate "C" not null,
  -- The name in archives, also without that slash; set when the files are complete.
  entry_name   text,
  created_at   timestamptz,
  primary key (container_id, path),
  check ((entry_name is null) = (created_at is null))
);

-- Small pictures of files, made by the browsers of their senders: of a file that is not complete yet
-- (file_key), or of one that is (file_id).
create table thumbnails (
  container_id uuid not null references containers on delete cascade,
  file_key     text collate "C",
  file_id      integer references files on delete cascade,
  jpeg         bytea not null,
  unique (container_id, file_key),
  unique (file_id),
  check ((file_key is null) <> (file_id is null))
);

-- A JPEG cannot be compressed further.
alter table thumbnails alter column jpeg set storage external;

-- Runs of `transfer verify`: the newest one, which may be unfinished, and the last finished one.
create table verify_runs (
  id            bigint generated always as identity primary key,
  started_at    timestamptz not null,
  -- Null while it runs, and after an interruption: then the next one goes on from `place`.
  finished_at   timestamptz,
  -- Where it is, as JSON: saved together with the counts of what was found up to there.
  place         text not null,
  -- The worker that may go on; another one takes the run over by its own id.
  worker_id     uuid not null,
  -- When the worker was last at work; null once it has ended.
  active_at     timestamptz,
  bytes_checked bigint not null default 0,
  -- What there was to check when it began.
  bytes_total   bigint not null,
  missing       integer not null default 0,
  short         integer not null default 0,
  rotten        integer not null default 0,
  orphaned      integer not null default 0,
  -- Host and folder of the storage: a copy of the data does not resume a run of the original.
  storage_place text not null default '',
  -- When the worker left or last reported; old progress is not resumed.
  progress_at   timestamptz not null default now(),
  -- Bytes that had been checked before the run was last resumed.
  resumed_bytes bigint not null default 0,
  -- Why the last worker ended early.
  last_error    text
);

-- What was received and sent on each day (UTC). Days on which the service did not run have no row.
create table traffic_days (
  day            date primary key,
  received_bytes bigint not null,
  sent_bytes     bigint not null,
  -- Bytes on disk when the row was last written, so at the end of a day that is over.
  stored_bytes   bigint not null,
  uploads        integer not null,
  downloads      integer not null
);


-- Shares (src/shares)

create table shares (
  id                     text primary key,
  owner_id               integer not null references users on delete cascade,
  container_id           uuid not null unique references containers,
  -- An expired share keeps its row, so that its link says so; its files and their bytes are gone.
  state                  text not null check (state in ('draft', 'complete', 'expired')),
  name                   text not null,
  message                text not null,
  recipients             text not null,
  -- A second name of the share for its link, chosen by its owner.
  slug                   text check (slug ~ '^[A-Za-z0-9_-]{3,50}$'),
  -- A draft whose owner shows the link before the files have arrived.
  published              boolean not null default false,
  password_hash          text,
  -- Whether the link opens for anyone, or only the personal links do.
  audience               text not null default 'anyone' check (audience in ('anyone', 'named')),
  -- What the holder of a personal link shows besides: a code from an email, or their account.
  recipient_proof        text not null default 'none'
    check (recipient_proof in ('none', 'code', 'account')),
  -- Grows when the password, the audience or the proof changes: a download is counted and continued
  -- only while the share has the version it began under.
  password_version       integer not null default 0,
  max_downloads          integer not null check (max_downloads >= 0),
  download_count         integer not null default 0,
  -- The requested time: finalize starts it again, unless the owner chose a moment.
  expiration_val         integer not null,
  expiration_unit        text not null,
  fixed_end              boolean not null,
  expires_at             timestamptz,
  -- Hash of the list of files that finalized it: the same list again gets the same answer.
  list_hash              bytea,
  -- Changes whenever the files change; ETags are made from it.
  revision               uuid,
  -- The revision that manifest.json beside the segments describes.
  manifest_revision      uuid,
  total_size             bigint not null default 0,
  -- Bytes that a draft will have, as its owner says; 0 when that is not known. Recipients of a
  -- published draft see how much of it has arrived.
  expected_bytes         bigint not null default 0 check (expected_bytes >= 0),
  -- Since when additions are pending, or when they were last asked for again; null when none are.
  -- Until they are finalized only the owner sees them.
  adding_since           timestamptz,
  -- The additions that upload tokens are good for; kept when they end, so that finalize can be
  -- repeated.
  additions_id           uuid,
  -- The answer about emails to recipients of the files added last, for the same finalize again; null
  -- when none were asked for.
  email_outcome          text,
  -- The owner gets emails about downloads that ended after this time; null for none.
  notify_downloads_since timestamptz,
  downloads_emailed_at   timestamptz,
  created_at             timestamptz not null,
  finalized_at           timestamptz,
  -- When the files changed last, after finalized_at.
  revised_at             timestamptz
);

create index shares_owner_id on shares (owner_id, created_at desc, id);
create index shares_newest on shares (created_at desc, id);
-- Slugs are unique regardless of case. None looks like an id (lib/random-id.ts).
create unique index shares_slug on shares (lower(slug collate "C"));
create index shares_expires_at on shares (expires_at) where state = 'complete';
create index shares_drafts on shares (created_at desc, id) where state = 'draft';
create index shares_adding on shares (adding_since) where adding_since is not null;
create index shares_manifest_due on shares (id)
  where state = 'complete' and manifest_revision is distinct from revision;
create index shares_notify_downloads on shares (downloads_emailed_at)
  where notify_downloads_since is not null and state = 'complete';

-- The link of one person to a share. Revoked links stay, for the activity of their share.
create table personal_links (
  id              uuid primary key,
  share_id        text not null references shares on delete cascade,
  -- Stands in the link in place of the id of the share; as secret, and shown to the owner again.
  token           text not null unique,
  -- Empty for a person without one: the owner passes the link on.
  email           text not null,
  name            text not null,
  created_at      timestamptz not null,
  revoked_at      timestamptz,
  first_opened_at timestamptz,
  last_opened_at  timestamptz,
  -- The code that was emailed last, as a keyed hash; null once it was used.
  code_hash       text,
  code_sent_at    timestamptz,
  code_tries      integer not null default 0
);

create index personal_links_share_id on personal_links (share_id, created_at);
create unique index personal_links_email on personal_links (share_id, lower(email))
  where revoked_at is null and email <> '';

-- A download as people count it: a client takes a share within 24 hours, in as many transfers as it
-- likes. The first of its downloads has the same id. The share is not referenced: rows outlive it,
-- and are freed in pages.
create table leases (
  id                    uuid primary key,
  share_id              text not null,
  -- The personal link that it was opened with.
  link_id               uuid,
  password_version      integer not null,
  token_hash            bytea not null,
  opened_at             timestamptz not null,
  -- False once the count was given back.
  counted               boolean not null default true,
  bytes_used            bigint not null,
  bytes_max             bigint not null,
  -- Previews have a budget of their own, so that looking at files leaves the downloads.
  preview_bytes_used    bigint not null default 0
);

create index leases_token on leases (share_id, token_hash, opened_at desc);
create index leases_link on leases (link_id) where link_id is not null;

-- One row for each target of a lease: the owner's activity, and what a broken transfer resumes from.
create table downloads (
  id          uuid primary key,
  lease_id    uuid not null references leases on delete cascade,
  share_id    text not null,
  -- 'archive', 'archive:<hash of the selection>', 'tar…', 'file:<id>' or 'preview:<id>'.
  target      text not null,
  ip          text not null,
  user_agent  text not null,
  started_at  timestamptz not null,
  finished_at timestamptz,
  -- Transfers that run now, and the process they run in.
  running     integer not null default 0,
  process_id  uuid,
  bytes_sent  bigint not null default 0,
  -- The version that the client has, and the end of what it may have of it: a client that resumes
  -- without a cookie or If-Range must not join two versions.
  etag        text,
  sent_to     bigint not null default 0
);

create unique index downloads_lease on downloads (lease_id, target);
create index downloads_share_id on downloads (share_id, started_at desc);
-- A client without a cookie resumes what its address has begun.
create index downloads_address on downloads (share_id, target, ip, started_at desc);
create index downloads_running on downloads (process_id) where running > 0;
-- Running downloads of an expired share keep its bytes.
create index downloads_reading on downloads (share_id, started_at) where running > 0;
-- Counts the clients that have only previewed files.
create index downloads_previews on downloads (share_id)
  where id = lease_id and target like 'preview:%';


-- File requests (src/requests)

-- A link at which guests deliver files. Expiring closes it for guests; what was delivered stays.
create table reverse_shares (
  id                 text primary key,
  owner_id           integer not null references users on delete cascade,
  name               text not null,
  slug               text check (slug ~ '^[A-Za-z0-9_-]{3,50}$'),
  -- Bytes of all deliveries together; 0 for no limit.
  max_size           bigint not null check (max_size >= 0),
  password_hash      text,
  notify             boolean not null,
  send_email_to      text not null,
  instructions       text not null default '',
  thank_you_message  text not null,
  -- In lower case, without their dot; empty for files of every kind.
  allowed_extensions text[] not null default '{}',
  -- What guests have to tell: any of name, email, note.
  required_fields    text[] not null default '{}',
  -- Guests read whether the owner may share what they send.
  allow_sharing      boolean not null,
  -- Closed by the first delivery that is completed.
  once               boolean not null default false,
  closed_at          timestamptz,
  expires_at         timestamptz,
  created_at         timestamptz not null
);

create index reverse_shares_owner_id on reverse_shares (owner_id, created_at desc, id);
-- As for shares.
create unique index reverse_shares_slug on reverse_shares (lower(slug collate "C"));

-- What one guest uploads in one go: a draft until it is finalized.
create table deliveries (
  id                uuid primary key,
  reverse_share_id  text not null references reverse_shares,
  container_id      uuid not null unique references containers,
  state             text not null check (state in ('draft', 'complete')),
  sender_name       text not null,
  sender_email      text not null,
  note              text not null,
  -- As the link said when the delivery began.
  allow_sharing     boolean not null,
  -- Guests of one network share a bound for chunks that are sent again or discarded.
  network_hash      bytea not null,
  -- As in shares.
  list_hash         bytea,
  revision          uuid,
  manifest_revision uuid,
  created_at        timestamptz not null,
  finalized_at      timestamptz,
  -- When the owner saw it first.
  seen_at           timestamptz
);

create index deliveries_reverse_share_id on deliveries (reverse_share_id, created_at desc, id);
create index deliveries_drafts on deliveries (created_at) where state = 'draft';
create index deliveries_manifest_due on deliveries (id)
  where state = 'complete' and manifest_revision is distinct from revision;


-- Bytes of accounts (src/accounts): triggers keep the table usage, so that no statement forgets it.
-- The owner of a container is read under a lock, so that it neither changes nor ends meanwhile; the
-- rows of usage are locked last, and by every statement in the same order.

create function add_usage(
  user_ids integer[], container_ids uuid[], live_sizes bigint[], stored_sizes bigint[]
)
returns void language sql as $$
  insert into usage (user_id, part, live_bytes, stored_bytes)
  select users.id, get_byte(uuid_send(container_id), 15) % 8, sum(live), sum(stored)
  from unnest(user_ids, container_ids, live_sizes, stored_sizes)
    as moved (user_id, container_id, live, stored)
  join users on users.id = moved.user_id
  group by 1, 2
  having (sum(live), sum(stored)) <> (0, 0)
  order by 1, 2
  on conflict (user_id, part) do update
  set live_bytes = usage.live_bytes + excluded.live_bytes,
      stored_bytes = usage.stored_bytes + excluded.stored_bytes
$$;

-- Runs for each row, because no statement changes the bytes of several containers: it takes half the
-- time of one for each statement.
create function count_container() returns trigger language plpgsql as $$
declare
  counting_id integer;
begin
  select owner_id into counting_id
  from shares
  where container_id = new.id and state <> 'expired'
  for share;
  if not found then
    select owner_id into counting_id
    from deliveries
    join reverse_shares on reverse_shares.id = deliveries.reverse_share_id
    where deliveries.container_id = new.id
    for key share of reverse_shares for share of deliveries;
  end if;
  if found then
    insert into usage (user_id, part, live_bytes, stored_bytes)
    values (
      counting_id, get_byte(uuid_send(new.id), 15) % 8,
      new.live_bytes - old.live_bytes, new.used_bytes - old.used_bytes
    )
    on conflict (user_id, part) do update
    set live_bytes = usage.live_bytes + excluded.live_bytes,
        stored_bytes = usage.stored_bytes + excluded.stored_bytes;
  end if;
  return null;
end $$;

create trigger count_updated after update on containers
for each row
when ((new.live_bytes, new.used_bytes) <> (old.live_bytes, old.used_bytes))
execute function count_container();

create function count_shares() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_usage(
      array_agg(owner_id), array_agg(containers.id), array_agg(live_bytes), array_agg(used_bytes)
    )
    from new_rows
    join containers on containers.id = container_id
    where state <> 'expired';
  elsif tg_op = 'DELETE' then
    perform add_usage(
      array_agg(owner_id), array_agg(containers.id), array_agg(-live_bytes), array_agg(-used_bytes)
    )
    from old_rows
    join containers on containers.id = container_id
    where state <> 'expired';
  else
    perform add_usage(
      array_agg(moved.owner_id), array_agg(moved.id), array_agg(moved.live),
      array_agg(moved.stored)
    )
    from new_rows
    join old_rows using (id)
    join containers on containers.id = new_rows.container_id
    cross join lateral (
      values (old_rows.owner_id, old_rows.state, containers.id, -live_bytes, -used_bytes),
        (new_rows.owner_id, new_rows.state, containers.id, live_bytes, used_bytes)
    ) as moved (owner_id, state, id, live, stored)
    where moved.state <> 'expired'
      and (new_rows.owner_id, new_rows.state = 'expired')
        <> (old_rows.owner_id, old_rows.state = 'expired');
  end if;
  return null;
end $$;

create trigger count_inserted after insert on shares
referencing new table as new_rows for each statement execute function count_shares();
create trigger count_updated after update on shares
referencing old table as old_rows new table as new_rows
for each statement execute function count_shares();
create trigger count_deleted after delete on shares
referencing old table as old_rows for each statement execute function count_shares();

create function count_deliveries() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_usage(
      array_agg(owner_id), array_agg(containers.id), array_agg(live_bytes), array_agg(used_bytes)
    )
    from new_rows
    join reverse_shares on reverse_shares.id = reverse_share_id
    join containers on containers.id = container_id;
  else
    perform add_usage(
      array_agg(owner_id), array_agg(containers.id), array_agg(-live_bytes), array_agg(-used_bytes)
    )
    from old_rows
    join reverse_shares on reverse_shares.id = reverse_share_id
    join containers on containers.id = container_id;
  end if;
  return null;
end $$;

create trigger count_inserted after insert on deliveries
referencing new table as new_rows for each statement execute function count_deliveries();
create trigger count_deleted after delete on deliveries
referencing old table as old_rows for each statement execute function count_deliveries();

create function count_reverse_shares() returns trigger language plpgsql as $$
begin
  perform add_usage(
    array_agg(moved.owner_id), array_agg(moved.id), array_agg(moved.live), array_agg(moved.stored)
  )
  from new_rows
  join old_rows using (id)
  join deliveries on deliveries.reverse_share_id = new_rows.id
  join containers on containers.id = deliveries.container_id
  cross join lateral (
    values (old_rows.owner_id, containers.id, -live_bytes, -used_bytes),
      (new_rows.owner_id, containers.id, live_bytes, used_bytes)
  ) as moved (owner_id, id, live, stored)
  where new_rows.owner_id <> old_rows.owner_id;
  return null;
end $$;

create trigger count_updated after update on reverse_shares
referencing old table as old_rows new table as new_rows
for each statement execute function count_reverse_shares();


-- Emails (src/email)

-- Emails to send, written by the transaction of what they are about, one row a recipient. Sent ones
-- stay for a while without their content, undeliverable ones until an administrator has had time to
-- look.
create table emails (
  id              uuid primary key,
  kind            text not null,
  recipient       text not null,
  -- What it is about, such as 'share:<id>', so that it can be taken back.
  topic           text not null,
  -- Subject, text and HTML: they hold links, which are secrets. Null once sent.
  content_sealed  bytea,
  created_at      timestamptz not null,
  -- Not sent after this time.
  useful_until    timestamptz,
  -- Until when it collects what follows; null for one that is sent at once.
  held_until      timestamptz,
  -- Start of the attempts; a retry by hand sets it again.
  queued_at       timestamptz not null,
  attempts        integer not null default 0,
  next_attempt_at timestamptz not null,
  -- The process that is sending it now, and until when no other may.
  process_id      uuid,
  leased_until    timestamptz,
  last_error      text not null default '',
  -- Whether the last failure was about this very email, and not about the mail server: only
  -- administrators read those.
  is_refused      boolean not null default false,
  sent_at         timestamptz,
  dead_at         timestamptz
);

create index emails_due on emails (next_attempt_at) where sent_at is null and dead_at is null;
create index emails_topic on emails (topic) where sent_at is null and dead_at is null;
create index emails_newest on emails (topic, recipient, created_at desc, id);
create index emails_created_at on emails (created_at desc, id);


-- The audit log (src/audit)

-- Who did what, written by the same transaction. Nothing here references other tables, because these
-- rows outlive the accounts and things that they name.
create table audit (
  id            bigint generated always as identity primary key,
  at            timestamptz not null,
  actor_kind    text not null
    check (actor_kind in ('user', 'guest', 'anonymous', 'operator', 'system')),
  actor_user_id integer,
  -- Address at the time of the event; empty for all but users.
  actor_email   text not null,
  -- One of audit/events.ts.
  event         text not null,
  target_kind   text not null,
  target_id     text not null,
  -- Name at the time of the event; an account's is its email address.
  target_name   text not null,
  -- A valid address; empty for the operator and for the service itself.
  ip            text not null,
  details       jsonb not null
);

-- One for each filter; the newest rows come first.
create index audit_at on audit (at);
create index audit_actor_user_id on audit (actor_user_id, id);
create index audit_actor_email on audit (lower(actor_email), id);
create index audit_event on audit (event text_pattern_ops, id);
create index audit_target_id on audit (target_id, id);
create index audit_target_name on audit (lower(target_name), id);
create index audit_ip on audit (ip, id);
-- Where addresses are shown by their networks, they are asked for by these.
create index audit_network on audit ((nullif(ip, '')::inet), id);


-- Jobs and the clock (src/jobs)

-- When each job was last done: after a long silence, clean-up waits before it removes anything.
create table job_runs (
  name    text primary key,
  done_at timestamptz not null
);

-- When the service last looked at the clock. A start compares the clock with it: time that neither
-- this boot nor a short downtime explains is doubted (jobs/clock-trust.ts).
create table clock_watch (
  is_only       boolean primary key default true check (is_only),
  boot_id       text not null,
  since_boot_ms bigint not null,
  seen_at       timestamptz not null,
  -- What the clock should have shown at seen_at: the same, unless it is doubted.
  expected_at   timestamptz not null,
  doubted_since timestamptz,
  -- How long the service must still run before it trusts the clock.
  doubt_left_ms bigint not null default 0
);


-- The database itself (src/database)

-- What belongs to this database, so that no process opens it with the secret or the folder of
-- another.
create table identity (
  is_only boolean primary key default true check (is_only),
  id      uuid not null,
  -- A digest of the secret that signs sessions and seals secrets.
  secret  text not null
);

-- Services that share this database. None for a service that has it alone.
create table instances (
  id         uuid primary key,
  started_at timestamptz not null default now(),
  -- Renewed every few seconds; one that has not been seen for 30 seconds is dead.
  seen_at    timestamptz not null default now(),
  -- Containers with bytes that it was sending then: no other instance removes them.
  reading    uuid[] not null default '{}'
);

-- Jobs that run in one instance at a time. A row counts while its instance lives.
create table job_locks (
  name        text primary key,
  instance_id uuid not null
);

-- What instances tell each other, for those that have missed the NOTIFY.
create table signals (
  id          bigint generated always as identity primary key,
  at          timestamptz not null default clock_timestamp(),
  instance_id uuid not null,
  topic       text not null,
  about       text not null
);

create index signals_at on signals (at);

-- Tokens that limiters have given since the others last asked. What a crash loses is forgotten by a
-- restart, too.
create unlogged table limiter_takes (
  instance_id uuid not null,
  -- Counts the batches of an instance.
  seq         bigint not null,
  limiter     text not null,
  key         text not null,
  -- Negative for tokens that were given back.
  change      integer not null,
  at          timestamptz not null default now()
);

create index limiter_takes_seq on limiter_takes (instance_id, seq);


-- Administration (src/admin)

-- When administrators were last emailed about each kind of problem: at most once a day, also over
-- restarts.
create table administrator_notices (
  kind    text collate "C" primary key,
  -- What a notice that is not repeated was about: the newest migration of an update.
  about   text not null,
  sent_at timestamptz not null
);


-- Backups (src/backup)

-- Backups of this database. A few of the newest are kept.
create table backup_runs (
  id           uuid primary key,
  -- The folder of the backup, or `-` for a stream.
  place        text not null,
  started_at   timestamptz not null,
  -- Until then no stored byte is removed. A running backup keeps moving it; null once it has ended.
  held_until   timestamptz,
  -- Null while it runs, and for one that failed or was killed.
  finished_at  timestamptz,
  -- Bytes of stored files, and those of them that this run has copied.
  bytes        bigint not null default 0,
  copied_bytes bigint not null default 0,
  files        integer not null default 0,
  -- Files that were found damaged while they were copied.
  damaged      integer not null default 0
);
