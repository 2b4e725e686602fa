import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { Chart, DayTable, longDay, percent } from './chart.tsx'
import type { Day, Overview } from './status.tsx'

export function StorageChart({ overview }: { readonly overview: Overview }) {
  const { days } = overview
  const stored = days.map((day) => day.stored_bytes)
  const known = days.filter((day) => day.stored_bytes !== null)
  return (
    <Chart
      title={t('chart.storage')}
      days={days.map(({ day }) => day)}
      max={Math.max(...known.map((one) => one.stored_bytes!))}
      summary={sayChange(known)}
      describe={(index) => sayStored(days[index]!)}
      draw={(top) => <Area stored={stored} top={top} />}
      legend={<p class="hint">{t('chart.ends')}</p>}
      table={<DayTable days={known} columns={[[t('status.stock'), sayStored]]} />}
    />
  )
}

/** How much more is stored than at the end of the first known day. */
function sayChange(known: readonly Day[]): string {
  const [first, last] = [known[0]!, known.at(-1)!]
  const change = last.stored_bytes! - first.stored_bytes!
  const values = { day: longDay(first.day), size: formatBytes(Math.abs(change)) }
  if (first === last) return t('chart.since', values)
  if (change === 0) return t('chart.same', values)
  return t(change < 0 ? 'chart.shrunk' : 'chart.grown', values)
}

function sayStored({ stored_bytes: bytes }: Day): string {
  return bytes === null ? t('chart.unknown') : formatBytes(bytes)
}

/** A line over the middles of the days, as far as they are known, and the area below it. */
function Area(props: { readonly stored: readonly (number | null)[]; readonly top: number }) {
  const { stored, top } = props
  const first = stored.findIndex((bytes) => bytes !== null)
  const heights = stored.slice(first).map((bytes) => 1 - (bytes ?? 0) / top)
  const points = heights.map((y, place) => `L${first + place + 0.5} ${y}`).join('')
  const line = `M${first} ${heights[0]}${points}L${stored.length} ${heights.at(-1)}`
  return (
    <svg viewBox={`0 0 ${stored.length} 1`} preserveAspectRatio="none">
      <path class="area" d={`${line}V1H${first}Z`} />
      <path class="line" d={line} />
    </svg>
  )
}

export function TrafficChart({ overview }: { readonly overview: Overview }) {
  const { days } = overview
  const sum = (of: (day: Day) => number) => days.reduce((all, day) => all + of(day), 0)
  const received = sum((day) => day.received_bytes)
  const sent = sum((day) => day.sent_bytes)
  return (
    <Chart
      title={t('chart.traffic')}
      days={days.map(({ day }) => day)}
      max={Math.max(...days.flatMap((day) => [day.received_bytes, day.sent_bytes]))}
      summary={say(received, sent)}
      describe={(index) => say(days[index]!.received_bytes, days[index]!.sent_bytes)}
      draw={(top) => <Bars days={days} top={top} />}
      legend={
        <p class="row hint legend">
          <Key name="received" text={t('chart.key.received')} />
          <Key name="sent" text={t('chart.key.sent')} />
        </p>
      }
      table={
        <DayTable
          days={days}
          columns={[
            [t('chart.key.received'), (day) => formatBytes(day.received_bytes)],
            [t('chart.key.sent'), (day) => formatBytes(day.sent_bytes)],
          ]}
        />
      }
    />
  )
}

function say(received: number, sent: number): string {
  return t('chart.moved', { received: formatBytes(received), sent: formatBytes(sent) })
}

function Key({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <span class="row-tight">
      <svg aria-hidden="true">
        <rect class={name} width="100%" height="100%" />
      </svg>
      {text}
    </span>
  )
}

/** Two bars a day: solid ones, and striped ones, which differ without colour too. */
function Bars({ days, top }: { readonly days: readonly Day[]; readonly top: number }) {
  const bar = (name: string, index: number, place: number, bytes: number) => {
    const height = bytes / top
    return (
      <rect
        class={name}
        x={percent((index + place) / days.length)}
        width={percent(0.38 / days.length)}
        y={percent(1 - height)}
        height={percent(height)}
      />
    )
  }
  return (
    <>
      <defs>
        <pattern id="stripes" width="4" height="4" patternUnits="userSpaceOnUse">
          <path class="stripe" d="M-1 1 1-1M0 4 4 0M3 5 5 3" />
        </pattern>
      </defs>
      {days.map((day, index) => [
        bar('received', index, 0.1, day.received_bytes),
        bar('sent', index, 0.52, day.sent_bytes),
      ])}
    </>
  )
}
