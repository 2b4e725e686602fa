import { useEffect, useMemo, useRef } from 'preact/hooks'
import { t } from '../../lib/i18n.ts'
import { formatBytes, formatDate } from '../../lib/format.ts'
import { signal } from '../../lib/signals.ts'
import { buildTree, filesOf, sortTree } from '../../lib/tree.ts'
import { FileName } from '../../ui/name.tsx'
import { Show, useLoad } from '../../ui/state.tsx'
import type { PreviewProps } from './preview.tsx'
import { framesPdf, inlineHref, kindOf, type SharedFile } from './shared.ts'
import { FileTile } from './tile.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import * as icons from '../../ui/icons.ts'

/** Rarely needed, and never at first. */
const loadPreview = () => import('./preview.tsx')
type Shown = Pick<PreviewProps, 'hrefOf' | 'notice'>

interface FileProps {
  readonly file: SharedFile
  readonly name: string
  readonly href: string
  /** Shown where the file is not listed in it. */
  readonly folder?: string | undefined
  readonly onOpen: (file: SharedFile) => void
}

/** Whether the browser shows it in a tab of its own. */
const isFramed = (file: SharedFile) => kindOf(file) === 'pdf' && !framesPdf()

/** A file's name, which opens the preview, or downloads files that browsers cannot show. */
export function FileEntry({ onOpen, ...shown }: FileProps) {
  const { file, href } = shown
  const words = <FileWords {...shown} />
  if (file.isDamaged) {
    return (
      <span class="main entry">
        {words} <span class="badge warn">{t('file.damaged')}</span>
      </span>
    )
  }
  const isOther = kindOf(file) === 'other'
  if (!isOther && !isFramed(file)) {
    return (
      <button type="button" class="main entry" onClick={() => onOpen(file)}>
        {words}
      </button>
    )
  }
  const target = isOther
    ? { href, download: true }
    : { href: inlineHref(href), target: '_blank', rel: 'noopener' }
  return (
    <a class="main entry" {...target}>
      {words}
    </a>
  )
}

/** The picture, name and size of a file. */
export function FileWords({ file, name, href, folder }: Omit<FileProps, 'onOpen'>) {
  const at = file.modifiedAt
  return (
    <>
      <FileTile {...{ file, href }} />
      <span class="stack-none">
        <FileName of={name} />{' '}
        <small class="faint">
          {folder && `${folder} · `}
          {formatBytes(file.size)}
          {at && (
            <span class="wide-only">
              {' · '}
              <time dateTime={at}>{formatDate(at)}</time>
            </span>
          )}
        </small>
      </span>
    </>
  )
}

/**
 * Opens files of a list in turn; `dialog` is set while one is open. It is an entry of the history,
 * with the id of its first file, so that the browser's Back closes it.
 */
export function usePreview(files: readonly SharedFile[], shown: Shown) {
  const entered = () => files.find(({ id }) => id === history.state?.preview) ?? null
  const chosen = useMemo(() => signal(entered()), [])
  const path = useMemo(() => location.pathname, [])
  const isClosing = useRef(false)
  const opened = chosen.value
  useEffect(() => {
    const follow = (event: Event) => {
      isClosing.current = false
      const file = entered()
      if (file === chosen.value) return
      // The router would ask about unsaved changes, although they are not left.
      if (location.pathname === path) event.stopImmediatePropagation()
      chosen.value = file
    }
    addEventListener('popstate', follow, true)
    return () => removeEventListener('popstate', follow, true)
  }, [files])
  const open = (file: SharedFile) => {
    history.pushState({ preview: file.id }, '')
    chosen.value = file
  }
  const close = () => {
    // The second Esc would leave the page.
    if (!isClosing.current) history.back()
    isClosing.current = true
  }
  const viewable = useMemo(() => (opened ? listViewable(files) : []), [files, opened !== null])
  const dialog = opened && (
    <LoadedPreview
      // The list may have been reloaded since.
      file={viewable.find(({ id }) => id === opened.id) ?? opened}
      files={viewable}
      {...shown}
      onMove={(file) => (chosen.value = file)}
      onClose={close}
    />
  )
  return { open, dialog }
}

function LoadedPreview(props: PreviewProps) {
  const loaded = useLoad(loadPreview, [])
  return <Show loaded={loaded}>{({ Preview }) => <Preview {...props} />}</Show>
}

/** In the order of the page. */
function listViewable(files: readonly SharedFile[]): SharedFile[] {
  const left = framesPdf() ? ['other'] : ['other', 'pdf']
  return filesOf(sortTree(buildTree(files))).filter((file) => !left.includes(kindOf(file)))
}

/** Preview and download of a file, at the end of its row. */
export function FileActions(props: FileProps) {
  if (props.file.isDamaged) return null
  return (
    <span class="row-tight">
      <PreviewButton {...props} />
      <DownloadLink {...props} />
    </span>
  )
}

/** Without a word, which names need more: they open the preview, too. */
export function PreviewButton({ file, name, href, onOpen }: FileProps) {
  const label = t('preview.open_one', { name })
  const shown = { kind: 'quiet', icon: icons.eye, label, children: null } as const
  if (kindOf(file) === 'other') return null
  if (isFramed(file)) return <ButtonLink {...shown} href={inlineHref(href)} newTab />
  return <Button {...shown} onClick={() => onOpen(file)} />
}

export function DownloadLink({ href, name }: Pick<FileProps, 'href' | 'name'>) {
  return (
    <ButtonLink
      kind="quiet"
      icon={icons.download}
      download
      href={href}
      label={t('preview.download_one', { name })}
    >
      <span class="wide-only">{t('common.download')}</span>
    </ButtonLink>
  )
}
