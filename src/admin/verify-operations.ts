import { json, success } from '../http/answer.ts'
import { operation } from '../http/operation.ts'
import { successSchema } from '../http/schema.ts'
import { presentVerifyState, verifyStateSchema } from './verify-schemas.ts'
import type { AdminDeps } from './deps.ts'

const tag = 'Administration'

export const startVerify = (deps: AdminDeps) =>
  operation({
    id: 'startVerify',
    method: 'POST',
    path: '/api/admin/verify',
    summary: 'Check all stored bytes in the background, or resume an interrupted check',
    tag,
    auth: 'admin',
    scope: 'administer',
    answers: {
      200: { description: 'Started; GET returns the progress', schema: successSchema },
    },
    errors: ['unauthorized', 'forbidden', 'cross_site', 'conflict'],
    async handle({ actor }) {
      const { audit, verify } = deps
      await verify.start()
      await audit.recordAlone(actor, 'verify.started')
      return success()
    },
  })

export const getVerify = (deps: AdminDeps) =>
  operation({
    id: 'getVerify',
    method: 'GET',
    path: '/api/admin/verify',
    summary: 'Get progress and last result of the check of all stored bytes',
    tag,
    auth: 'admin',
    scope: 'administer',
    answers: {
      200: { description: 'The latest runs', schema: verifyStateSchema },
    },
    errors: ['unauthorized', 'forbidden'],
    async handle() {
      return json(presentVerifyState(await deps.verify.report()))
    },
  })
