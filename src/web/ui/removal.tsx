import type { ComponentChildren } from 'preact'
import { focusNeighbour } from '../lib/focus.ts'
import { t } from '../lib/i18n.ts'
import { filesOf, nameOf, type Folder, type Leaf } from '../lib/tree.ts'
import { Button, IconButton } from './button.tsx'
import type { IconPath } from './icons.ts'
import * as icons from './icons.ts'
import { ChooseAll, type Selection } from './selection.tsx'

/** The message after a removal. */
export function sayRemoved(files: readonly Pick<Leaf, 'path'>[]): string {
  const [first, second] = files
  if (first && !second) return t('send.removed', { name: nameOf(first.path) })
  return t('file.removed_n', { n: files.length })
}

/** So few are removed one by one. In Send their rows are open, and say more than pictures. */
export const fewFiles = 3

/** Beside a list: what starts a selection, then what removes it. */
export function RemovalTools<T extends Leaf>(props: {
  readonly files: readonly T[]
  readonly selection: Selection
  readonly onRemove: (files: readonly T[]) => void
  /** While nothing is being selected. */
  readonly children: (begin: () => void) => ComponentChildren
}) {
  const { files, selection, onRemove, children } = props
  const chosen = selection.ids.value
  if (!chosen) return children(() => (selection.ids.value = new Set()))
  const wanted = files.filter(({ id }) => chosen.has(id))
  const remove = () => {
    selection.ids.value = null
    onRemove(wanted)
  }
  return (
    <div class="row chosen">
      <Button kind="danger" icon={icons.trash} disabled={wanted.length === 0} onClick={remove}>
        {t('file.remove_n', { n: wanted.length })}
      </Button>
      <ChooseAll selection={selection} ids={files.map(({ id }) => id)} />
      <Button onClick={() => (selection.ids.value = null)}>{t('select.end')}</Button>
    </div>
  )
}

/** Removes a file of a list, or a folder with its files. */
export function RemoveButton<T extends Leaf>(props: {
  readonly name: string
  readonly of: T | Folder<T>
  readonly onRemove: (files: readonly T[]) => void
  readonly icon?: IconPath
}) {
  const { name, of, onRemove, icon = icons.close } = props
  return (
    <IconButton
      icon={icon}
      label={t('file.remove', { name })}
      onClick={({ currentTarget }) => {
        focusNeighbour(currentTarget as Element)
        onRemove('folders' in of ? filesOf(of) : [of])
      }}
    />
  )
}
