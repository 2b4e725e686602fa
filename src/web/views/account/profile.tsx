import { useState } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { changeLanguage, language, languageNames, t, type Language } from '../../lib/i18n.ts'
import { me, type User } from '../../lib/session.ts'
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
  const [name, setName] = useState(user.name)
  const [email, setEmail] = useState(user.email)
  const { fields, confirm } = useConfirmation(t('profile.why_password'))
  const [isSaved, setSaved] = useState(false)
  const changesEmail = email.trim() !== user.email
  const save = async () => {
    setSaved(false)
    const send = async (proof: object) => {
      const body = { name, ...(changesEmail ? { email, ...proof } : {}) }
      const changed = await api<User>('PATCH', '/api/account', { body })
      me.value = changed
      setEmail(changed.email)
    }
    setSaved(await confirm(send))
  }
  return (
    <Form
      action={t('save')}
      onSubmit={save}
      done={isSaved ? t('saved') : ''}
      texts={{ conflict: t('profile.email_taken') }}
    >
      <Field
        label={t('name')}
        autoComplete="name"
        maxLength={200}
        required
        value={name}
        onValue={setName}
      />
      <Field
        label={t('email')}
        type="email"
        autoComplete="username"
        maxLength={254}
        required
        value={email}
        onValue={setEmail}
      />
      {changesEmail && fields}
    </Form>
  )
}

/** Stored in this browser: a phone may be dark and a desktop light. */
function Display() {
  const [theme, setTheme] = useState(chosenTheme)
  const choose = (chosen: Theme) => {
    changeTheme(chosen)
    setTheme(chosen)
  }
  return (
    <div class="stack">
      <Select
        label={t('profile.language')}
        value={language}
        onValue={changeLanguage}
        options={Object.entries(languageNames) as [Language, string][]}
      />
      <Select
        label={t('profile.theme')}
        value={theme}
        onValue={choose}
        options={themes.map((name) => [name, t(`profile.theme.${name}`)] as const)}
        hint={t('profile.this_browser')}
      />
    </div>
  )
}
