import { api, ApiError } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { go } from '../../lib/router.ts'
import { sharePath, type ShareChange } from '../../lib/share.ts'
import { useSignal } from '../../lib/signals.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import * as icons from '../../ui/icons.ts'
import { Saved } from '../../ui/saved.tsx'
import { DownloadLimitField, MessageField, NotifyField, SlugField } from '../../ui/share-fields.tsx'
import { Problem, useAction } from '../../ui/state.tsx'
import { AudienceField, ProofField } from '../people/audience.tsx'
import { PasswordField, SavedExpiry } from './saved-fields.tsx'
import { deleteShare, stopShare } from './share-menu.tsx'
import type { OwnShare } from './share-state.tsx'

interface SettingsProps {
  readonly share: OwnShare
  readonly onChanged: (share: OwnShare) => void
}

/** A change that collides with another one, made elsewhere since the page was loaded. */
interface Conflict {
  readonly body: ShareChange
  readonly now: OwnShare
}

/** Saves a change, unless the same field was changed elsewhere since: then it asks. */
function useChange({ share, onChanged }: SettingsProps) {
  const conflict = useSignal<Conflict | null>(null)
  const path = sharePath(share.id)
  const write = async (body: ShareChange) => {
    const changed = await api<OwnShare>('PATCH', path, { body })
    conflict.value = null
    onChanged(changed)
  }
  const change = async (field: keyof OwnShare, body: ShareChange) => {
    const now = await api<OwnShare>('GET', path)
    if (now[field] === share[field]) {
      await write(body)
      return true
    }
    conflict.value = { body, now }
    return false
  }
  return { conflict, change, write }
}

/** Settings of a share that can still be changed; each field is saved separately. */
export function ShareSettings({ share, onChanged }: SettingsProps) {
  const { conflict, change, write } = useChange({ share, onChanged })
  const found = conflict.value
  const action = useAction()
  return (
    <div class="saved-fields">
      {found && (
        <div class="problem" role="alert">
          <p>{t('shares.conflict')}</p>
          <div class="row">
            <Button
              onClick={() => {
                action.clear()
                onChanged(found.now)
                conflict.value = null
              }}
            >
              {t('shares.reload')}
            </Button>
            <Button busy={action.isBusy} onClick={() => action.run(() => write(found.body))}>
              {t('shares.overwrite')}
            </Button>
          </div>
          <Problem error={action.error} />
        </div>
      )}
      <p class="hint">{t('manage.autosave')}</p>
      <Texts share={share} change={change} />
      <SavedExpiry end={share.expires_at} change={(body) => change('expires_at', body)} />
      <Saved
        value={share.max_downloads === 0 ? '' : String(share.max_downloads)}
        save={(most) => change('max_downloads', { maxDownloads: Number(most) })}
      >
        {(value) => <DownloadLimitField value={value} />}
      </Saved>
      <WhoOpens share={share} change={change} />
      <PasswordField isOn={share.protected} change={(body) => change('protected', body)} />
      {share.audience === 'anyone' && <Slug share={share} change={change} />}
      <Saved
        value={share.notifyDownloads}
        save={(notifyDownloads) => change('notifyDownloads', { notifyDownloads })}
      >
        {(value) => <NotifyField value={value} />}
      </Saved>
      <End share={share} onChanged={onChanged} />
    </div>
  )
}

interface FieldProps {
  readonly share: OwnShare
  readonly change: (field: keyof OwnShare, body: ShareChange) => Promise<boolean>
}

function Texts({ share, change }: FieldProps) {
  return (
    <>
      <Saved value={share.name} save={(name) => change('name', { name: name.trim() })}>
        {(value) => <Field label={t('send.title_field')} maxLength={200} value={value} />}
      </Saved>
      <Saved value={share.message} save={(message) => change('message', { message })}>
        {(value) => <MessageField value={value} />}
      </Saved>
    </>
  )
}

function WhoOpens({ share, change }: FieldProps) {
  const { audience, recipientProof: proof } = share
  return (
    <>
      <Saved value={audience} save={(next) => change('audience', { audience: next })}>
        {(value) => <AudienceField hint={t('people.change_hint')} value={value} />}
      </Saved>
      {audience === 'named' && (
        <Saved
          value={proof}
          save={(recipientProof) => change('recipientProof', { recipientProof })}
        >
          {(value) => <ProofField value={value} />}
        </Saved>
      )}
    </>
  )
}

function Slug({ share, change }: FieldProps) {
  const isTaken = useSignal(false)
  const save = async (slug: string) => {
    isTaken.value = false
    try {
      return await change('slug', { slug })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'slug_taken') throw error
      isTaken.value = true
      return false
    }
  }
  return (
    <Saved value={share.slug} save={save}>
      {(value) => (
        <SlugField problem={isTaken.value ? t('send.slug_taken') : undefined} value={value} />
      )}
    </Saved>
  )
}

function End(props: SettingsProps) {
  const { share } = props
  const isComplete = share.status === 'complete'
  const end = () => {
    if (isComplete) return stopShare(props)
    deleteShare(share)
    go('/shares')
  }
  return (
    <div>
      <Button kind="danger" icon={icons.trash} onClick={end}>
        {t(isComplete ? 'shares.stop' : 'shares.delete')}
      </Button>
    </div>
  )
}
