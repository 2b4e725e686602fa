import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ApiError } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { nameOf } from '../../lib/tree.ts'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import * as icons from '../../ui/icons.ts'
import { Show, useLoad } from '../../ui/state.tsx'
import { inlineHref, kindOf, type SharedFile } from './shared.ts'

export interface PreviewProps {
  readonly file: SharedFile
  /** Files with a preview, in order. */
  readonly files: readonly SharedFile[]
  /** Download address of each. */
  readonly hrefOf: (file: SharedFile) => string
  readonly onMove: (file: SharedFile) => void
  readonly onClose: () => void
}

export function Preview({ file, files, hrefOf, onMove, onClose }: PreviewProps) {
  const place = files.indexOf(file)
  const move = (by: number) => onMove(files[(place + by + files.length) % files.length]!)
  useArrowKeys(move)
  const href = hrefOf(file)
  return (
    <Dialog title={nameOf(file.path)} wide onClose={onClose}>
      <div class="preview">
        <Content key={file.id} file={file} href={href} />
      </div>
      <div class="row spread">
        {files.length > 1 && (
          <div class="row-tight">
            <IconButton icon={icons.back} label={t('preview.previous')} onClick={() => move(-1)} />
            <span class="count" role="status">
              {t('preview.place', { place: place + 1, count: files.length })}
            </span>
            <IconButton icon={icons.next} label={t('preview.next')} onClick={() => move(1)} />
          </div>
        )}
        <div class="row">
          <ButtonLink kind="primary" icon={icons.download} href={href} download>
            {t('download')}
          </ButtonLink>
          <Button onClick={onClose}>{t('close')}</Button>
        </div>
      </div>
    </Dialog>
  )
}

/** Arrow keys change the file, unless they control a video. */
function useArrowKeys(move: (by: number) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
      // Alt with an arrow is the browser's Back.
      const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      if (by === 0 || !isPlain || event.target instanceof HTMLMediaElement) return
      event.preventDefault()
      move(by)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [move])
}

function Content({ file, href }: { readonly file: SharedFile; readonly href: string }) {
  const hasFailed = useSignal(false)
  const shown = { src: inlineHref(href), onError: () => (hasFailed.value = true) }
  const kind = kindOf(file)
  if (hasFailed.value) return <p role="alert">{t('preview.failed')}</p>
  if (kind === 'image') return <img {...shown} alt={nameOf(file.path)} />
  if (kind === 'video') return <video {...shown} controls preload="metadata" />
  if (kind === 'audio') return <audio {...shown} controls preload="metadata" />
  return <Text href={shown.src} />
}

function Text({ href }: { readonly href: string }) {
  const loaded = useLoad((signal) => loadText(href, signal), [href])
  return (
    <Show loaded={loaded}>
      {(text) => (
        // Focusable, so that the keyboard can scroll it.
        <pre tabIndex={0}>{text}</pre>
      )}
    </Show>
  )
}

/** @throws ApiError */
async function loadText(href: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch(href, { signal }).catch(() => null)
  if (!answer) throw new ApiError(0, {})
  if (answer.ok) return answer.text()
  throw new ApiError(
    answer.status,
    (await answer.json().catch(() => ({}))) as Record<string, unknown>,
  )
}
