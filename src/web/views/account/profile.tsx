import { api } from '../../lib/api.ts'
import { editable } from '../../lib/editable.ts'
import { language, t } from '../../lib/i18n.ts'
import { languageName, languages } from '../../lib/languages.ts'
import { chooseLanguage } from '../../lib/preferences.ts'
import { me, type User } from '../../lib/session.ts'
import { useSignal } from '../../lib/signals.ts'
import { changeTheme, chosenTheme, themes, type Theme } from '../../lib/theme.ts'
import { Field, Select } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Heading } from '../../ui/heading.tsx'
import { useConfirmation } from './confirmation.tsx'
import { Defaults } from './defaults.tsx'

export function Profile() {
  return (
    <>
      <Heading title={t('account.profile')} />
      <Person user={me.value!} />
      <h2>{t('profile.display')}</h2>
      <Display />
      <h2>{t('defaults.title')}</h2>
      <Defaults />
    </>
  )
}

function Person({ user }: { readonly user: User }) {
  const name = useSignal(user.name)
  const email = useSignal(user.email)
  const { fields, confirm } = useConfirmation({ hint: t('profile.why_password') })
  const isSaved = useSignal(false)
  const changesEmail = email.value.trim() !== user.email
  const save = async () => {
    isSaved.value = false
    const send = async (proof: object) => {
      const body = { name: name.value, ...(changesEmail ? { email: email.value, ...proof } : {}) }
      const changed = await api<User>('PATCH', '/api/account', { body })
      me.value = changed
      email.value = changed.email
    }
    isSaved.value = await confirm(send)
  }
  return (
    <Form
      action={t('save')}
      onSubmit={save}
      done={isSaved.value ? t('saved') : ''}
      texts={{ conflict: t('profile.email_taken') }}
    >
      <Field label={t('name')} autoComplete="name" maxLength={200} required value={name} />
      <Field
        label={t('email')}
        type="email"
        autoComplete="username"
        maxLength={254}
        required
        value={email}
      />
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
    <div class="stack">
      <Select
        label={t('profile.language')}
        value={editable(language, (to) => void chooseLanguage(to))}
        options={languages.map((code) => [code, languageName(code)] as const)}
      />
      <Select
        label={t('profile.theme')}
        value={editable(theme.value, choose)}
        options={themes.map((name) => [name, t(`profile.theme.${name}`)] as const)}
        hint={t('profile.this_browser')}
      />
    </div>
  )
}
