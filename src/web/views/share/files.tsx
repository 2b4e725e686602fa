import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { filesOf, nameOf, type Folder } from '../../lib/tree.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import * as icons from '../../ui/icons.ts'
import { Choice, FolderChoice, useSelection, type Selection } from '../../ui/selection.tsx'
import { FlatRows, Tree } from '../../ui/tree.tsx'
import { FileEntry, usePreview } from './entry.tsx'
import { fileHref, selectionHref, type SharedFile } from './shared.ts'

/** Shorter lists need no search field. */
const searchMin = 31

interface FilesProps {
  readonly shareId: string
  readonly files: readonly SharedFile[]
}

/** The files on a recipient's page: search, preview, selection. */
export function Files({ shareId, files }: FilesProps) {
  const query = useSignal('')
  const selection = useSelection()
  const chosen = selection.ids.value
  const { open, dialog } = usePreview(files, ({ id }) => fileHref(shareId, id))
  const wanted = query.value.trim().toLowerCase()
  const found = useMemo(
    () => files.filter(({ path }) => path.toLowerCase().includes(wanted)),
    [files, wanted],
  )
  const row = (file: SharedFile) => {
    const name = wanted ? file.path : nameOf(file.path)
    if (!chosen || file.isDamaged) return <Row {...{ shareId, file, name }} onOpen={open} />
    return (
      <Choice selection={selection} id={file.id}>
        <span>
          <bdi>{name}</bdi> <small class="faint">{formatBytes(file.size)}</small>
        </span>
      </Choice>
    )
  }
  return (
    <div class="stack">
      {files.length >= searchMin && <Field label={t('share.search')} type="search" value={query} />}
      {files.length > 1 && <Choosing {...{ shareId, files, selection }} />}
      {wanted ? (
        <>
          <p role="status" class="hint">
            {t('share.found', { n: found.length })}
          </p>
          <FlatRows files={found} row={row} />
        </>
      ) : (
        <Tree
          files={files}
          isOpen={false}
          row={row}
          folderLead={(folder) =>
            chosen && <FolderChoice {...{ selection, folder }} isChoosable={isWhole} />
          }
          folderActions={(folder) => !chosen && <FolderDownload {...{ shareId, folder }} />}
        />
      )}
      {dialog}
    </div>
  )
}

function Row(props: {
  readonly shareId: string
  readonly file: SharedFile
  readonly name: string
  readonly onOpen: (file: SharedFile) => void
}) {
  const { shareId, file, name, onOpen } = props
  const href = fileHref(shareId, file.id)
  return (
    <>
      <FileEntry {...{ file, name, href, onOpen }} />
      {!file.isDamaged && <DownloadLink href={href} name={name} />}
    </>
  )
}

function DownloadLink({ href, name }: { readonly href: string; readonly name: string }) {
  return (
    <ButtonLink
      kind="quiet"
      icon={icons.download}
      download
      href={href}
      label={t('share.download_one', { name })}
    >
      <span class="wide-only">{t('download')}</span>
    </ButtonLink>
  )
}

function FolderDownload(props: { readonly shareId: string; readonly folder: Folder<SharedFile> }) {
  const { shareId, folder } = props
  const href = selectionHref(shareId, listIds(folder))
  return href && <DownloadLink href={href} name={folder.name} />
}

/** Damaged files cannot be downloaded. */
const isWhole = ({ isDamaged }: SharedFile) => !isDamaged

function listIds(folder: Folder<SharedFile>): number[] {
  return filesOf(folder).flatMap((file) => (isWhole(file) ? [file.id] : []))
}

/** The button that starts a selection, and then its totals. */
function Choosing(props: {
  readonly shareId: string
  readonly files: readonly SharedFile[]
  readonly selection: Selection
}) {
  const { shareId, files, selection } = props
  const chosen = selection.ids.value
  if (!chosen) {
    return (
      <div class="actions">
        <Button kind="quiet" icon={icons.check} onClick={() => (selection.ids.value = new Set())}>
          {t('select.begin')}
        </Button>
      </div>
    )
  }
  const bytes = files.reduce((sum, { id, size }) => sum + (chosen.has(id) ? size : 0), 0)
  const text = t('share.download_chosen', { count: chosen.size, size: formatBytes(bytes) })
  const href = selectionHref(shareId, chosen as ReadonlySet<number>)
  return (
    <div class="row chosen">
      {chosen.size > 0 && href ? (
        <ButtonLink kind="primary" icon={icons.download} href={href} download>
          {text}
        </ButtonLink>
      ) : (
        <Button kind="primary" icon={icons.download} disabled>
          {text}
        </Button>
      )}
      <Button onClick={() => (selection.ids.value = null)}>{t('cancel')}</Button>
      {!href && <p class="problem-text">{t('share.too_scattered')}</p>}
    </div>
  )
}
