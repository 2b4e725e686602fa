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
  const copy = async () => {
    if (await copyText(url)) toast(t('ready.copied'))
    else isShown.value = true
  }
  return (
    <>
      <IconButton icon={icons.copy} label={t('manage.copy', { name })} onClick={copy} />
      {isShown.value && (
        <Dialog title={t('ready.copy_link')} onClose={() => (isShown.value = false)}>
          <CopyField label={t('ready.link')} value={url} />
          <div class="actions">
            <Button onClick={() => (isShown.value = false)}>{t('common.close')}</Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
