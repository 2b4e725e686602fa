import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { formatPercent } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n.ts'
import { useSignal } from '../../../lib/signals.ts'
import { IconButton } from '../../../ui/button.tsx'
import * as icons from '../../../ui/icons.ts'

const scaleMax = 8
const step = 1.5
/** The scale after a click or a double tap. */
const pressedScale = 2.5
/** A pointer that moves less was not moved. */
const pressPixels = 10
const doubleTapMs = 350

type Point = Pick<MouseEvent, 'clientX' | 'clientY'>
type Zoom = (factor: number, at?: Partial<Point>) => void

/**
 * A picture that is zoomed with buttons, keys, the wheel, a click, a double tap or two fingers, and
 * then scrolls in its box.
 */
export function Picture(props: {
  readonly src: string
  readonly alt: string
  /** Shown until the picture has come. */
  readonly thumbnail: string | undefined
  readonly onError: () => void
}) {
  const { thumbnail, ...shown } = props
  const box = useRef<HTMLDivElement>(null)
  /** Relative to a picture that fits into its box. */
  const scale = useSignal(1)
  /** Relative to its own size; 0 until it has loaded. */
  const ratio = useSignal(0)
  const isZoomed = scale.value > 1

  const measure = () => {
    // The window may change, and the picture load, after the box has gone.
    const image = box.current?.firstElementChild as HTMLImageElement | undefined
    if (image?.naturalWidth) ratio.value = image.width / image.naturalWidth
  }
  /** Keeps the point of the picture at that place, which is the middle by default. */
  const zoom: Zoom = (factor, at = {}) => {
    const { left, top, width, height } = box.current!.getBoundingClientRect()
    const { clientX = left + width / 2, clientY = top + height / 2 } = at
    const image = box.current!.firstElementChild as HTMLElement
    const before = image.getBoundingClientRect()
    const wanted = Math.min(scaleMax, Math.max(1, scale.value * factor))
    const grown = wanted / scale.value
    scale.value = wanted
    image.style.cssText =
      wanted > 1 ? `max-width:none;max-height:none;width:${before.width * grown}px` : ''
    const after = image.getBoundingClientRect()
    box.current!.scrollBy(
      after.left - clientX + (clientX - before.left) * grown,
      after.top - clientY + (clientY - before.top) * grown,
    )
    measure()
  }
  useKeys(zoom, measure, box)
  return (
    <>
      <div
        ref={box}
        class={isZoomed ? 'picture zoomed' : 'picture'}
        tabIndex={0}
        onWheel={(event) => {
          if (!event.ctrlKey) return
          event.preventDefault()
          zoom(Math.exp(-event.deltaY / 200), event)
        }}
        {...usePointers(zoom, (at) => zoom(isZoomed ? 0 : pressedScale, at))}
      >
        <img {...shown} draggable={false} onLoad={measure} />
      </div>
      {ratio.value === 0 && (
        <>
          {thumbnail && <img class="blurred" src={thumbnail} alt="" />}
          <progress aria-label={t('common.loading')} />
        </>
      )}
      <ZoomTools ratio={isZoomed ? ratio.value : 0} zoom={zoom} />
    </>
  )
}

function ZoomTools({ ratio, zoom }: { readonly ratio: number; readonly zoom: Zoom }) {
  return (
    <div class="tools zoom">
      <IconButton icon={icons.less} label={t('preview.zoom_out')} onClick={() => zoom(1 / step)} />
      <span class="count" role="status">
        {ratio > 0 && formatPercent(ratio)}
      </span>
      <IconButton icon={icons.add} label={t('preview.zoom_in')} onClick={() => zoom(step)} />
    </div>
  )
}

/** Zooms with keys, and puts the focus where arrow keys scroll; measures in a changed window. */
function useKeys(zoom: Zoom, measure: () => void, box: RefObject<HTMLElement | null>): void {
  // An effect would hear keys until after the box has gone.
  useLayoutEffect(() => {
    const factors: Readonly<Record<string, number>> = { '+': step, '=': step, '-': 1 / step, 0: 0 }
    const onKey = (event: KeyboardEvent) => {
      const factor = factors[event.key]
      if (factor === undefined || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      zoom(factor)
      box.current!.focus()
    }
    addEventListener('keydown', onKey)
    addEventListener('resize', measure)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener('resize', measure)
    }
  }, [])
}

/** One pointer scrolls or presses, two zoom. */
function usePointers(zoom: Zoom, press: (at: Point) => void) {
  const { current: state } = useRef({
    down: new Map<number, PointerEvent>(),
    moved: 0,
    tappedAt: -doubleTapMs,
  })
  const { down } = state
  return {
    onPointerDown(event: PointerEvent) {
      if (event.button > 0) return
      if (down.size === 0) state.moved = 0
      down.set(event.pointerId, event)
      ;(event.currentTarget as Element).setPointerCapture(event.pointerId)
    },
    onPointerMove(event: PointerEvent) {
      const { pointerId, clientX, clientY } = event
      const before = down.get(pointerId)
      if (!before) return
      down.set(pointerId, event)
      const x = before.clientX - clientX
      const y = before.clientY - clientY
      state.moved += Math.hypot(x, y)
      const other = [...down.values()].find((one) => one.pointerId !== pointerId)
      if (other) {
        const distanceOf = (one: Point) =>
          Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) + 1
        zoom(distanceOf(event) / distanceOf(before), {
          clientX: (clientX + other.clientX) / 2,
          clientY: (clientY + other.clientY) / 2,
        })
      }
      ;(event.currentTarget as Element).scrollBy(x / down.size, y / down.size)
    },
    onPointerUp(event: PointerEvent) {
      down.delete(event.pointerId)
      if (down.size > 0 || state.moved > pressPixels) return
      const isDouble = event.timeStamp - state.tappedAt < doubleTapMs
      state.tappedAt = isDouble ? -doubleTapMs : event.timeStamp
      if (isDouble || event.pointerType === 'mouse') press(event)
    },
    onPointerCancel: ({ pointerId }: PointerEvent) => down.delete(pointerId),
  }
}
