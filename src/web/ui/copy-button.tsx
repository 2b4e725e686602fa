import { copyText } from '../lib/clipboard.ts'
import { t } from '../lib/i18n.ts'
import { useSignal } from '../lib/signals.ts'
import { Button, IconButton } from './button.tsx'
import { CopyField } from './copy.tsx'
import { Dialog } from './dialog.tsx'
import { toast } from './toast.tsx'
import * as icons from './icons.ts'

/** Copies the link of a row; if the browser refuses, shows it selected. */
export function CopyLink({ url, name }: { readonly url: string; readonly name: string }) {
  const isShown = useSignal(false)
  const names = { title: t('ready.copy_link'), label: t('ready.link') }
  const copy = async () => {
    if (await copyText(url)) toast(t('ready.copied'))
    else isShown.value = true
  }
  return (
    <>
      <IconButton icon={icons.copy} label={t('manage.copy', { name })} onClick={copy} />
      {isShown.value && (
        <CopyDialog {...names} value={url} onClose={() => (isShown.value = false)} />
      )}
    </>
  )
}

/** What is copied from a dialog, because it is shown once or cannot be copied otherwise. */
export function CopyDialog(props: {
  readonly title: string
  readonly text?: string
  readonly label: string
  readonly value: string
  readonly hint?: string | undefined
  readonly onClose: () => void
}) {
  const { title, text, hint, onClose, ...field } = props
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        {text && <p>{text}</p>}
        <CopyField {...field} kind="primary" />
        {hint && <p class="hint">{hint}</p>}
        <div class="actions">
          <Button onClick={onClose}>{t('common.close')}</Button>
        </div>
      </div>
    </Dialog>
  )
}
