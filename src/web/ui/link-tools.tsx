import { useSignal } from '@preact/signals'
import { api } from '../lib/api.ts'
import { canCopyPictures, copyPicture } from '../lib/clipboard.ts'
import { t } from '../lib/i18n.ts'
import { Button, ButtonLink } from './button.tsx'
import { CopyField } from './copy.tsx'
import * as icons from './icons.ts'
import { LocalLinks } from './local-links.tsx'
import { Show, useLoad } from './state.tsx'

/** A public link, with buttons to copy it, pass it on, and look at it. */
export function LinkTools(props: {
  readonly title: string
  readonly url: string
  /** Path of the linked object in the API. */
  readonly path: string
  /** Text of the link to its page. */
  readonly open: string
}) {
  const hasQr = useSignal(false)
  const { title, url, path, open } = props
  return (
    <>
      <LocalLinks />
      <CopyField label={t('ready.link')} value={url} action={t('ready.copy_link')} kind="primary" />
      <div class="row">
        {'share' in navigator && (
          // Closing the system's list of apps is not an error.
          <Button
            icon={icons.share}
            onClick={() => navigator.share({ title, url }).catch(() => {})}
          >
            {t('ready.share')}
          </Button>
        )}
        <Button icon={icons.qr} expanded={hasQr.value} onClick={() => (hasQr.value = !hasQr.value)}>
          {t('ready.qr')}
        </Button>
        <ButtonLink href={new URL(url).pathname} icon={icons.eye} newTab>
          {open}
        </ButtonLink>
      </div>
      {hasQr.value && <QrCode path={path} />}
    </>
  )
}

/** Sharp enough for print. */
const copiedPixels = 1024

/** Loaded and shown on demand, because others may see the screen. */
function QrCode({ path }: { readonly path: string }) {
  const loaded = useLoad(
    (signal) => api<{ qrCodeSvg: string }>('GET', `${path}/qr-code`, { signal }),
    [path],
  )
  const said = useSignal('')
  const copy = async (source: string) => {
    said.value = t((await copyPicture(source, copiedPixels)) ? 'copied' : 'ready.qr_not_copied')
  }
  return (
    <Show loaded={loaded}>
      {({ qrCodeSvg }) => {
        const source = `data:image/svg+xml,${encodeURIComponent(qrCodeSvg)}`
        return (
          <div class="stack-tight">
            <img class="qr" src={source} alt={t('ready.qr_text')} />
            <div class="row">
              {canCopyPictures && (
                <Button icon={icons.copy} onClick={() => copy(source)}>
                  {t('ready.qr_copy')}
                </Button>
              )}
              <ButtonLink href={source} icon={icons.download} download="qr-code.svg">
                {t('ready.qr_download')}
              </ButtonLink>
            </div>
            <p class="hint" role="status">
              {said.value}
            </p>
          </div>
        )
      }}
    </Show>
  )
}
