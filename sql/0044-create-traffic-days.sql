-- What was received and sent on each day (UTC), for administrators. Days on which the service did
-- not run have no row.
create table traffic_days (
  day            date primary key,
  received_bytes bigint not null,
  sent_bytes     bigint not null,
  -- Bytes on disk when the row was last written, so at the end of a day that is over.
  stored_bytes   bigint not null,
  uploads        integer not null,
  downloads      integer not null
);
