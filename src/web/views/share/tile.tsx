import { FileIcon } from '../../ui/file-icon.tsx'
import { kindOf, thumbnailHref, type SharedFile } from './shared.ts'

/** The thumbnail of a file, or the icon of its kind. */
export function FileTile({ file, href }: { readonly file: SharedFile; readonly href: string }) {
  if (!file.hasThumbnail) return <FileIcon path={file.path} />
  return (
    <span class={kindOf(file) === 'video' ? 'tile film' : 'tile'}>
      <img src={thumbnailHref(href)} alt="" loading="lazy" />
    </span>
  )
}
