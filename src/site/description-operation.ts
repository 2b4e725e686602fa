import * as v from 'valibot'
import { assetAnswers, operation } from '../http/operation.ts'
import { requireFound } from '../lib/errors.ts'
import type { Library } from './library.ts'

/**
 * The product's own copy, because its clients may not reach the documentation site.
 * @param library holds the description with the addresses of this deployment
 */
export const getApiDescription = (library: Library) =>
  operation({
    id: 'getApiDescription',
    method: 'GET',
    path: '/openapi.json',
    summary: 'Get the API description, the same as on the documentation site',
    tag: 'Documentation',
    auth: 'none',
    answers: assetAnswers(
      { description: 'OpenAPI 3.1', schema: v.record(v.string(), v.unknown()) },
      ['ETag', 'Vary'],
    ),
    async handle({ context }) {
      return requireFound(await library.find('/openapi.json', context.header('accept-encoding')))
    },
  })
