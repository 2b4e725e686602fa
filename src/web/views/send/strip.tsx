import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { formatNumber } from '../../lib/i18n.ts'
import { useSignal } from '../../lib/signals.ts'
import { FileIcon } from '../../ui/file-icon.tsx'
import { isCounted, pictureOf, Thumbnail } from '../../ui/file-rows.tsx'
import type { FileState } from '../../upload/types.ts'

const tilesMax = 4
/** Files examined in search of pictures. */
const candidatesMax = 20

/** The first of the chosen files, pictures before others, and how many more there are. */
export function Strip(props: {
  readonly files: readonly FileState[]
  /** The last tile, which adds files. */
  readonly children: ComponentChildren
}) {
  const { files, children } = props
  const tiles = useMemo(() => firstFiles(files), [files])
  const others = files.filter(isCounted).length - tiles.length
  const last = others > 0 ? tilesMax - 1 : -1
  return (
    <div class="first-pictures">
      {tiles.map(({ path, picture }, place) => (
        <div key={place} aria-hidden="true">
          {/* No icon stands below the number. */}
          {place === last ? <span class="tile" /> : <FileIcon path={path} />}
          {picture && <Tile picture={picture} />}
          {place === last && <span class="more">+{formatNumber(others + 1)}</span>}
        </div>
      ))}
      {children}
    </div>
  )
}

function firstFiles(files: readonly FileState[]) {
  return files
    .filter(isCounted)
    .slice(0, candidatesMax)
    .map((file) => ({ path: file.path, picture: pictureOf(file) }))
    .toSorted((a, b) => Number(!a.picture) - Number(!b.picture))
    .slice(0, tilesMax)
}

function Tile({ picture }: { readonly picture: Blob }) {
  return <Thumbnail picture={picture} isPainted={useSignal(false)} pixels={240} />
}
