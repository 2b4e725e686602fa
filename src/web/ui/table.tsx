import type { ComponentChildren } from 'preact'

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

/** A column of buttons, which has no name. */
export const noHead = <td role="cell" />

/** A row of a list: what it is called, more about it, and its buttons. */
export function NamedRow(props: {
  readonly name: string
  readonly hint: ComponentChildren
  readonly children: ComponentChildren
}) {
  return (
    <li>
      <div class="main">
        <strong>
          <bdi>{props.name}</bdi>
        </strong>
        {props.hint && <p class="hint">{props.hint}</p>}
      </div>
      {props.children}
    </li>
  )
}
