import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SharedTasks } from '../../src/lib/shared-tasks.ts'

interface Context {
  tasks: SharedTasks<string>
  /** How often the work has begun. */
  begun: number
  join: (signal: AbortSignal) => Promise<string>
  /** The signal of the work. */
  unwanted: AbortSignal
  finish: (error?: Error) => void
  requests: AbortController[]
  waiting: Promise<string>[]
}

const shared = suite<Context>('shared tasks')

/** A task for which two requests wait. */
shared.before.each((context) => {
  context.tasks = new SharedTasks()
  context.begun = 0
  context.join = (joining) =>
    context.tasks.join('key', joining, (signal) => {
      context.begun += 1
      return new Promise((resolve, reject) => {
        context.unwanted = signal
        context.finish = (error) => (error ? reject(error) : resolve('done'))
      })
    })
  context.requests = [new AbortController(), new AbortController()]
  context.waiting = context.requests.map(({ signal }) => context.join(signal))
  for (const each of context.waiting) each.catch(() => {})
})

const reasonOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)

shared('should give its result to all', async ({ finish, waiting }) => {
  finish()
  assert.equal(await Promise.all(waiting), ['done', 'done'])
})

shared('should give its error to all', async ({ finish, waiting }) => {
  const error = new Error('failed')
  finish(error)
  for (const each of waiting) assert.is(await reasonOf(each), error)
})

shared('should go on while one waits, and end with the last', async (context) => {
  const { unwanted, requests, waiting } = context
  const gone = new Error('gone')
  requests[0]!.abort(gone)
  assert.is(await reasonOf(waiting[0]!), gone)
  assert.equal([unwanted.aborted, context.begun], [false, 1])
  requests[1]!.abort(gone)
  assert.is(await reasonOf(waiting[1]!), gone)
  assert.is(unwanted.aborted, true)
  const next = context.join(new AbortController().signal)
  assert.is(context.begun, 2, 'further requests need another task')
  context.finish()
  assert.is(await next, 'done')
})

shared('should survive a failure after all have left', async ({ requests, waiting, finish }) => {
  for (const request of requests) request.abort()
  await Promise.allSettled(waiting)
  finish(new Error('too late'))
  await new Promise((resolve) => setImmediate(resolve))
})

shared.run()
