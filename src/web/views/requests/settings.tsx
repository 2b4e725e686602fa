import { api } from '../../lib/api.ts'
import { deleteLater } from '../../lib/deletion.ts'
import { t } from '../../lib/i18n.ts'
import { go } from '../../lib/router.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import * as icons from '../../ui/icons.ts'
import { Saved } from '../../ui/saved.tsx'
import { ExpirySelect, PasswordField } from '../shares/saved-fields.tsx'
import * as fields from './fields.tsx'
import { nameOfRequest, requestPath, type FileRequest } from './request.tsx'

export function RequestSettings(props: {
  readonly request: FileRequest
  readonly onChanged: () => void
}) {
  const { request, onChanged } = props
  const path = requestPath(request.id)
  const change = async (body: Record<string, unknown>) => {
    await api('PATCH', path, { body })
    onChanged()
    return true
  }
  return (
    <div class="stack narrow">
      <Saved value={request.name} save={(name) => change({ name: name.trim() })}>
        {(value, onValue) => (
          <Field label={t('requests.name')} maxLength={200} value={value} onValue={onValue} />
        )}
      </Saved>
      <Saved value={request.instructions} save={(instructions) => change({ instructions })}>
        {(value, onValue) => <fields.Instructions value={value} onValue={onValue} />}
      </Saved>
      <ExpirySelect end={request.expires_at} change={change} />
      <Saved value={request.once} save={(once) => change({ once })}>
        {(value, onValue) => <fields.Once checked={value} onChecked={onValue} />}
      </Saved>
      <Saved value={request.demands} save={(demands) => change({ demands })}>
        {(value, onValue) => <fields.Demands value={value} onValue={onValue} />}
      </Saved>
      <Saved
        value={request.allowed_extensions.join(', ')}
        save={(kinds) => change({ allowedExtensions: fields.readKinds(kinds) })}
      >
        {(value, onValue) => <fields.Kinds value={value} onValue={onValue} />}
      </Saved>
      <Saved
        value={fields.megabytesOf(request.max_size)}
        save={(megabytes) => change({ maxSize: fields.readMegabytes(megabytes) })}
      >
        {(value, onValue) => <fields.MaxSize value={value} onValue={onValue} />}
      </Saved>
      <PasswordField isOn={request.protected} change={change} />
      <Saved
        value={request.thank_you_message}
        save={(thankYouMessage) => change({ thankYouMessage })}
      >
        {(value, onValue) => <fields.Thanks value={value} onValue={onValue} />}
      </Saved>
      <Saved value={request.notify_email} save={(notify) => change({ notify })}>
        {(value, onValue) => <fields.Notify checked={value} onChecked={onValue} />}
      </Saved>
      <div>
        <Button
          kind="danger"
          icon={icons.trash}
          onClick={() => {
            deleteLater(path, t('manage.deleted', { name: nameOfRequest(request) }))
            go('/requests')
          }}
        >
          {t('manage.delete')}
        </Button>
      </div>
    </div>
  )
}
