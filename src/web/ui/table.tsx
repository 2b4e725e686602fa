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
