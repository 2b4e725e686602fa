import type { ComponentChildren } from 'preact'
import { t } from '../lib/i18n.ts'
import { IconButton } from './button.tsx'
import * as icons from './icons.ts'
import { Empty, Show, type Loaded } from './state.tsx'

/**
 * A table on wide screens; below that, each row is what its head says, and one line of the rest.
 * `heads` are the names of columns. Roles are written out: some browsers drop them otherwise.
 */
export function Listing(props: {
  readonly heads: readonly ComponentChildren[]
  readonly caption?: string
  readonly children: ComponentChildren
}) {
  return (
    <table class="listing" role="table">
      {props.caption && <caption>{props.caption}</caption>}
      <thead role="rowgroup">
        <tr role="row">
          {props.heads.map((head) =>
            typeof head === 'string' ? (
              <th role="columnheader" scope="col" key={head}>
                {head}
              </th>
            ) : (
              head
            ),
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">{props.children}</tbody>
    </table>
  )
}

/** A row of it: what it is about, then its other columns and its buttons. */
export function ListRow(props: {
  readonly children: ComponentChildren
  /** The box that selects it. */
  readonly lead?: ComponentChildren
  readonly cells: readonly ComponentChildren[]
  readonly actions?: ComponentChildren
  /** Its buttons have words: on phones they stand below. */
  readonly isWide?: boolean
}) {
  return (
    <tr role="row">
      {props.lead && (
        <td role="cell" class="pick">
          {props.lead}
        </td>
      )}
      <th role="rowheader" scope="row">
        {props.children}
      </th>
      {props.cells.map((cell) => (
        <td role="cell">{cell}</td>
      ))}
      {props.actions && (
        <td role="cell" class="acts">
          <div class={props.isWide ? 'actions' : 'row-actions'}>{props.actions}</div>
        </td>
      )}
    </tr>
  )
}

/** A column of buttons, which has no name. */
export const noHead = <td role="cell" />

/** A row of a list: what it is called, more about it, and its buttons. */
export function NamedRow(props: {
  readonly name: string
  readonly mark?: ComponentChildren
  readonly hint: ComponentChildren
  readonly children: ComponentChildren
}) {
  return (
    <li>
      <div class="main">
        <strong>
          <bdi>{props.name}</bdi>
        </strong>{' '}
        {props.mark}
        {props.hint && <p class="hint">{props.hint}</p>}
      </div>
      <span class="row-tight">{props.children}</span>
    </li>
  )
}

/** A list with a row for each, or words for none. */
export function Rows<T>(props: {
  readonly loaded: Loaded<T[]>
  readonly none?: string
  readonly children: (one: T) => ComponentChildren
}) {
  const { loaded, none, children } = props
  return (
    <Show loaded={loaded}>
      {(all) => {
        if (none && all.length === 0) return <Empty icon={icons.lock} text={none} />
        return <ul class="rows">{all.map(children)}</ul>
      }}
    </Show>
  )
}

/** A row with something that can be changed and removed. */
export function ChangeableRow(props: {
  readonly name: string
  readonly hint: ComponentChildren
  readonly onChange: () => void
  readonly onRemove: (event: MouseEvent) => unknown
}) {
  const { name, onChange, onRemove } = props
  return (
    <NamedRow name={name} hint={props.hint}>
      <IconButton
        icon={icons.pencil}
        label={t('contacts.change_one', { name })}
        onClick={onChange}
      />
      <IconButton icon={icons.trash} label={t('file.remove', { name })} onClick={onRemove} />
    </NamedRow>
  )
}
