import { Icon } from '../../ui/icon.tsx'
import * as icons from '../../ui/icons.ts'
import type { FileState } from '../../upload/types.ts'

/** The page has no room for drawings of all kinds of files, but for the colours of most. */
export function KindColour({ source }: Pick<FileState, 'source'>) {
  return (
    <span class={`tile ${source instanceof Blob ? source.type.split('/')[0] : ''}`}>
      <Icon path={icons.file} />
    </span>
  )
}
