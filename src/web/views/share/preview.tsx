import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { call } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { nameOf } from '../../lib/tree.ts'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import * as icons from '../../ui/icons.ts'
import { Show, useLoad } from '../../ui/state.tsx'
import { Archive } from './preview/archive.tsx'
import { Picture } from './preview/picture.tsx'
import { Text } from './preview/text.tsx'
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

type Move = (by: number) => void

export function Preview({ file, files, hrefOf, onMove, onClose }: PreviewProps) {
  const place = files.indexOf(file)
  const move: Move = (by) => onMove(files[(place + by + files.length) % files.length]!)
  useArrowKeys(move)
  const href = hrefOf(file)
  const sayPlace = (number: number) => t('preview.place', { place: number, count: files.length })
  return (
    <Dialog title={nameOf(file.path)} wide onClose={onClose}>
      <div class="preview" {...useSwipe(move)}>
        <Content key={file.id} file={file} href={inlineHref(href)} />
      </div>
      <div class="stack-tight">
        {kindOf(file) === 'pdf' && <p class="hint">{t('preview.pdf_note')}</p>}
        <div class="row spread">
          {files.length > 1 && (
            <div class="row-tight">
              <IconButton
                icon={icons.back}
                label={t('preview.previous')}
                onClick={() => move(-1)}
              />
              <span
                class="count"
                role="status"
                // As wide for every file, so that the next one's button does not move.
                style={{ minWidth: `${sayPlace(files.length).length}ch` }}
              >
                {sayPlace(place + 1)}
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
      </div>
    </Dialog>
  )
}

/** 1 where the next file is on the right, -1 where it is on the left. */
const forward = () => (document.dir === 'rtl' ? -1 : 1)

/** Arrow keys change the file, unless they control a film or a zoomed picture. */
function useArrowKeys(move: Move): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
      // Alt with an arrow is the browser's Back.
      const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      if (by === 0 || !isPlain || event.target instanceof HTMLMediaElement) return
      if (document.querySelector('.zoomed')) return
      event.preventDefault()
      move(by * forward())
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [move])
}

const swipePixels = 50

/** A finger moves the content, and changes the file when it has moved far enough. */
function useSwipe(move: Move) {
  const began = useRef<PointerEvent | null>(null)
  const shift = ({ currentTarget }: PointerEvent, by: string) => {
    const content = (currentTarget as Element).firstElementChild as HTMLElement
    content.style.translate = by
  }
  const end = (event: PointerEvent) => {
    shift(event, '')
    began.current = null
  }
  return {
    onPointerDown(event: PointerEvent) {
      end(event)
      const isFree = !(event.target as Element).closest('video, audio, .zoomed')
      if (event.isPrimary && isFree && event.pointerType !== 'mouse') began.current = event
    },
    onPointerMove(event: PointerEvent) {
      if (began.current) shift(event, `${event.clientX - began.current.clientX}px`)
    },
    onPointerUp(event: PointerEvent) {
      const { clientX, clientY } = began.current ?? event
      const x = event.clientX - clientX
      end(event)
      if (Math.abs(x) > swipePixels + Math.abs(event.clientY - clientY)) {
        move(-Math.sign(x) * forward())
      }
    },
    onPointerCancel: end,
  }
}

function Content({ file, href }: { readonly file: SharedFile; readonly href: string }) {
  const hasFailed = useSignal(false)
  const onError = () => (hasFailed.value = true)
  const shown = { src: href, onError }
  const kind = kindOf(file)
  const name = nameOf(file.path)
  if (hasFailed.value) return <p role="alert">{t('preview.failed')}</p>
  if (kind === 'image') return <Picture {...shown} alt={name} />
  if (kind === 'video') return <video {...shown} controls preload="metadata" />
  if (kind === 'audio') return <audio {...shown} controls preload="metadata" />
  if (kind === 'pdf') return <Pdf href={href} name={name} />
  if (kind === 'zip') return <Archive href={href} size={file.size} onError={onError} />
  return <Text href={href} path={file.path} />
}

/** In the viewer of the browser. A frame does not report errors, so HEAD finds them first. */
function Pdf({ href, name }: { readonly href: string; readonly name: string }) {
  const loaded = useLoad((signal) => call('HEAD', href, { signal }), [href])
  return <Show loaded={loaded}>{() => <iframe src={`${href}#navpanes=0`} title={name} />}</Show>
}
