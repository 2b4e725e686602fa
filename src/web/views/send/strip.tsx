import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { formatNumber } from '../../lib/i18n.ts'
import { useSignal } from '../../lib/signals.ts'
import { FileIcon } from '../../ui/file-icon.tsx'
import { isCounted, pictureOf } from '../../ui/file-rows.tsx'
import type { FileState } from '../../upload/types.ts'

const tilesMax = 4
/** Files examined in search of pictures. */
const candidatesMax = 20
/** Longer side in pixels: twice the displayed size, for high-resolution screens. */
const pixels = 240

/** Pictures that the browser cannot draw. */
const broken = new WeakSet<Blob>()

/** The first of the chosen files, pictures before others, and how many more there are. */
export function Strip(props: {
  readonly files: readonly FileState[]
  /** The last tile, which adds files. */
  readonly children: ComponentChildren
}) {
  const { files, children } = props
  const brokenCount = useSignal(0)
  const tiles = useMemo(() => firstFiles(files), [files, brokenCount.value])
  const others = files.filter(isCounted).length - tiles.length
  const onBroken = (picture: Blob) => {
    broken.add(picture)
    brokenCount.value += 1
  }
  return (
    <div class="first-pictures">
      {tiles.map(({ path, picture }, place) => (
        <div key={place} aria-hidden="true">
          <FileIcon path={path} />
          {picture && <Tile {...{ picture, onBroken }} />}
          {others > 0 && place === tilesMax - 1 && (
            <span class="more">+{formatNumber(others + 1)}</span>
          )}
        </div>
      ))}
      {children}
    </div>
  )
}

interface TileFile {
  readonly path: string
  readonly picture: Blob | null
}

function firstFiles(files: readonly FileState[]): TileFile[] {
  const counted = files.filter(isCounted)
  const found = counted.slice(0, candidatesMax).map((file): TileFile => {
    const picture = pictureOf(file)
    return { path: file.path, picture: picture && !broken.has(picture) ? picture : null }
  })
  return found.toSorted((a, b) => Number(!a.picture) - Number(!b.picture)).slice(0, tilesMax)
}

interface TileProps {
  readonly picture: Blob
  readonly onBroken: (picture: Blob) => void
}

function Tile({ picture, onBroken }: TileProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    // Effects end after the element has gone, and its ref with it.
    const element = canvas.current!
    let isGone = false
    import('../../upload/browser.ts').then(
      ({ paint }) => {
        if (isGone) return
        paint(element, picture, pixels).catch(() => !isGone && onBroken(picture))
      },
      // Keeps the icon.
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [picture])
  return <canvas ref={canvas} width={0} height={0} />
}
