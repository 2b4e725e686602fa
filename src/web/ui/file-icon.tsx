import { iconOf } from '../lib/file-icons.ts'
import { Icon } from './icon.tsx'
import * as icons from './icons.ts'

/** A tile with the icon of a file's kind, in the colour of its family. */
export function FileIcon({ path }: { readonly path: string }) {
  const icon = iconOf(path)
  return (
    <span class={`tile ${icon?.kind ?? ''}`}>
      <Icon path={icon?.path ?? icons.file} />
    </span>
  )
}
