import type { Sql } from './connect.ts'

export const signalChannel = 'transfer_signals'
/** Time without a sign of life after which an instance counts as dead. */
const leaseSeconds = 30
/** A transfer may begin this long before the row of its instance names it. */
const namedAfterSeconds = 5

export const isLiving = (sql: Sql) =>
  sql`instances.seen_at > now() - make_interval(secs => ${leaseSeconds}::integer)`

/** @param reading containers with bytes that the instance is sending */
export async function renewInstance(sql: Sql, id: string, reading: readonly string[]) {
  await sql`
    insert into instances (id, reading)
    values (${id}, ${[...reading]}::uuid[])
    on conflict (id) do update
    set seen_at = now(), reading = excluded.reading`
}

export async function isInstanceAlive(sql: Sql, id: string): Promise<boolean> {
  return sql`select 1 from instances where id = ${id} and ${isLiving(sql)}`.exists()
}

export async function hasInstance(sql: Sql): Promise<boolean> {
  return sql`select 1 from instances where ${isLiving(sql)} limit 1`.exists()
}

export async function deleteInstance(sql: Sql, id: string): Promise<void> {
  await sql`delete from instances where id = ${id}`
}

/** Removes what is of no use to any instance any more. */
export async function deleteOldInstances(sql: Sql): Promise<void> {
  await sql`
    with old_signals as (
      delete from signals where at < now() - interval '1 hour'
    ), old_takes as (
      delete from limiter_takes where at < now() - interval '5 minutes'
    )
    delete from instances where seen_at < now() - interval '1 hour'`
}

/** False while another living instance has the job. */
export async function takeJobLock(sql: Sql, name: string, instanceId: string): Promise<boolean> {
  return sql`
    insert into job_locks (name, instance_id)
    values (${name}, ${instanceId})
    on conflict (name) do update
    set instance_id = excluded.instance_id
    where not exists (
      select from instances where instances.id = job_locks.instance_id and ${isLiving(sql)}
    )`.exists()
}

export async function deleteJobLocks(sql: Sql, instanceId: string, names: readonly string[]) {
  await sql`
    delete from job_locks where instance_id = ${instanceId} and name = any(${[...names]}::text[])`
}

/** Something that an instance tells the others. */
export interface Signal {
  readonly topic: string
  readonly about: string
}

/** Arrives once the transaction has committed. */
export async function insertSignal(sql: Sql, instanceId: string, { topic, about }: Signal) {
  await sql`
    with told as (
      insert into signals (instance_id, topic, about)
      values (${instanceId}, ${topic}, ${about})
      returning 1
    )
    select pg_notify(${signalChannel}, '') from told`
}

/** The signals of other instances in the last seconds, oldest first. */
export async function listSignals(
  sql: Sql,
  instanceId: string,
  seconds: number,
): Promise<(Signal & { id: number })[]> {
  return sql<(Signal & { id: number })[]>`
    select id, topic, about
    from signals
    where at > now() - make_interval(secs => ${seconds}::double precision)
      and instance_id <> ${instanceId}
    order by id`
}

type Part = ReturnType<typeof isLiving>

/**
 * Whether another instance may be sending bytes of a container. Its row must be newer than the
 * moment since which no transfer of these bytes begins.
 */
export const isReadElsewhere = (sql: Sql, instanceId: string, containerId: Part, since: Part) =>
  sql`
    exists (
      select
      from instances
      where instances.id <> ${instanceId}
        and ${isLiving(sql)}
        and (
          ${containerId} = any(instances.reading)
          or instances.seen_at
            < ${since} + make_interval(secs => ${namedAfterSeconds}::integer)
        )
    )`
