import { presentCheckUp, listMends } from '../admin/doctor/operations.ts'
import { worstOf, type CheckResult, type Finding } from '../admin/doctor/findings.ts'
import { proxyKinds, shownKinds, type ProxyKind } from '../admin/doctor/mends.ts'
import { type Call, type Report, UsageError } from './command.ts'
import { withApp } from './open-app.ts'
import { printable } from './table.ts'

const titles: Readonly<Record<string, string>> = {
  options: 'options file',
  commands: 'run',
  nginx: 'nginx',
  caddy: 'Caddy',
  apache: 'Apache',
  traefik: 'Traefik',
}

/** Checks the set-up, through the public URL too; exits with 1 when there are problems. */
export function checkUp(call: Call): Promise<Report> {
  const wanted = readProxy(call.text('proxy'))
  const isSlow = call.has('slow')
  return withApp({ bytes: true, isQuiet: true }, async ({ services }) => {
    const found = await services.doctor.run({ isSlow })
    const { results } = found
    const kinds = shownKinds(wanted ?? found.proxy)
    const width = Math.max(...results.map(({ id }) => id.length))
    const count = (level: string) => results.filter((one) => one.level === level).length
    const [problems, warnings] = [count('problem'), count('warning')]
    const lines = results.flatMap((result) => describe(result, width, kinds))
    return {
      json: presentCheckUp(found, wanted),
      text: [...lines, '', `${amount(problems, 'problem')}, ${amount(warnings, 'warning')}`].join(
        '\n',
      ),
      isFailure: worstOf(results) === 'problem',
    }
  })
}

/** @throws UsageError */
function readProxy(text: string | null): ProxyKind | null {
  if (text === null) return null
  const kind = proxyKinds.find((known) => known === text)
  if (!kind) throw new UsageError(`--proxy must be one of ${proxyKinds.join(', ')}`)
  return kind
}

function amount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** A line for the check, and more lines only for what needs action. */
function describe(result: CheckResult, width: number, kinds: readonly ProxyKind[]): string[] {
  const { id, level, findings } = result
  const worst = findings.find((finding) => finding.level === level)!
  const head = `${level.padEnd(7)}  ${id.padEnd(width)}  ${said(worst)}`
  const others = findings.filter((finding) => finding !== worst)
  return [
    head,
    ...mendLines(worst, kinds),
    ...others.flatMap((finding) => [`         ${said(finding)}`, ...mendLines(finding, kinds)]),
  ]
}

function said({ text, value = '' }: Finding): string {
  return printable(value === '' ? text : `${text} [${value}]`)
}

function mendLines({ mend }: Finding, kinds: readonly ProxyKind[]): string[] {
  return listMends(mend, kinds).flatMap(({ place, lines }) => [
    `           ${titles[place]}:`,
    ...lines.map((line) => `             ${printable(line)}`),
  ])
}
