import type { FunctionComponent } from 'preact'
import { useEffect } from 'preact/hooks'
import { t } from '../../lib/i18n.ts'
import { isListWanted } from '../../lib/keys.ts'
import { useSignal } from '../../lib/signals.ts'
import { toast } from '../../ui/toast.tsx'

/** The list of shortcuts, loaded with the account's views on demand. */
export function ShortcutList() {
  const loaded = useSignal<{ List: FunctionComponent } | null>(null)
  const isWanted = isListWanted.value
  useEffect(() => {
    if (!isWanted || loaded.value) return
    load().then(
      (found) => (loaded.value = found),
      () => {
        isListWanted.value = false
        toast(t('error.unreachable'))
      },
    )
  }, [isWanted])
  return isWanted && loaded.value && <loaded.value.List />
}

async function load() {
  const { views, texts } = await import('../manage.ts')
  await texts
  return { List: views.Shortcuts }
}
