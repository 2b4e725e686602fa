import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { formatNumber } from '../../lib/i18n.ts'
import { FileIcon } from '../../ui/file-icon.tsx'
import { isCounted, pictureOf } from '../../ui/file-rows.tsx'
import type { FileState } from '../../upload/types.ts'

const tilesMax = 4
/** Files examined in search of pictures. */
const candidatesMax = 20
/** Longer side in pixels: twice the displayed size, for high-resolution screens. */
const pixels = 240

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
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    // Effects end after the element has gone, and its ref with it.
    const element = canvas.current!
    let isGone = false
    import('../../upload/browser.ts')
      .then(({ paint }) => (isGone ? undefined : paint(element, picture, pixels)))
      // Keeps the icon.
      .catch(() => {})
    return () => {
      isGone = true
    }
  }, [picture])
  return <canvas ref={canvas} width={0} height={0} />
}
