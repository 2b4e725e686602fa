import * as v from 'valibot'
import { presentationOf } from '../bytes/send/inline.ts'
import { archiveTarget, type WantedArchive } from '../bytes/send/targets.ts'
import { requesterAt } from '../http/client-ip.ts'
import { operation } from '../http/operation.ts'
import { answerArchive } from './archive-operations.ts'
import {
  admit,
  asOwner,
  downloadAnswers,
  downloadErrors,
  owners,
  termsOf,
} from './public-operations.ts'
import type { ShareDeps } from './deps.ts'

const wholeZip: WantedArchive = { format: 'zip', selection: null }

/** For people without a browser: `curl -OJ <link>/download`. */
export const downloadLink = (deps: ShareDeps) =>
  operation({
    id: 'downloadLink',
    method: 'GET',
    path: '/s/{shareId}/download',
    summary: 'Download what is behind a link: the only file of a share, or the archive',
    tag: 'Public shares',
    auth: 'none',
    linkToken: 'unlock',
    ...owners,
    limit: { name: 'download', counts: 'handler' },
    query: v.object({ as: asOwner }),
    answers: downloadAnswers,
    errors: downloadErrors,
    // One target in both cases: a client that resumes has begun what the link was then.
    async load(call) {
      const admitted = await admit(deps, call, () => archiveTarget(wholeZip))
      return { admitted, only: await deps.publicShares.findOnlyFile(admitted.share) }
    },
    async handle({ context, ip }, { admitted, only }) {
      const { share } = admitted
      const terms = termsOf(deps, context, admitted, archiveTarget(wholeZip))
      const asking = { requester: requesterAt(ip), signal: context.signal }
      if (!only) return answerArchive(deps, context, { share, terms, wanted: wholeZip, asking })
      return deps.downloads.answer(context, {
        ...terms,
        content: only.content,
        ...presentationOf(only.file, false),
      })
    },
  })
