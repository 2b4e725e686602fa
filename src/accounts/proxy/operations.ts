import * as v from 'valibot'
import { jsonBody, operation } from '../../http/operation.ts'
import { CodedError } from '../../lib/errors.ts'
import { proofFields, readGivenProof } from '../second-factor/schemas.ts'
import { answerSignIn, signInAnswers } from '../sign-in/operations.ts'
import { originOf, remember, signIn } from '../sign-in/signed-in.ts'
import type { AccountDeps } from '../deps.ts'
import { signInAs } from './proxy-users.ts'

export const signInByProxy = (deps: AccountDeps) =>
  operation({
    id: 'signInByProxy',
    method: 'POST',
    path: '/api/auth/proxy',
    summary: 'Sign in as the user that a trusted proxy names in `PROXY_USER_HEADER`',
    description: 'For the second step, send the same again with `code` or `recoveryCode`.',
    ...signIn,
    body: jsonBody(v.object({ remember, ...proofFields })),
    answers: signInAnswers,
    errors: ['wrong_code', 'unauthorized', 'wrong_proxy_user'],
    async handle(call) {
      const email = deps.proxyUsers.find(call.context)
      if (email === null) throw new CodedError('unauthorized')
      const proof = readGivenProof(call.body)
      const origin = originOf(deps, call, call.body.remember)
      const run = () => signInAs(deps, email, proof, origin)
      // Only codes can be guessed.
      const result = proof ? await deps.accountAttempts.verify(email, origin, run) : await run()
      return answerSignIn(deps, call.ip, result)
    },
  })
