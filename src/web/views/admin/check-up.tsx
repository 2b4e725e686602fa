import { api } from '../../lib/api.ts'
import { t, type TextKey } from '../../lib/i18n.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { Heading } from '../../ui/heading.tsx'
import { Icon } from '../../ui/icon.tsx'
import * as icons from '../../ui/icons.ts'
import { Problem, useAction } from '../../ui/state.tsx'

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

/** Classes, the worst first: only what needs work is a box. */
const tones: Readonly<Record<Level, string>> = {
  problem: 'problem',
  warning: 'problem mild',
  info: '',
  ok: '',
}
const order = Object.keys(tones)
const proxyNames: Readonly<Record<string, string>> = {
  nginx: 'nginx',
  caddy: 'Caddy',
  apache: 'Apache',
  traefik: 'Traefik',
}

/** Checks the set-up from outside and inside; problems first. */
export function CheckUpView() {
  const results = useSignal<readonly Result[] | null>(null)
  const action = useAction()
  const run = async () => {
    results.value = null
    const answer = await api<{ results: Result[] }>('POST', '/api/admin/check-up', { body: {} })
    results.value = answer.results
  }
  return (
    <>
      <Heading title={t('admin.tab.doctor')} />
      <p>{t('check_up.intro')}</p>
      <div>
        <Button kind="primary" busy={action.isBusy} onClick={() => action.run(run)}>
          {t('check_up.run')}
        </Button>
      </div>
      <Problem error={action.error} />
      <div role="status">
        {action.isBusy && <p>{t('check_up.running')}</p>}
        {results.value && <Summary results={results.value} />}
      </div>
      {results.value && (
        <ul class="stack-tight">
          {results.value
            .toSorted((one, other) => order.indexOf(one.level) - order.indexOf(other.level))
            .map((result) => (
              <Check key={result.id} {...result} />
            ))}
        </ul>
      )}
    </>
  )
}

function Summary({ results }: { readonly results: readonly Result[] }) {
  const count = (level: Level) => results.filter((result) => result.level === level).length
  const [problems, warnings] = [count('problem'), count('warning')]
  if (problems + warnings === 0) return <p class="notice ok">{t('check_up.fine')}</p>
  return <p>{t('check_up.counts', { problems, warnings })}</p>
}

function Check({ id, level, findings }: Result) {
  return (
    <li class={tones[level]}>
      <p class="row-tight">
        {level !== 'info' && <Icon path={level === 'ok' ? icons.check : icons.warn} />}{' '}
        <strong>{t(`check_up.is.${id}` as TextKey)}</strong>
        <span class="hint">{t(`check_up.level.${level}`)}</span>
      </p>
      {findings.map((finding) => (
        <Details key={finding.text} {...finding} />
      ))}
    </li>
  )
}

/** Sentences of the service, in English. */
function Details({ text, value, mends }: Finding) {
  return (
    <div class="stack">
      <div lang="en" dir="ltr">
        <p>{text}</p>
        {value !== '' && <p class="code">{value}</p>}
      </div>
      {mends.map(({ place, lines }) => (
        <div key={place} class="stack-tight">
          <p class="hint">{proxyNames[place] ?? t(`check_up.place.${place}` as TextKey)}</p>
          <pre class="text" dir="ltr">
            {lines.join('\n')}
          </pre>
        </div>
      ))}
    </div>
  )
}
