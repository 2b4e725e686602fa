// Draws results as an SVG: a panel for each question, with a bar for the speed of each side and one
// for its CPU time. No script, no fonts, and colours for light and dark backgrounds.
import type { Answer, Figures } from './figures.ts'
import { short, type Results } from './results.ts'

const panelWidth = 424
const gap = 24
const margin = 16
const width = 2 * (margin + panelWidth) + gap
const headHeight = 44
const rowHeight = 17
const barHeight = 11
const panelGap = 18
const speedX = 58
const speedWidth = 176
const cpuX = 294
const cpuWidth = 84
const lineHeight = 16
const charactersPerLine = 140
const heading = ' class="b" font-size="15"'
const howToRead =
  'Left: speed, longer is better. ' +
  'Right: CPU time of the server with its database, shorter is better.'
const peersNote =
  'Service and native answer an upload when it is on disk, the others before. ' +
  'For an archive, native sends one file of that size.'

/** Bars of one colour are one path, which keeps the file small. */
interface Drawing {
  readonly texts: string[]
  readonly service: string[]
  readonly others: string[]
}

export function drawChart(results: Results): string {
  const drawing: Drawing = { texts: [], service: [], others: [] }
  const answers = results.answers.filter(({ syncs }) => syncs === 'direct')
  let y = margin + 44
  for (let place = 0; place < answers.length; place += 2) {
    const pair = answers.slice(place, place + 2)
    for (const [column, answer] of pair.entries()) {
      drawPanel(drawing, answer, margin + column * (panelWidth + gap), y)
    }
    const rows = Math.max(...pair.map(({ sides }) => sides.length))
    y += headHeight + rows * rowHeight + panelGap
  }
  const notes = notesOf(results, answers)
  for (const [line, note] of notes.entries()) {
    drawing.texts.push(text(margin, y + line * lineHeight, note, ' class="m"'))
  }
  return render(drawing, y + notes.length * lineHeight)
}

function drawPanel(drawing: Drawing, answer: Answer, x: number, y: number): void {
  const { name, unit, sides } = answer
  const isByItems = unit === 'items'
  const what = name.includes('metadata') ? 'requests' : 'files'
  const speeds = sides.map((side) =>
    medianOf(isByItems ? side.itemsPerSecond : side.megabytesPerSecond),
  )
  const costs = sides.map((side) => medianOf(costOf(side, isByItems)))
  drawing.texts.push(
    text(x, y + 12, name, ' class="b"'),
    text(x + speedX, y + 32, isByItems ? `${what}/s` : 'MB/s', ' class="m"'),
    text(x + cpuX, y + 32, isByItems ? 'CPU-ms each' : 'CPU-s/GB', ' class="m"'),
  )
  for (const [row, side] of sides.entries()) {
    const top = y + headHeight - 5 + row * rowHeight
    const base = top + barHeight - 1
    const speed = speeds[row] ?? 0
    const cost = costs[row] ?? 0
    const bars = row === 0 ? drawing.service : drawing.others
    const speedEnd = bar(bars, [x + speedX, top], (speedWidth * speed) / Math.max(...speeds))
    const costEnd = bar(bars, [x + cpuX, top], (cpuWidth * cost) / Math.max(...costs))
    drawing.texts.push(
      text(x, base, side.label, row === 0 ? ' class="b"' : ''),
      text(
        speedEnd + 5,
        base,
        speed < 1000 ? short(speed) : Math.round(speed).toLocaleString('en'),
      ),
      text(costEnd + 5, base, short(cost)),
    )
  }
}

/** With the database: those who run the service pay for both. */
function costOf(side: Figures, isByItems: boolean): { median: number } | null {
  return isByItems ? side.cpuMsPerItemWithDatabase : side.cpuSecondsPerGigabyteWithDatabase
}

/** 0 for what could not be measured, which JSON keeps as null. */
function medianOf(spread: { median: number | null } | null): number {
  return spread?.median ?? 0
}

/** Adds a bar, and returns where it ends. */
function bar(bars: string[], [x, y]: readonly [number, number], length: number): number {
  // At least one pixel, also where nothing could be measured.
  const shown = Math.max(1, Math.round(length || 0))
  bars.push(`M${x} ${y}h${shown}v${barHeight}h-${shown}`)
  return x + shown
}

function notesOf(results: Results, answers: readonly Answer[]): string[] {
  const titles = new Map(
    answers.flatMap(({ sides }) => sides.map(({ label, title }) => [label, title] as const)),
  )
  const { cores, cpu, node, runs, date, quotaPercent } = results
  const quota = quotaPercent === null ? '' : `${quotaPercent} % of one core for each server`
  const setting = [`${cores} × ${cpu}`, quota, `Node ${node}`, `medians of ${runs} rounds`, date]
  const sides = [...titles].map(([label, title]) =>
    title.startsWith(label) ? title : `${label}: ${title}`,
  )
  const hasPeers = titles.has('express')
  return [
    ...wrap(sides, '; '),
    ...(hasPeers ? [peersNote] : []),
    ...wrap(setting.filter(Boolean), ', '),
  ]
}

function wrap(parts: readonly string[], separator: string): string[] {
  const lines: string[] = []
  for (const part of parts) {
    const longer = `${lines.at(-1) ?? ''}${separator}${part}`
    if (lines.length > 0 && longer.length <= charactersPerLine) lines[lines.length - 1] = longer
    else lines.push(part)
  }
  return lines
}

/** Colours stand in attributes too, for readers that ignore styles. */
function render({ texts, service, others }: Drawing, height: number): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  const font = 'font-family="system-ui,sans-serif" font-size="12" fill="#1f2328"'
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${font} role="img">
<title>Speed and CPU time beside other servers</title>
<style>.b{font-weight:600}.m{fill:#59636e}@media(prefers-color-scheme:dark){
svg{fill:#e6edf3}.m{fill:#9198a1}.g{fill:#0d1117}.s{fill:#4493f8}.o{fill:#656c76}}</style>
<rect class="g" width="100%" height="100%" rx="8" fill="#fff"/>
<path class="s" fill="#0969da" d="${service.join('')}"/>
<path class="o" fill="#afb8c1" d="${others.join('')}"/>
${text(margin, margin + 12, 'Speed and CPU time, in turns on one machine', heading)}
${text(margin, margin + 31, howToRead, ' class="m"')}
${texts.join('\n')}
</svg>
`
}

function text(x: number, y: number, content: string, attributes = ''): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<text x="${x}" y="${y}"${attributes}>${escaped}</text>`
}
