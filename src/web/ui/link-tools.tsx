import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { api } from '../lib/api.ts'
import { t } from '../lib/i18n.ts'
import { useSignal } from '../lib/signals.ts'
import { Button, ButtonLink } from './button.tsx'
import { CopyField } from './copy.tsx'
import { Dialog } from './dialog.tsx'
import * as icons from './icons.ts'
import { LocalLinks } from './local-links.tsx'
import { Show, useLoad } from './state.tsx'

/** A public link, with buttons to copy it, look at it, and pass it on. */
export function LinkTools(props: {
  readonly title: string
  readonly url: string
  /** Path of the linked object in the API. */
  readonly path: string
  /** Text of the link to its page. */
  readonly open: string
  /** The look of the copy button. */
  readonly kind?: 'quiet' | 'primary'
  /** What is known of it, in one line. */
  readonly facts?: ComponentChildren
  /** Below the link. */
  readonly children?: ComponentChildren
  /** The last button. */
  readonly end?: ComponentChildren
}) {
  const isOpen = useSignal(false)
  const { title, url, path, open, kind = 'primary', facts, children, end } = props
  // Beside the link where there is room; else on demand.
  const isWide = useMemo(() => matchMedia('(min-width: 56rem)').matches, [])
  const isWanted = isWide || isOpen.value
  const loaded = useLoad(
    async (signal) => (isWanted ? loadQrCode(path, signal) : null),
    [path, isWanted],
  )
  return (
    <>
      <LocalLinks />
      <div class="link-card">
        <div class="stack-tight">
          <CopyField isPlain label={t('ready.link')} value={url} kind={kind} />
          {facts && <p class="faint">{facts}</p>}
        </div>
        <button
          type="button"
          class="button quiet qr-small"
          aria-label={t('ready.qr')}
          onClick={() => (isOpen.value = true)}
        >
          {loaded.data && <img src={loaded.data} alt="" />}
        </button>
      </div>
      {children}
      <div class="row spread last">
        <span class="row">
          <ButtonLink kind="quiet" href={new URL(url).pathname} icon={icons.eye} newTab>
            {open}
          </ButtonLink>
          {'share' in navigator && (
            // Closing the system's list of apps is not an error.
            <Button
              kind="quiet"
              icon={icons.share}
              onClick={() => navigator.share({ title, url }).catch(() => {})}
            >
              {t('ready.share')}
            </Button>
          )}
          <span class="qr-button">
            <Button kind="quiet" icon={icons.qr} onClick={() => (isOpen.value = true)}>
              {t('ready.qr')}
            </Button>
          </span>
        </span>
        {end}
      </div>
      {isOpen.value && <QrDialog loaded={loaded} onClose={() => (isOpen.value = false)} />}
    </>
  )
}

/** Large enough for a camera, and to be saved. */
function QrDialog(props: {
  readonly loaded: Parameters<typeof Show<string | null>>[0]['loaded']
  readonly onClose: () => void
}) {
  const { loaded, onClose } = props
  return (
    <Dialog title={t('ready.qr')} onClose={onClose}>
      <div class="stack">
        <Show loaded={loaded}>
          {(source) => source && <img class="qr" src={source} alt={t('ready.qr_text')} />}
        </Show>
        <div class="actions">
          {loaded.data && (
            <ButtonLink href={loaded.data} icon={icons.download} download="qr-code.svg">
              {t('ready.qr_download')}
            </ButtonLink>
          )}
          <Button onClick={onClose}>{t('common.close')}</Button>
        </div>
      </div>
    </Dialog>
  )
}

async function loadQrCode(path: string, signal: AbortSignal): Promise<string> {
  const { qrCodeSvg } = await api<{ qrCodeSvg: string }>('GET', `${path}/qr-code`, { signal })
  return `data:image/svg+xml,${encodeURIComponent(qrCodeSvg)}`
}
