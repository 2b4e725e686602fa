import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { t } from '../../lib/i18n.ts'
import { formatBytes } from '../../lib/format.ts'
import { buildTree, filesOf, sortTree } from '../../lib/tree.ts'
import { FileIcon } from '../../ui/file-icon.tsx'
import { Show, useLoad } from '../../ui/state.tsx'
import type { PreviewProps } from './preview.tsx'
import { inlineHref, kindOf, type SharedFile } from './shared.ts'

/** Rarely needed, and never at first. */
const loadPreview = () => import('./preview.tsx')

/** A file's name, which opens the preview, or downloads files that browsers cannot show. */
export function FileEntry(props: {
  readonly file: SharedFile
  readonly name: string
  readonly href: string
  readonly onOpen: (file: SharedFile) => void
}) {
  const { file, name, href, onOpen } = props
  const kind = kindOf(file)
  const words = (
    <>
      <FileIcon path={file.path} />
      <span class="stack-none">
        <bdi>{name}</bdi> <small class="faint">{formatBytes(file.size)}</small>
      </span>
    </>
  )
  if (file.isDamaged) {
    return (
      <span class="main entry">
        {words} <span class="badge warn">{t('file.damaged')}</span>
      </span>
    )
  }
  if (kind === 'other') {
    return (
      <a class="main entry" href={href} download>
        {words}
      </a>
    )
  }
  return kind === 'pdf' ? (
    <a class="main entry" href={inlineHref(href)} target="_blank" rel="noopener">
      {words}
    </a>
  ) : (
    <button type="button" class="main entry" onClick={() => onOpen(file)}>
      {words}
    </button>
  )
}

/** Opens files of a list in turn; `dialog` is set while one is open. */
export function usePreview(files: readonly SharedFile[], hrefOf: PreviewProps['hrefOf']) {
  const chosen = useSignal<SharedFile | null>(null)
  const opened = chosen.value
  const open = (file: SharedFile | null) => (chosen.value = file)
  const viewable = useMemo(() => (opened ? listViewable(files) : []), [files, opened !== null])
  const dialog = opened && (
    <LoadedPreview
      // The list may have been reloaded since.
      file={viewable.find(({ id }) => id === opened.id) ?? opened}
      files={viewable}
      hrefOf={hrefOf}
      onMove={open}
      onClose={() => open(null)}
    />
  )
  return { open, dialog }
}

function LoadedPreview(props: PreviewProps) {
  const loaded = useLoad(loadPreview, [])
  return <Show loaded={loaded}>{({ Preview }) => <Preview {...props} />}</Show>
}

/** In the order of the page. PDFs are left to the browser, in a new tab. */
function listViewable(files: readonly SharedFile[]): SharedFile[] {
  return filesOf(sortTree(buildTree(files))).filter(
    (file) => !file.isDamaged && !['pdf', 'other'].includes(kindOf(file)),
  )
}
