import type { FunctionComponent } from 'preact'

/** Properties of a view: the parameters of its path. */
export interface ViewProps {
  readonly params: Readonly<Record<string, string>>
}

export type View = FunctionComponent<ViewProps>

/** A view by its path. Rarely used ones are loaded on demand. */
export interface Route {
  readonly path: string
  readonly view: View | { load(): Promise<View> }
  /** Requires this parameter in the address. */
  readonly query?: string
  readonly adminOnly?: boolean
}
