import * as v from 'valibot'
import { json } from '../../http/answer.ts'
import { administration, jsonBody, ok, operation } from '../../http/operation.ts'
import { named, noted, optional } from '../../http/schema.ts'
import { checkIds, type CheckUp } from './doctor.ts'
import { levels, type Finding } from './findings.ts'
import { proxyKinds, shownKinds, type ProxyKind } from './mends.ts'
import type { AdminDeps } from '../deps.ts'

const levelSchema = v.picklist(levels)
const proxySchema = v.picklist(proxyKinds)

const checkUpSchema = named(
  'CheckUp',
  v.object({
    proxy: noted(v.nullable(proxySchema), 'The proxy that answers show; null if they show none'),
    results: v.array(
      v.object({
        id: noted(v.picklist(checkIds), 'What was checked', 'body_size'),
        level: noted(levelSchema, 'The worst of its findings'),
        findings: v.array(
          v.object({
            level: levelSchema,
            text: noted(v.string(), 'In English', 'The proxy changes the Host header.'),
            value: noted(v.string(), 'What was measured; may be empty', '10.5 MB'),
            mends: noted(
              v.array(
                v.object({
                  place: noted(
                    v.picklist(['options', 'commands', ...proxyKinds]),
                    'The options file, a command line, or the configuration of a proxy',
                  ),
                  lines: v.array(v.string()),
                }),
              ),
              'Lines of configuration or commands that mend it',
            ),
          }),
        ),
      }),
    ),
  }),
)

export const runCheckUp = (deps: AdminDeps) =>
  operation({
    id: 'runCheckUp',
    method: 'POST',
    path: '/api/admin/check-up',
    summary: 'Check proxy, disk, clock, email and backups, like `transfer doctor`',
    description:
      'Takes up to 45 seconds. The service sends requests to itself through BASE_URL, and ' +
      'changes nothing. One check-up at a time.',
    ...administration,
    body: jsonBody(
      v.object({
        proxy: noted(optional(proxySchema), 'Whose configuration to show; by default guessed'),
      }),
    ),
    answers: ok('All findings', checkUpSchema),
    handle: async ({ body }) => json(presentCheckUp(await deps.doctor.run(), body.proxy ?? null)),
  })

/** @param wanted the proxy whose lines are shown; null to use the one that answers show */
export function presentCheckUp({ proxy, results }: CheckUp, wanted: ProxyKind | null) {
  const kinds = shownKinds(wanted ?? proxy)
  return {
    proxy,
    results: results.map(({ id, level, findings }) => ({
      id,
      level,
      findings: findings.map(({ level: one, text, value = '', mend }) => ({
        level: one,
        text,
        value,
        mends: listMends(mend, kinds),
      })),
    })),
  }
}

/** The lines of a finding, by the place where they belong. */
export function listMends(mend: Finding['mend'], kinds: readonly ProxyKind[]) {
  const { options = [], commands = [], proxies } = mend ?? {}
  return [
    { place: 'options' as const, lines: options },
    { place: 'commands' as const, lines: commands },
    ...(proxies ? kinds.map((kind) => ({ place: kind, lines: proxies[kind] })) : []),
  ].filter(({ lines }) => lines.length > 0)
}
