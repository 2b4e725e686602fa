import { archiveFormats } from '../bytes/send/archive-formats.ts'
import type { Asking } from '../bytes/send/archives.ts'
import type { WantedDownload } from '../bytes/send/downloads.ts'
import type { WantedArchive } from '../bytes/send/targets.ts'
import type { Answer } from '../http/answer.ts'
import { archiveDisposition } from '../http/content-disposition.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Share } from './sql.ts'
import type { ShareDeps } from './deps.ts'

/** Sends the archive of a share. */
export async function answerArchive(
  { downloads, publicShares }: ShareDeps,
  context: RequestContext,
  {
    share,
    terms,
    wanted,
    asking,
  }: {
    share: Share
    terms: Pick<WantedDownload, 'abortKey' | 'withdrawalVersion' | 'counted' | 'readingKey'>
    wanted: WantedArchive
    asking: Asking
  },
): Promise<Answer> {
  const { format } = wanted
  return downloads.answer(context, {
    ...terms,
    content: await publicShares.archive(share, wanted, asking),
    contentType: archiveFormats[format].contentType,
    contentDisposition: archiveDisposition(share.name || 'files', format),
  })
}
