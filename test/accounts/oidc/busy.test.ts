// What a sign-in with a provider counts as failed.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ProviderSignIn } from '../../../src/accounts/oidc/sign-in.ts'
import { CodedError, type ErrorCode } from '../../../src/lib/errors.ts'
import { startService } from '../../helpers/service.ts'
import { eventsOf } from './scene.ts'

const busy = suite('busy sign-in providers')
const service = await startService()
const { services } = service.app
const wanted = { providerId: 'main', returnTo: '/', isRemembered: true }

for (const [code, count] of [
  ['unavailable', 0],
  ['disk_full', 0],
  ['provider_unreachable', 0],
  ['provider_refused', 1],
] as const satisfies [ErrorCode, number][]) {
  busy(`should count ${count} failures for ${code}`, async () => {
    const providers = Object.assign(Object.create(services.providers), {
      find: async () => {
        throw new CodedError(code)
      },
    })
    const signIn = new ProviderSignIn({ ...services, providers })
    const { flow } = services.flows.begin({ ...wanted, purpose: { kind: 'sign_in' } })
    const [counted, recorded] = [services.auth.counts.failed, await countEvents()]
    const answering = signIn.answer(flow, new URLSearchParams(), { ip: '', userAgent: '' })
    const error = await answering.catch((caught: unknown) => caught)
    assert.is((error as CodedError).code, code)
    assert.is(services.auth.counts.failed - counted, count)
    assert.is((await countEvents()) - recorded, count)
  })
}

const countEvents = async () => (await eventsOf(service, 'login.failed')).length
