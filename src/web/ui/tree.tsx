import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { formatBytes } from '../lib/format.ts'
import { t } from '../lib/i18n.ts'
import { useSignal } from '../lib/signals.ts'
import { buildTree, filesOf, sortTree, type Folder, type Leaf } from '../lib/tree.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { FileName } from './name.tsx'
import * as icons from './icons.ts'

/** Rows of a folder that are rendered at once: thousands take seconds on a phone. */
const rowsMax = 200
/** With more files folders are closed at first, so that what is below the list stays near. */
const openMax = 20

interface RowsProps<T extends Leaf> {
  /** Content of a file's `<li>`. */
  readonly row: (file: T) => ComponentChildren
  /** After a folder's name: buttons for all of its files. */
  readonly folderActions?: (folder: Folder<T>) => ComponentChildren
  /** Before a folder's name. */
  readonly folderLead?: (folder: Folder<T>) => ComponentChildren
  /** Whether folders are open at first. A folder without another beside it always is. */
  readonly isOpen?: boolean
}

/** Files in folders: nested lists, with a button to open each folder. */
export function Tree<T extends Leaf>(
  props: RowsProps<T> & {
    readonly files: readonly T[]
    /** Whether folders count a file; all by default. */
    readonly isCounted?: (file: T) => boolean
    /** Keeps the order of a list without folders: that of the upload. */
    readonly keepsOrder?: boolean
  },
) {
  const { files, isCounted, keepsOrder, isOpen = files.length <= openMax, ...rest } = props
  // Files change all the time while they are sent, but their order does not.
  const order = useMemo(() => {
    const built = buildTree(files)
    if (keepsOrder && built.folders.length === 0) return files.map((_, place) => place)
    const places = new Map(files.map((file, place) => [file, place]))
    return filesOf(sortTree(built)).map((file) => places.get(file)!)
  }, [files.map(({ path }) => path).join('//'), keepsOrder])
  const top = useMemo(() => {
    const sorted = order.map((place) => files[place]!)
    return buildTree(sorted, isCounted)
  }, [files, order, isCounted])
  return <Level {...rest} isOpen={isOpen} folder={top} />
}

/** Files without folders, for search results. */
export function FlatRows<T extends Leaf>(
  props: Pick<RowsProps<T>, 'row'> & { readonly files: readonly T[] },
) {
  return <Level row={props.row} folder={{ ...buildTree<T>([]), files: props.files }} />
}

function Level<T extends Leaf>(props: RowsProps<T> & { readonly folder: Folder<T> }) {
  const { folder, ...rest } = props
  const shown = useSignal(rowsMax)
  const folders = folder.folders.slice(0, shown.value)
  const files = folder.files.slice(0, Math.max(0, shown.value - folder.folders.length))
  const left = folder.folders.length + folder.files.length - shown.value
  return (
    <ul class="rows">
      {folders.map((inner) => (
        <FolderRow
          {...rest}
          key={`${inner.path}/`}
          folder={inner}
          isLone={folder.folders.length === 1}
        />
      ))}
      {files.map((file) => (
        <li key={file.id}>{rest.row(file)}</li>
      ))}
      {left > 0 && (
        <li>
          <Button kind="quiet" onClick={() => (shown.value += rowsMax)}>
            {t('common.show_more', { left })}
          </Button>
        </li>
      )}
    </ul>
  )
}

function FolderRow<T extends Leaf>(
  props: RowsProps<T> & { readonly folder: Folder<T>; readonly isLone: boolean },
) {
  const { folder, folderActions, folderLead, isLone, isOpen: isOpenAtFirst } = props
  const isOpen = useSignal(isLone || (isOpenAtFirst ?? false))
  return (
    <li>
      {folderLead?.(folder)}
      <button
        type="button"
        class="main entry"
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        <Icon path={icons.next} />
        <span class="tile folder">
          <Icon path={icons.folder} />
        </span>
        <span class="stack-none">
          <FileName of={folder.name} />{' '}
          <small class="faint">
            {t('common.files', { n: folder.count })} · {formatBytes(folder.bytes)}
          </small>
        </span>
      </button>
      {folderActions?.(folder)}
      {isOpen.value && <Level {...props} />}
    </li>
  )
}
