import { expiryOf, expiryOptions, readLife, type Expiry } from '../../lib/expiry.ts'
import { t } from '../../lib/i18n.ts'
import { loadLimits, type Limits } from '../../lib/limits.ts'
import { loadPreferences, savePreferences, type Preferences } from '../../lib/preferences.ts'
import { useSignal } from '../../lib/signals.ts'
import { Select } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { DownloadLimitField, MessageField } from '../../ui/share-fields.tsx'
import { Show, useLoad } from '../../ui/state.tsx'

const load = () => Promise.all([loadLimits(), loadPreferences()])

/** Initial values of new shares. */
export function Defaults() {
  const loaded = useLoad(load, [])
  return (
    <Show loaded={loaded}>
      {([limits, preferences]) => <Chosen limits={limits} preferences={preferences} />}
    </Show>
  )
}

type Start = '' | 'now' | 'later'

function Chosen(props: { readonly limits: Limits; readonly preferences: Preferences }) {
  const { limits, preferences } = props
  const chosen = expiryOf(preferences)
  const { startRightAway: starts } = preferences
  const expiry = useSignal<Expiry | ''>(chosen ?? '')
  const most = useSignal(String(preferences.maxDownloads || ''))
  const message = useSignal(preferences.message ?? '')
  const start = useSignal<Start>(starts === null ? '' : starts ? 'now' : 'later')
  const isSaved = useSignal(false)
  const save = async () => {
    isSaved.value = false
    const life = expiry.value
      ? readLife(expiry.value)
      : { expirationVal: null, expirationUnit: null }
    await savePreferences({
      ...life,
      maxDownloads: most.value ? Number(most.value) : null,
      message: message.value || null,
      startRightAway: start.value ? start.value === 'now' : null,
    })
    isSaved.value = true
  }
  return (
    <Form action={t('save')} onSubmit={save} done={isSaved.value ? t('saved') : ''}>
      <Select<Expiry | ''>
        label={t('manage.expires')}
        value={expiry}
        options={[['', t('defaults.as_last')], ...expiryOptions(limits, chosen)]}
        hint={t('defaults.expires_hint')}
      />
      <DownloadLimitField value={most} />
      <MessageField value={message} />
      <Select<Start>
        label={t('defaults.start')}
        value={start}
        options={[
          ['', t('defaults.start_service')],
          ['now', t('defaults.start_now')],
          ['later', t('defaults.start_later')],
        ]}
        hint={t('defaults.start_hint')}
      />
    </Form>
  )
}
