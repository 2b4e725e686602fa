import type { FunctionComponent } from 'preact'

/** What a view is given: the parameters of its path. */
export interface ViewProps {
  readonly params: Readonly<Record<string, string>>
}

export type View = FunctionComponent<ViewProps>

/** A view by its path. Those that most people do not open in a visit are loaded on demand. */
export interface Route {
  readonly path: string
  readonly view: View | { load(): Promise<View> }
  /** Only when the address has this parameter. */
  readonly query?: string
  readonly adminOnly?: boolean
}
