import type { ComponentChildren } from 'preact'
import { withChoice } from '../lib/choice.ts'
import { t } from '../lib/i18n.ts'
import { useSignal, type Signal } from '../lib/signals.ts'
import { filesOf, type Folder, type Leaf } from '../lib/tree.ts'
import { Button } from './button.tsx'

type Id = Leaf['id']
/** Ids; null while nothing is being selected. */
export type Chosen = ReadonlySet<Id> | null

/** Files that the user selects in a list. */
export interface Selection {
  readonly ids: Signal<Chosen>
  readonly choose: (ids: readonly Id[], isChosen: boolean) => void
}

export function useSelection(): Selection {
  const ids = useSignal<Chosen>(null)
  const choose = (some: readonly Id[], isChosen: boolean) =>
    (ids.value = withChoice(ids.value, some, isChosen))
  return { ids, choose }
}

interface ChoiceProps {
  readonly selection: Selection
}

/** A file's checkbox with its content. */
export function Choice(
  props: ChoiceProps & { readonly id: Id; readonly children: ComponentChildren },
) {
  const { selection, id, children } = props
  return (
    <label class="check main">
      <input
        type="checkbox"
        checked={selection.ids.value?.has(id) ?? false}
        onChange={(event) => selection.choose([id], event.currentTarget.checked)}
      />
      {children}
    </label>
  )
}

/** Selects these files, or none once all of them are selected. */
export function ChooseAll({ selection, ids }: ChoiceProps & { readonly ids: readonly Id[] }) {
  const isAll = ids.every((id) => selection.ids.value?.has(id))
  return (
    <Button onClick={() => (selection.ids.value = new Set(isAll ? [] : ids))}>
      {t(isAll ? 'select.none' : 'select.all')}
    </Button>
  )
}

/** The checkbox of a folder: for all of its files that can be selected. */
export function FolderChoice<T extends Leaf>(
  props: ChoiceProps & {
    readonly folder: Folder<T>
    readonly isChoosable?: (file: T) => boolean
  },
) {
  const { selection, folder, isChoosable = () => true } = props
  const ids = filesOf(folder).flatMap((file) => (isChoosable(file) ? [file.id] : []))
  const count = ids.filter((id) => selection.ids.value?.has(id)).length
  return (
    <span class="check">
      <input
        type="checkbox"
        aria-label={t('select.folder', { name: folder.name })}
        checked={ids.length > 0 && count === ids.length}
        indeterminate={count > 0 && count < ids.length}
        onChange={(event) => selection.choose(ids, event.currentTarget.checked)}
      />
    </span>
  )
}
