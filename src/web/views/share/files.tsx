import { useSignal, type Signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { withChoice } from '../../lib/choice.ts'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { filesOf, nameOf, type Folder } from '../../lib/tree.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import * as icons from '../../ui/icons.ts'
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
  /** Ids; null without a selection. */
  const chosenIds = useSignal<ReadonlySet<number> | null>(null)
  const chosen = chosenIds.value
  const { open, dialog } = usePreview(files, ({ id }) => fileHref(shareId, id))
  const wanted = query.value.trim().toLowerCase()
  const found = useMemo(
    () => files.filter(({ path }) => path.toLowerCase().includes(wanted)),
    [files, wanted],
  )
  const choose = (ids: readonly number[], isChosen: boolean) =>
    (chosenIds.value = withChoice(chosen, ids, isChosen))
  const row = (file: SharedFile) => {
    const name = wanted ? file.path : nameOf(file.path)
    if (!chosen || file.isDamaged) return <Row {...{ shareId, file, name }} onOpen={open} />
    return <Choice {...{ file, name, chosen }} onChoose={choose} />
  }
  return (
    <div class="stack">
      {files.length >= searchMin && <Field label={t('share.search')} type="search" value={query} />}
      {files.length > 1 && <Choosing shareId={shareId} files={files} chosenIds={chosenIds} />}
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
            chosen && <FolderChoice folder={folder} chosen={chosen} onChoose={choose} />
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

function listIds(folder: Folder<SharedFile>): number[] {
  return filesOf(folder).flatMap(({ id, isDamaged }) => (isDamaged ? [] : [id]))
}

interface ChoiceProps {
  readonly chosen: ReadonlySet<number>
  readonly onChoose: (ids: readonly number[], isChosen: boolean) => void
}

function Choice(props: ChoiceProps & { readonly file: SharedFile; readonly name: string }) {
  const { file, name, chosen, onChoose } = props
  return (
    <label class="check main">
      <input
        type="checkbox"
        checked={chosen.has(file.id)}
        onChange={(event) => onChoose([file.id], event.currentTarget.checked)}
      />
      <span>
        <bdi>{name}</bdi> <small class="faint">{formatBytes(file.size)}</small>
      </span>
    </label>
  )
}

function FolderChoice(props: ChoiceProps & { readonly folder: Folder<SharedFile> }) {
  const { folder, chosen, onChoose } = props
  const ids = listIds(folder)
  const count = ids.filter((id) => chosen.has(id)).length
  return (
    <span class="check">
      <input
        type="checkbox"
        aria-label={t('share.choose_folder', { name: folder.name })}
        checked={count === ids.length}
        indeterminate={count > 0 && count < ids.length}
        onChange={(event) => onChoose(ids, event.currentTarget.checked)}
      />
    </span>
  )
}

/** The button that starts a selection, and then its totals. */
function Choosing(props: {
  readonly shareId: string
  readonly files: readonly SharedFile[]
  readonly chosenIds: Signal<ReadonlySet<number> | null>
}) {
  const { shareId, files, chosenIds } = props
  const chosen = chosenIds.value
  if (!chosen) {
    return (
      <div>
        <Button icon={icons.check} onClick={() => (chosenIds.value = new Set())}>
          {t('share.choose')}
        </Button>
      </div>
    )
  }
  const bytes = files.reduce((sum, { id, size }) => sum + (chosen.has(id) ? size : 0), 0)
  const text = t('share.download_chosen', { count: chosen.size, size: formatBytes(bytes) })
  const href = selectionHref(shareId, chosen)
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
      <Button onClick={() => (chosenIds.value = null)}>{t('cancel')}</Button>
      {!href && <p class="problem-text">{t('share.too_scattered')}</p>}
    </div>
  )
}
