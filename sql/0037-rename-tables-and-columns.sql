-- The words of docs/architecture.md: container, email, event, required fields.
alter table parcels rename to containers;
alter table containers rename column is_buried to is_tombstoned;
alter table segments rename column parcel_id to container_id;
alter table tombstones rename column parcel_id to container_id;
alter table segment_tombstones rename column parcel_id to container_id;
alter table shares rename column parcel_id to container_id;
alter table deliveries rename column parcel_id to container_id;
alter table chunks rename column parcel_id to container_id;
alter table files rename column parcel_id to container_id;
alter index parcels_pkey rename to containers_pkey;
alter index segments_parcel_id rename to segments_container_id;
alter index segment_tombstones_parcel_id rename to segment_tombstones_container_id;
alter index files_parcel_id rename to files_container_id;

alter table mails rename to emails;
alter index mails_pkey rename to emails_pkey;
alter index mails_due rename to emails_due;
alter index mails_topic rename to emails_topic;
alter index mails_created_at rename to emails_created_at;
alter index mails_newest rename to emails_newest;

alter table audit rename column act to event;
alter index audit_act rename to audit_event;

alter table reverse_shares rename column demands to required_fields;
alter table shares rename column told to email_outcome;
alter table last_logins rename to last_sign_ins;
