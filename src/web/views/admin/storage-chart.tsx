import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { Chart, DayTable, longDay } from './chart.tsx'
import type { Day, Overview } from './overview-data.ts'

/** Bytes stored at the end of each day. */
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
      table={<DayTable days={known} columns={[{ title: t('status.stock'), value: sayStored }]} />}
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
