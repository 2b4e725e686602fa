import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { formatNumber } from '../../lib/i18n.ts'
import { isCounted, pictureOf } from '../../ui/file-rows.tsx'
import type { FileState } from '../../upload/types.ts'

const picturesMax = 4
/** Examined in search of them. */
const candidatesMax = 20
/** Longer side in pixels: twice the displayed size, for high-resolution screens. */
const pixels = 160

/** Pictures that the browser cannot draw. */
const broken = new WeakSet<Blob>()

/** Shows the first pictures of the chosen files, and the number of the other files. */
export function Strip({ files }: { readonly files: readonly FileState[] }) {
  const brokenCount = useSignal(0)
  const pictures = useMemo(() => firstPictures(files), [files, brokenCount.value])
  if (pictures.length === 0) return null
  const others = files.filter(isCounted).length - pictures.length
  const onBroken = (picture: Blob) => {
    broken.add(picture)
    brokenCount.value += 1
  }
  return (
    <ul class="first-pictures" aria-hidden="true">
      {pictures.map((picture, place) => (
        <Tile key={place} {...{ picture, onBroken }} />
      ))}
      {others > 0 && <li>+{formatNumber(others)}</li>}
    </ul>
  )
}

function firstPictures(files: readonly FileState[]): Blob[] {
  const pictures: Blob[] = []
  let candidates = 0
  for (const file of files) {
    const picture = isCounted(file) ? pictureOf(file) : null
    if (!picture) continue
    candidates += 1
    if (!broken.has(picture)) pictures.push(picture)
    if (pictures.length === picturesMax || candidates === candidatesMax) break
  }
  return pictures
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
    import('../../ui/thumbnails.ts').then(
      ({ paint }) => {
        if (isGone) return
        paint(element, picture, pixels).catch(() => !isGone && onBroken(picture))
      },
      // Keeps its place empty.
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [picture])
  return (
    <li>
      <canvas ref={canvas} width={0} height={0} />
    </li>
  )
}
