import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { Chart, DayTable, percent } from './chart.tsx'
import type { Day, Overview } from './overview-data.ts'

/** Bytes received and sent on each day. */
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
          <Key name="received" />
          <Key name="sent" />
        </p>
      }
      table={
        <DayTable
          days={days}
          columns={[
            { title: t('chart.key.received'), value: (day) => formatBytes(day.received_bytes) },
            { title: t('chart.key.sent'), value: (day) => formatBytes(day.sent_bytes) },
          ]}
        />
      }
    />
  )
}

function say(received: number, sent: number): string {
  return t('chart.moved', { received: formatBytes(received), sent: formatBytes(sent) })
}

function Key({ name }: { readonly name: 'received' | 'sent' }) {
  return (
    <span class="row-tight">
      <svg aria-hidden="true">
        <rect class={name} width="100%" height="100%" />
      </svg>
      {t(`chart.key.${name}`)}
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
