import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import type { Download, Running, Upload } from './overview-data.ts'

/** Running uploads and downloads, with their progress as far as it is known. */
export function RunningNow({ running }: { readonly running: Running }) {
  const { uploads, downloads } = running
  return (
    <section class="part">
      <h2>{t('status.now')}</h2>
      {uploads.length + downloads.length === 0 && <p class="hint">{t('running.nothing')}</p>}
      <ul class="bars">
        {uploads.map((upload) => (
          <Row
            title={sayUpload(upload)}
            owner={upload.owner.email}
            done={upload.received_bytes}
            all={upload.expected_bytes}
          />
        ))}
        {downloads.map((download) => (
          <Row
            title={sayDownload(download)}
            owner={download.owner.email}
            done={download.sent_bytes}
            all={download.total_bytes}
          />
        ))}
      </ul>
    </section>
  )
}

function sayUpload({ share }: Upload): string {
  if (!share) return t('running.guest')
  return t('running.upload', { name: share.name || t('all_shares.unnamed') })
}

function sayDownload({ share, transfers: n }: Download): string {
  if (!share) return t('running.received', { n })
  return t('running.download', { n, name: share.name || t('all_shares.unnamed') })
}

function Row(props: {
  readonly title: string
  readonly owner: string
  readonly done: number
  readonly all: number | null
}) {
  const { title, owner, done, all } = props
  return (
    <li>
      <bdi>{title}</bdi>
      <small class="faint text">{owner}</small>
      <span class="count">
        {all === null
          ? t('running.so_far', { size: formatBytes(done) })
          : t('users.space_of', { used: formatBytes(done), all: formatBytes(all) })}
      </span>
      {all !== null && <progress aria-label={title} value={done} max={Math.max(all, done, 1)} />}
    </li>
  )
}
