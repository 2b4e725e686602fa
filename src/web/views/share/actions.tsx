import { t } from '../../lib/i18n.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import * as icons from '../../ui/icons.ts'
import { framesPdf, inlineHref, kindOf, type SharedFile } from './shared.ts'

/** Preview and download of a file, at the end of its row. */
export function FileActions(props: {
  readonly file: SharedFile
  readonly name: string
  readonly href: string
  readonly onOpen: (file: SharedFile) => void
}) {
  const { file, name, href } = props
  if (file.isDamaged) return null
  return (
    <span class="row-tight">
      <PreviewButton {...props} />
      <DownloadLink href={href} name={name} />
    </span>
  )
}

function PreviewButton({ file, name, href, onOpen }: Parameters<typeof FileActions>[0]) {
  const kind = kindOf(file)
  const shown = {
    kind: 'quiet',
    icon: icons.eye,
    label: t('preview.open_one', { name }),
    children: <span class="wide-only">{t('preview.open')}</span>,
  } as const
  if (kind === 'other') return null
  if (kind === 'pdf' && !framesPdf())
    return <ButtonLink {...shown} href={inlineHref(href)} newTab />
  return <Button {...shown} onClick={() => onOpen(file)} />
}

export function DownloadLink({ href, name }: { readonly href: string; readonly name: string }) {
  return (
    <ButtonLink
      kind="quiet"
      icon={icons.download}
      download
      href={href}
      label={t('preview.download_one', { name })}
    >
      <span class="wide-only">{t('download')}</span>
    </ButtonLink>
  )
}
