// Failed guesses that several instances count together.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FailureNotices } from '../../../src/accounts/notices/notices.ts'
import type { FollowLimit } from '../../../src/http/rate-limit.ts'
import { startMailServer, useMailServer } from '../../email/mail-server.ts'
import { startService } from '../../helpers/service.ts'
import { newPerson } from '../people.ts'

const failures = suite('auth: notices of failures')
const service = await startService()
const server = await startMailServer()
await useMailServer(await service.admin(), server.port)

/** Two instances, each of which follows the other at once. */
function makeInstances(): FailureNotices[] {
  const followers: Map<string, FollowLimit>[] = []
  return [0, 1].map((self) => {
    const mine = (followers[self] = new Map<string, FollowLimit>())
    const tell = (name: string): FollowLimit => {
      return (key, change) => followers[1 - self]!.get(name)!(key, change)
    }
    const limitExchange = {
      add: (name: string, follow: FollowLimit) => {
        mine.set(name, follow)
        return tell(name)
      },
      decide: async <T>(decision: () => T) => decision(),
    }
    return new FailureNotices({ ...service.app.services, limitExchange })
  })
}

failures('should reach the owner once, whichever instance saw the guesses', async () => {
  const { id, email } = await newPerson(service)
  const [one, other] = makeInstances()
  const fail = (instance: FailureNotices | undefined, count: number) => {
    for (let guess = 0; guess < count; guess += 1) {
      instance!.signInFailed({ id }, 'password', '192.0.2.7')
    }
  }
  const received = async () => {
    for (const instance of [one, other]) await instance!.idle()
    await service.app.services.emails.idle()
    return server.received.filter(({ to }) => to.includes(email)).length
  }
  fail(one, 6)
  fail(other, 3)
  assert.is(await received(), 0)
  fail(one, 1)
  assert.is(await received(), 1)
  fail(one, 8)
  fail(other, 8)
  assert.is(await received(), 1)
})

failures('should be written later if it cannot be at first', async () => {
  const { id, email } = await newPerson(service)
  const instance = new FailureNotices(service.app.services)
  const fail = () => instance.signInFailed({ id }, 'second_factor', '192.0.2.7')
  await service.database.sql`alter table emails rename to emails_away`
  try {
    for (let guess = 0; guess < 3; guess += 1) fail()
    await instance.idle()
  } finally {
    await service.database.sql`alter table emails_away rename to emails`
  }
  fail()
  await instance.idle()
  await service.app.services.emails.idle()
  assert.is(server.received.filter(({ to }) => to.includes(email)).length, 1)
})
