import { Fragment } from 'preact'
import { api } from '../../lib/api.ts'
import { t, type TextKey } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Fold } from '../../ui/fold.tsx'
import { HeadingRow } from '../../ui/heading.tsx'
import { Problem, useLoad } from '../../ui/state.tsx'

type Level = 'ok' | 'info' | 'warning' | 'problem'

interface Finding {
  readonly level: Level
  readonly text: string
  readonly value: string
  readonly mends: readonly { readonly place: string; readonly lines: readonly string[] }[]
}

interface Result {
  readonly id: string
  readonly level: Level
  readonly findings: readonly Finding[]
}

/** Classes of badges, the worst first. */
const tones = { problem: 'danger', warning: 'warn', info: '', ok: 'ok' } as const
const order = Object.keys(tones)
const proxyNames: Readonly<Record<string, string>> = {
  nginx: 'nginx',
  caddy: 'Caddy',
  apache: 'Apache',
  traefik: 'Traefik',
}
const needsWork = ({ level }: Result) => level === 'problem' || level === 'warning'

const ask = () => api<{ results: Result[] }>('POST', '/api/admin/check-up', { body: {} })
type Answer = Awaited<ReturnType<typeof ask>>
/** Kept while other views are open: the service runs one check-up at a time. */
let latest: Promise<Answer> | null = null

/** Checks the set-up from outside and inside: what needs work first, the rest folded. */
export function CheckUpView() {
  const { data, error, set, reload } = useLoad<Answer | null>(() => (latest ??= ask()), [])
  const run = () => {
    latest = null
    set(null)
    reload()
  }
  // Only answers are kept.
  if (error) latest = null
  const isBusy = !data && !error
  const found = data && order.flatMap((level) => data.results.filter((one) => one.level === level))
  const quiet = found?.filter((result) => !needsWork(result)) ?? []
  return (
    <>
      <HeadingRow title={t('admin.tab.doctor')}>
        <Button kind="primary" busy={isBusy} onClick={run}>
          {t('check_up.run')}
        </Button>
      </HeadingRow>
      <p class="faint">{t('check_up.intro')}</p>
      <Problem error={error} />
      <div role="status">
        {isBusy && <p>{t('check_up.running')}</p>}
        {found && <p>{sayCounts(found)}</p>}
      </div>
      {found && (
        <>
          <ul>{found.filter(needsWork).map(Check)}</ul>
          <Fold text={t('check_up.quiet', { n: quiet.length })}>
            <ul>{quiet.map(Check)}</ul>
          </Fold>
        </>
      )}
    </>
  )
}

function sayCounts(results: readonly Result[]): string {
  if (!results.some(needsWork)) return t('check_up.fine')
  const count = (level: Level) => results.filter((result) => result.level === level).length
  return t('check_up.counts', { problems: count('problem'), warnings: count('warning') })
}

function Check({ id, level, findings }: Result) {
  return (
    <li key={id} class="group">
      <div>
        <span class={`badge ${tones[level]}`}>{t(`check_up.level.${level}`)}</span>
      </div>
      <div class="stack-tight">
        <strong>{t(`check_up.is.${id}` as TextKey)}</strong>
        {findings.map(Details)}
      </div>
    </li>
  )
}

/** Sentences of the service, in English, and the lines that mend it. */
function Details({ text, value, mends }: Finding) {
  return (
    <Fragment key={text}>
      <div lang="en" dir="ltr">
        <p>{text}</p>
        {value && <p class="code">{value}</p>}
      </div>
      {mends.map(({ place, lines }) => {
        const label = proxyNames[place] ?? t(`check_up.place.${place}` as TextKey)
        const action = `${t('common.copy')}: ${label}`
        return <CopyField key={place} {...{ label, action }} value={lines.join('\n')} />
      })}
    </Fragment>
  )
}
