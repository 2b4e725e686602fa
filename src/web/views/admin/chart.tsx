import type { ComponentChildren } from 'preact'
import { formatBytes, formatDay } from '../../lib/format.ts'
import { locale, t } from '../../lib/i18n.ts'
import { useSignal, type Signal } from '../../lib/signals.ts'

interface ChartProps {
  readonly title: string
  /** `2030-12-31`, oldest first. */
  readonly days: readonly string[]
  /** The largest value, in bytes. */
  readonly max: number
  /** Shown while no day is. */
  readonly summary: string
  /** The values of a day, in words. */
  readonly describe: (index: number) => string
  /** The drawing, from 0 to `top` bytes; a day is as wide as the others. */
  readonly draw: (top: number) => ComponentChildren
  readonly legend?: ComponentChildren
  readonly table: ComponentChildren
}

/** A chart by days. Hovering, tapping and arrow keys show the values of a day. */
export function Chart(props: ChartProps) {
  const { title, days, max, summary } = props
  const chosen = useSignal<number | null>(null)
  const index = chosen.value
  const sayDay = (at: number) => `${longDay(days[at]!)}: ${props.describe(at)}`
  const head = <h2>{title}</h2>
  if (max === 0) {
    return (
      <section class="stack">
        {head}
        <p class="hint">{t('chart.empty')}</p>
      </section>
    )
  }
  return (
    <section class="stack chart">
      {head}
      {index === null ? <p class="hint">{summary}</p> : <p>{sayDay(index)}</p>}
      <Plot {...props} chosen={chosen} sayDay={sayDay} />
      {props.legend}
      <details>
        <summary>{t('chart.numbers')}</summary>
        {props.table}
        <p class="hint">{t('chart.utc')}</p>
      </details>
    </section>
  )
}

/** The values of a chart, newest first. */
export function DayTable<T extends { readonly day: string }>(props: {
  readonly days: readonly T[]
  readonly columns: readonly (readonly [title: string, value: (day: T) => string])[]
}) {
  const { days, columns } = props
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('chart.date')}</th>
          {columns.map(([title]) => (
            <th key={title} scope="col" class="number">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map((day) => (
          <tr key={day.day}>
            <th scope="row">{longDay(day.day)}</th>
            {columns.map(([title, value]) => (
              <td key={title} class="number">
                {value(day)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface PlotProps extends Pick<ChartProps, 'title' | 'days' | 'max' | 'draw'> {
  /** Index of the day whose values are shown. */
  readonly chosen: Signal<number | null>
  readonly sayDay: (index: number) => string
}

/** The drawing with its axes. For screen readers and keys it is a slider over the days. */
function Plot({ title, days, max, draw, chosen, sayDay }: PlotProps) {
  const ticks = roundTicks(max)
  const last = days.length - 1
  const index = chosen.value
  return (
    <div class="plot">
      <div class="scale" aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick}>{tick === 0 ? '0' : formatBytes(tick)}</span>
        ))}
      </div>
      <div
        role="slider"
        tabIndex={0}
        aria-label={t('chart.day', { title })}
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={(index ?? last) + 1}
        aria-valuetext={sayDay(index ?? last)}
        onFocus={() => (chosen.value ??= last)}
        onBlur={() => (chosen.value = null)}
        onPointerMove={(event) => (chosen.value = dayUnder(event, days.length))}
        onPointerLeave={({ pointerType }) => {
          // A finger that has been lifted leaves too.
          if (pointerType === 'mouse') chosen.value = null
        }}
        onKeyDown={(event) => {
          const next = dayAfter(event.key, index ?? last, last)
          if (next === null) return
          event.preventDefault()
          chosen.value = next
        }}
      >
        <svg aria-hidden="true">
          {index !== null && (
            // Behind the drawing.
            <rect
              class="chosen"
              x={percent(index / days.length)}
              width={percent(1 / days.length)}
              height="100%"
            />
          )}
          {ticks.map((tick, place) => {
            const y = percent(1 - place / (ticks.length - 1))
            return <line key={tick} class="grid" x1="0" x2="100%" y1={y} y2={y} />
          })}
          {draw(ticks.at(-1)!)}
          <Dates days={days} />
        </svg>
      </div>
    </div>
  )
}

/** Today, and the same day of each week before; only every other one on phones. */
function Dates({ days }: Pick<ChartProps, 'days'>) {
  const indexes = days
    .map((_, index) => days.length - 1 - index)
    .filter((_, back) => back % 7 === 0)
  return indexes.map((index, place) => (
    <text
      key={index}
      class={place % 2 === 1 ? 'wide-only' : undefined}
      x={percent((index + 0.5) / days.length)}
      y="100%"
      dy="1.4em"
    >
      {short.format(new Date(days[index]!))}
    </text>
  ))
}

function dayUnder({ clientX, currentTarget }: PointerEvent, count: number): number {
  const { left, width } = (currentTarget as Element).getBoundingClientRect()
  return Math.max(0, Math.min(count - 1, Math.floor(((clientX - left) / width) * count)))
}

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  Home: -Infinity,
  End: Infinity,
}

/** The day that a key leads to; null for other keys. */
function dayAfter(key: string, index: number, last: number): number | null {
  const step = steps[key]
  return step === undefined ? null : Math.max(0, Math.min(last, index + step))
}

/** Zero, and two to four round values up to `max` or a little more. */
function roundTicks(max: number): number[] {
  const least = Math.max(max, 1000) / 4
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((one) => one >= least)!
  const count = Math.max(2, Math.ceil(max / step))
  return Array.from({ length: count + 1 }, (_, place) => place * step)
}

export function percent(part: number): string {
  return `${(100 * part).toFixed(3)}%`
}

const short = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

export const longDay = (day: string) => formatDay(`${day}T12:00`)
