// What ends with a service or a command.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { closeAll } from '../../src/cli/closers.ts'

const closers = suite('cli: closers')

closers('should close the rest when one cannot be closed, the latest first', async () => {
  const closed: string[] = []
  const closer =
    (name: string, failure: string | null = null) =>
    async () => {
      closed.push(name)
      if (failure !== null) throw new Error(failure)
    }
  const all = [closer('database'), closer('files', 'read-only'), closer('app', 'first')]
  const error = await closeAll(all).catch((caught: unknown) => caught)
  assert.equal(closed, ['app', 'files', 'database'])
  assert.is((error as Error).message, 'first')
  await closeAll([closer('again')])
})
