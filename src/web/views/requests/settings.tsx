import type { ComponentType } from 'preact'
import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { inTurn } from '../../lib/in-turn.ts'
import { sendsEmail } from '../../lib/page-data.ts'
import { go } from '../../lib/router.ts'
import { Button } from '../../ui/button.tsx'
import * as icons from '../../ui/icons.ts'
import { NoMail } from '../../ui/share-fields.tsx'
import { Saved } from '../../ui/saved.tsx'
import { PasswordField, SavedExpiry } from '../shares/saved-fields.tsx'
import * as fields from './fields.tsx'
import { deleteRequest, requestPath, type FileRequest } from './request.tsx'

/** A field that is saved separately. */
function part<T>(
  Part: ComponentType<fields.PartProps<T>>,
  known: T,
  save: (value: T) => Promise<boolean>,
) {
  return (
    <Saved value={known} save={save}>
      {(value) => <Part value={value} />}
    </Saved>
  )
}

export function RequestSettings(props: {
  readonly request: FileRequest
  /** Reads it again: a field compares its next value with the one that it has now. */
  readonly onChanged: () => Promise<void>
}) {
  const { request, onChanged } = props
  const path = requestPath(request.id)
  const change = (body: Record<string, unknown>) =>
    inTurn(async () => {
      await api('PATCH', path, { body })
      await onChanged()
      return true
    })
  return (
    <div class="saved-fields">
      <p class="hint">{t('manage.autosave')}</p>
      {part(fields.Name, request.name, (name) => change({ name: name.trim() }))}
      <SavedExpiry end={request.expires_at} change={(expiry) => change({ ...expiry })} />
      {part(fields.Instructions, request.instructions, (instructions) => change({ instructions }))}
      {part(fields.Thanks, request.thank_you_message, (thankYouMessage) =>
        change({ thankYouMessage }),
      )}
      {part(fields.Kinds, request.allowed_extensions.join(', '), (kinds) =>
        change({ allowedExtensions: fields.readKinds(kinds) }),
      )}
      {part(fields.MaxSize, fields.gigabytesOf(request.max_size), (gigabytes) =>
        change({ maxSize: fields.readGigabytes(gigabytes) }),
      )}
      <PasswordField isOn={request.protected} change={change} />
      {part(fields.Demands, request.requiredFields, (requiredFields) => change({ requiredFields }))}
      {part(fields.AllowSharing, request.allowSharing, (allowSharing) => change({ allowSharing }))}
      {part(fields.Once, request.once, (once) => change({ once }))}
      {sendsEmail() && part(fields.Notify, request.notify_email, (notify) => change({ notify }))}
      <NoMail />
      <div>
        <Button
          kind="danger"
          icon={icons.trash}
          onClick={() => {
            deleteRequest(request)
            go('/requests')
          }}
        >
          {t('manage.delete')}
        </Button>
      </div>
    </div>
  )
}
