import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { call } from '../../lib/api.ts'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { useSignal } from '../../lib/signals.ts'
import { nameOf } from '../../lib/tree.ts'
import { ButtonLink, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import * as icons from '../../ui/icons.ts'
import { FileName } from '../../ui/name.tsx'
import { Empty, Show, useLoad } from '../../ui/state.tsx'
import style from '../../css/viewer.css'
import { Archive } from './preview/archive.tsx'
import { Picture } from './preview/picture.tsx'
import { renderTable } from './preview/table.ts'
import { inlineHref, isCode, kindOf, thumbnailHref, type SharedFile } from './shared.ts'
import { FileTile } from './tile.tsx'
import { renderMarkdown } from './preview/markdown.ts'

const sheet = new CSSStyleSheet()
sheet.replaceSync(style)
document.adoptedStyleSheets.push(sheet)

export interface PreviewProps {
  readonly file: SharedFile
  /** Files with a preview, in order. */
  readonly files: readonly SharedFile[]
  /** Above the file: what the page says of downloads, which it would hide. */
  readonly notice?: ComponentChildren
  /** Download address of each. */
  readonly hrefOf: (file: SharedFile) => string
  readonly onMove: (file: SharedFile) => void
  readonly onClose: () => void
}

type Move = (by: number) => void

/** Fills the window: a bar above the file, and thumbnails of the others below. */
export function Preview({ file, files, notice, hrefOf, onMove, onClose }: PreviewProps) {
  const place = files.indexOf(file)
  const move: Move = (by) => {
    const next = files[place + by]
    if (next) onMove(next)
  }
  useArrowKeys(move)
  const href = hrefOf(file)
  const name = nameOf(file.path)
  const count = files.length
  const bar = (
    <>
      <ButtonLink
        icon={icons.download}
        href={href}
        download
        label={t('preview.download_one', { name })}
      >
        <span class="wide-only">
          {t('common.download')} · {formatBytes(file.size)}
        </span>
      </ButtonLink>
      <IconButton icon={icons.close} label={t('common.close')} onClick={onClose} />
    </>
  )
  const shown = (
    <>
      <FileName of={name} />{' '}
      {count > 1 && <small role="status">{t('preview.place', { place: place + 1, count })}</small>}
    </>
  )
  return (
    <Dialog title={name} shown={shown} bar={bar} onClose={onClose}>
      {notice}
      <div class="preview">
        <div class="content" {...useSwipe(move)}>
          <Content key={file.id} file={file} href={href} />
        </div>
        {/* At an end its place stays empty, so that a click too many does nothing else. */}
        {place > 0 && (
          <span class="turn">
            <IconButton icon={icons.back} label={t('preview.previous')} onClick={() => move(-1)} />
          </span>
        )}
        {place < count - 1 && (
          <span class="turn on">
            <IconButton icon={icons.next} label={t('preview.next')} onClick={() => move(1)} />
          </span>
        )}
      </div>
      {count > 1 && files.some(({ hasThumbnail }) => hasThumbnail) && (
        <Reel {...{ files, place, hrefOf, onMove }} />
      )}
    </Dialog>
  )
}

/** Thumbnails on each side of the file: with thousands, the browser would take seconds. */
const reelSide = 50

function Reel(
  props: Pick<PreviewProps, 'files' | 'hrefOf' | 'onMove'> & { readonly place: number },
) {
  const { files, place, hrefOf, onMove } = props
  const reel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // At first the dialog is not open yet.
    requestAnimationFrame(() => {
      const current = reel.current?.querySelector('[aria-current]')
      current?.scrollIntoView({ block: 'nearest', inline: 'center' })
    })
  }, [place])
  return (
    <div class="reel" ref={reel}>
      {files.slice(Math.max(0, place - reelSide), place + reelSide).map((file) => (
        <button
          key={file.id}
          type="button"
          aria-label={nameOf(file.path)}
          aria-current={file === files[place] ? 'true' : undefined}
          onClick={() => onMove(file)}
        >
          <FileTile file={file} href={hrefOf(file)} />
        </button>
      ))}
    </div>
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
  const src = inlineHref(href)
  const thumbnail = file.hasThumbnail ? thumbnailHref(href) : undefined
  const shown = { src, onError }
  const kind = kindOf(file)
  const name = nameOf(file.path)
  if (hasFailed.value) {
    return (
      <div role="alert">
        <Empty text={t('preview.failed')}>
          <ButtonLink icon={icons.download} href={href} download>
            {t('common.download')}
          </ButtonLink>
        </Empty>
      </div>
    )
  }
  if (kind === 'image') return <Picture {...shown} alt={name} thumbnail={thumbnail} />
  if (kind === 'video') return <video {...shown} poster={thumbnail} controls preload="metadata" />
  if (kind === 'audio') {
    return (
      <div>
        <FileTile file={file} href={href} />
        <audio {...shown} controls preload="metadata" />
      </div>
    )
  }
  if (kind === 'pdf') return <Pdf href={src} name={name} />
  if (kind === 'zip') return <Archive href={src} size={file.size} onError={onError} />
  return <Text href={src} path={file.path} />
}

/** In the viewer of the browser. A frame does not report errors, so HEAD finds them first. */
function Pdf({ href, name }: { readonly href: string; readonly name: string }) {
  const loaded = useLoad((signal) => call('HEAD', href, { signal }), [href])
  return (
    <Show loaded={loaded}>
      {() => (
        <>
          {/* Its width is the window's, and our bar has the download. */}
          <iframe src={`${href}#toolbar=0&view=FitH`} title={name} />
          <p class="note faint">{t('preview.pdf_note')}</p>
        </>
      )}
    </Show>
  )
}

/** The numbers of its lines, one in each line. */
function numbersOf(text: string): string {
  return Array.from(text.replace(/\n$/, '').split('\n'), (_, index) => index + 1).join('\n')
}

/** A text as it is; Markdown and tables rendered, with a button that shows their source. */
function Text({ path, href }: { readonly path: string; readonly href: string }) {
  const isSource = useSignal(false)
  const loaded = useLoad(
    async (signal) => {
      const answer = await call('GET', href, { signal })
      // `text()` knows only UTF-8.
      const encoding = answer.headers.get('content-type')!.split('charset=')[1]
      return new TextDecoder(encoding).decode(await answer.arrayBuffer())
    },
    [href],
  )
  return (
    <Show loaded={loaded}>
      {(text) => {
        if (text === '') return <p class="hint">{t('preview.empty')}</p>
        const rendered = /\.(md|markdown)$/i.test(path)
          ? renderMarkdown(text)
          : /\.[ct]sv$/i.test(path) && renderTable(text)
        return (
          <>
            {rendered && !isSource.value ? (
              <article tabIndex={0}>{rendered}</article>
            ) : (
              // Focusable, so that the keyboard can scroll it.
              <pre tabIndex={0} class={isCode(path) ? 'numbered' : undefined}>
                {isCode(path) && <span aria-hidden="true">{numbersOf(text)}</span>}
                {text}
              </pre>
            )}
            {rendered && (
              <button
                type="button"
                class="button tools"
                aria-pressed={isSource.value}
                onClick={() => (isSource.value = !isSource.value)}
              >
                {t('preview.source')}
              </button>
            )}
          </>
        )
      }}
    </Show>
  )
}
