import { api } from '../../lib/api.ts'
import { editable } from '../../lib/editable.ts'
import { language, t } from '../../lib/i18n.ts'
import { languageName, languages } from '../../lib/languages.ts'
import { chooseLanguage, loadPreferences, savePreferences } from '../../lib/preferences.ts'
import type { Preferences } from '../../lib/preferences.ts'
import { me, type User } from '../../lib/session.ts'
import { useSignal } from '../../lib/signals.ts'
import { changeTheme, chosenTheme, themes, type Theme } from '../../lib/theme.ts'
import { EmailField, NameField, optionsOf, Select } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Heading } from '../../ui/heading.tsx'
import { useConfirmation } from './confirmation.tsx'
import { expiryOf, expiryOptions, readLife, type Expiry } from '../../lib/expiry.ts'
import { loadLimits } from '../../lib/limits.ts'
import { Saved } from '../../ui/saved.tsx'
import { DownloadLimitField, MessageField } from '../../ui/share-fields.tsx'
import { Show, useLoad } from '../../ui/state.tsx'

export function Profile() {
  return (
    <>
      <Heading title={t('account.profile')} />
      <Person user={me.value!} />
      <h2>{t('profile.display')}</h2>
      <Display />
      <h2>{t('defaults.title')}</h2>
      <p class="hint">{t('manage.autosave')}</p>
      <Defaults />
    </>
  )
}

function Person({ user }: { readonly user: User }) {
  const name = useSignal(user.name)
  const email = useSignal(user.email)
  const { fields, confirm } = useConfirmation({ hint: t('profile.why_password') })
  const changesEmail = email.value.trim() !== user.email
  const save = () =>
    confirm(async (proof) => {
      const body = { name: name.value, ...(changesEmail ? { email: email.value, ...proof } : {}) }
      me.value = await api<User>('PATCH', '/api/account', { body })
      email.value = me.value.email
    })
  return (
    <Form
      class="saved-fields"
      action={t('common.save')}
      onSubmit={save}
      done={t('common.saved')}
      texts={{ conflict: t('profile.email_taken') }}
    >
      <NameField autoComplete="name" value={name} />
      <EmailField autoComplete="username" value={email} />
      {changesEmail && fields}
    </Form>
  )
}

/** Stored in this browser: a phone may be dark and a desktop light. */
function Display() {
  const theme = useSignal(chosenTheme())
  const choose = (chosen: Theme) => {
    changeTheme(chosen)
    theme.value = chosen
  }
  return (
    <div class="saved-fields">
      <Select
        label={t('profile.language')}
        value={editable(language, (to) => void chooseLanguage(to))}
        options={optionsOf(languages, languageName)}
      />
      <Select
        label={t('profile.theme')}
        value={editable(theme.value, choose)}
        options={optionsOf(themes, (name) => t(`profile.theme.${name}`))}
        hint={t('profile.this_browser')}
      />
    </div>
  )
}

const load = () => Promise.all([loadLimits(), loadPreferences()])

type Start = '' | 'now' | 'later'

/** Initial values of new shares. */
function Defaults() {
  const loaded = useLoad(load, [])
  return (
    <Show loaded={loaded}>
      {([limits, preferences]) => {
        const { maxDownloads, message, startRightAway: starts } = preferences
        const chosen = expiryOf(preferences)
        const change = async (changes: Partial<Preferences>) => {
          loaded.set([limits, await savePreferences(changes)])
          return true
        }
        const none = { expirationVal: null, expirationUnit: null }
        return (
          <div class="saved-fields">
            <Saved<Expiry | ''>
              value={chosen ?? ''}
              save={(expiry) => change(expiry ? readLife(expiry) : none)}
            >
              {(value) => (
                <Select<Expiry | ''>
                  label={t('manage.expires')}
                  value={value}
                  options={[['', t('defaults.as_last')], ...expiryOptions(limits, chosen)]}
                />
              )}
            </Saved>
            <Saved
              value={String(maxDownloads || '')}
              save={(most) => change({ maxDownloads: most ? Number(most) : null })}
            >
              {(value) => <DownloadLimitField value={value} />}
            </Saved>
            <Saved value={message ?? ''} save={(text) => change({ message: text || null })}>
              {(value) => <MessageField value={value} />}
            </Saved>
            <Saved<Start>
              value={starts === null ? '' : starts ? 'now' : 'later'}
              save={(start) => change({ startRightAway: start ? start === 'now' : null })}
            >
              {(value) => (
                <Select<Start>
                  label={t('defaults.start')}
                  value={value}
                  options={[
                    ['', t('defaults.start_service')],
                    ['now', t('defaults.start_now')],
                    ['later', t('defaults.start_later')],
                  ]}
                />
              )}
            </Saved>
          </div>
        )
      }}
    </Show>
  )
}
