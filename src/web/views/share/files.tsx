import { useEffect, useMemo } from 'preact/hooks'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { keep, readKept } from '../../lib/kept.ts'
import { searchable } from '../../lib/search.ts'
import { useSignal, type Signal } from '../../lib/signals.ts'
import { filesOf, nameOf, type Folder } from '../../lib/tree.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import * as icons from '../../ui/icons.ts'
import * as selecting from '../../ui/selection.tsx'
import { FlatRows, Tree } from '../../ui/tree.tsx'
import { Notice } from './download.tsx'
import { DownloadLink, FileActions, FileEntry, FileWords, usePreview } from './entry.tsx'
import { fileHref, kindOf, selectionHref, type ListView, type SharedFile } from './shared.ts'

/** Shorter lists need no search field. */
const searchMin = 31

interface FilesProps {
  readonly shareId: string
  readonly files: readonly SharedFile[]
  /** Null where there is no choice. */
  readonly firstView: ListView | null
}

/** The files on a recipient's page: search, preview, selection, and a grid of pictures. */
export function Files({ shareId, files, firstView }: FilesProps) {
  const query = useSignal('')
  const selection = selecting.useSelection()
  const chosen = selection.ids.value
  const hrefOf = ({ id }: SharedFile) => fileHref(shareId, id)
  const { open, dialog } = usePreview(files, { hrefOf, notice: <Notice /> })
  useStrip(files, open)
  const view = useSignal(firstView && (keptView() ?? firstView))
  const isGrid = view.value === 'grid'
  const wanted = searchable(query.value.trim())
  const found = useMemo(
    () => files.filter(({ path }) => searchable(path).includes(wanted)),
    [files, wanted],
  )
  const row = (file: SharedFile) => {
    const name = nameOf(file.path)
    const folder = wanted && file.path.replace(/\/?[^/]*$/, '')
    const shown = { file, name, folder, href: hrefOf(file), onOpen: open }
    if (chosen && !file.isDamaged) {
      return (
        <selecting.Choice selection={selection} id={file.id}>
          <FileWords {...shown} />
        </selecting.Choice>
      )
    }
    return (
      <>
        <FileEntry {...shown} />
        <FileActions {...shown} />
      </>
    )
  }
  return (
    <div class={isGrid ? 'tiles' : undefined}>
      {files.length > 1 && <Tools {...{ shareId, files, selection, view }} />}
      {files.length >= searchMin && (
        <div class="search">
          <Field label={t('share.search')} type="search" value={query} />
        </div>
      )}
      {wanted ? (
        <>
          <p role="status" class="faint">
            {t('share.found', { n: found.length })}
          </p>
          <FlatRows files={found} row={row} />
        </>
      ) : (
        <Tree
          // Folders are sections of a grid.
          key={String(isGrid)}
          files={files}
          isOpen={isGrid || files.length < searchMin}
          row={row}
          folderLead={(folder) =>
            chosen && <selecting.FolderChoice {...{ selection, folder }} isChoosable={isWhole} />
          }
          folderActions={(folder) => !chosen && <FolderDownload {...{ shareId, folder }} />}
        />
      )}
      {dialog}
    </div>
  )
}

/** Pictures above the list, which the server has put there, open the preview. */
function useStrip(files: readonly SharedFile[], open: (file: SharedFile) => void): void {
  useEffect(() => {
    const strip = document.getElementById('strip')
    const onClick = (event: Event) => {
      const id = Number((event.target as Element).closest('a')?.dataset['id'])
      const file = files.find((one) => one.id === id)
      if (!file || ['pdf', 'other'].includes(kindOf(file))) return
      event.preventDefault()
      open(file)
    }
    strip?.addEventListener('click', onClick)
    return () => strip?.removeEventListener('click', onClick)
  }, [files])
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

const views = [
  ['list', icons.list],
  ['grid', icons.grid],
] as const

/** A list or a grid, also on the next visit. */
function ViewChoice({ view }: { readonly view: Signal<ListView | null> }) {
  return (
    <fieldset class="seg">
      {views.map(([one, icon]) => (
        <label key={one} title={t(`share.as_${one}`)}>
          <input
            type="radio"
            name="view"
            aria-label={t(`share.as_${one}`)}
            checked={view.value === one}
            onChange={() => {
              view.value = one
              keep(viewKey, one)
            }}
          />
          <Icon path={icon} />
        </label>
      ))}
    </fieldset>
  )
}

interface ToolsProps {
  readonly shareId: string
  readonly files: readonly SharedFile[]
  readonly selection: selecting.Selection
  readonly view: Signal<ListView | null>
}

/** Above the list: how many files, the selection, and the view. */
function Tools(props: ToolsProps) {
  const { files, selection, view } = props
  const isChoosing = selection.ids.value !== null
  const begin = t(isChoosing ? 'common.cancel' : 'select.begin')
  return (
    <>
      <div class="row spread files-head">
        <h2>{t('common.files', { n: files.length })}</h2>
        <div class="row-tight">
          <Button
            kind="quiet"
            icon={isChoosing ? icons.close : icons.checkbox}
            onClick={() => (selection.ids.value = isChoosing ? null : new Set())}
          >
            {begin}
          </Button>
          {view.value && <ViewChoice view={view} />}
        </div>
      </div>
      {isChoosing && <ChosenFiles {...props} />}
    </>
  )
}

function ChosenFiles({ shareId, files, selection }: ToolsProps) {
  const chosen = selection.ids.value!
  const bytes = files.reduce((sum, { id, size }) => sum + (chosen.has(id) ? size : 0), 0)
  const text = t('share.download_chosen', { count: chosen.size, size: formatBytes(bytes) })
  const href = selectionHref(shareId, chosen as ReadonlySet<number>)
  return (
    <div class="row chosen">
      {chosen.size > 0 && href ? (
        <ButtonLink icon={icons.download} href={href} download>
          {text}
        </ButtonLink>
      ) : (
        <Button icon={icons.download} disabled>
          {t('common.download')}
        </Button>
      )}
      <selecting.ChooseAll selection={selection} ids={files.filter(isWhole).map(({ id }) => id)} />
      {!href && <p class="problem-text">{t('share.too_scattered')}</p>}
    </div>
  )
}

const viewKey = 'files-view'

/** The view that was chosen last; null without one. */
function keptView(): ListView | null {
  const kept = readKept(viewKey)
  return kept === 'grid' || kept === 'list' ? kept : null
}
