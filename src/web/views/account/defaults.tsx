import { useState } from 'preact/hooks'
import { expiryOf, expiryOptions, readExpiry, type Expiry } from '../../lib/expiry.ts'
import { t } from '../../lib/i18n.ts'
import { loadLimits, type Limits } from '../../lib/limits.ts'
import { loadPreferences, savePreferences, type Preferences } from '../../lib/preferences.ts'
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
  const [expiry, setExpiry] = useState<Expiry | ''>(chosen ?? '')
  const [most, setMost] = useState(String(preferences.maxDownloads || ''))
  const [message, setMessage] = useState(preferences.message ?? '')
  const [start, setStart] = useState<Start>(starts === null ? '' : starts ? 'now' : 'later')
  const [isSaved, setSaved] = useState(false)
  const save = async () => {
    setSaved(false)
    const life = expiry ? readExpiry(expiry) : { expirationVal: null, expirationUnit: null }
    await savePreferences({
      ...life,
      maxDownloads: most ? Number(most) : null,
      message: message || null,
      startRightAway: start ? start === 'now' : null,
    })
    setSaved(true)
  }
  return (
    <Form action={t('save')} onSubmit={save} done={isSaved ? t('saved') : ''}>
      <Select<Expiry | ''>
        label={t('send.expires')}
        value={expiry}
        onValue={setExpiry}
        options={[['', t('defaults.as_last')], ...expiryOptions(limits, chosen)]}
        hint={t('defaults.expires_hint')}
      />
      <DownloadLimitField value={most} onValue={setMost} hint={t('defaults.max_downloads_hint')} />
      <MessageField value={message} onValue={setMessage} />
      <Select<Start>
        label={t('defaults.start')}
        value={start}
        onValue={setStart}
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
