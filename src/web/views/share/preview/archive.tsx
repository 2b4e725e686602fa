import { ApiError, call } from '../../../lib/api.ts'
import { formatBytes } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n.ts'
import { nameOf } from '../../../lib/tree.ts'
import { FileIcon } from '../../../ui/file-icon.tsx'
import { Lock } from '../../../ui/icon.tsx'
import { FileName } from '../../../ui/name.tsx'
import { Show, useLoad } from '../../../ui/state.tsx'
import { Tree } from '../../../ui/tree.tsx'
import { listZip } from './zip.ts'

/** The files in a ZIP archive, of which only the directory is loaded. */
export function Archive(props: {
  readonly href: string
  readonly size: number
  readonly onError: () => void
}) {
  const { href, size, onError } = props
  const loaded = useLoad(
    (signal) =>
      listZip(size, (start, end) => loadRange(href, start, end, signal)).catch((error) => {
        if (error instanceof ApiError) throw error
        onError()
        return []
      }),
    [href],
  )
  return (
    <Show loaded={loaded}>
      {(entries) => (
        <div class="contents" tabIndex={0}>
          <p class="hint">{t('common.files', { n: entries.length })}</p>
          <Tree
            files={entries}
            isOpen={false}
            row={(entry) => (
              <span class="main entry">
                <FileIcon path={entry.path} />
                <span class="stack-none">
                  <FileName of={nameOf(entry.path)} />{' '}
                  <small class="faint">{formatBytes(entry.size)}</small>
                </span>
                {entry.isEncrypted && <Lock text={t('preview.encrypted')} />}
              </span>
            )}
          />
        </div>
      )}
    </Show>
  )
}

/** @throws ApiError, or another error when the service sends no ranges */
async function loadRange(href: string, start: number, end: number, signal: AbortSignal) {
  const headers = { Range: `bytes=${start}-${end - 1}` }
  for (let tries = 2; tries > 0; tries -= 1) {
    const answer = await call('GET', href, { headers, signal })
    if (answer.status === 206) return answer.arrayBuffer()
    // With a download limit the first download comes whole, and pays for ranges: counting.ts.
    await answer.body?.cancel()
  }
  throw new Error()
}
