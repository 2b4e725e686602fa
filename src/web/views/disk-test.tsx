import { useEffect } from 'preact/hooks'
import { formatBytes } from '../lib/format.ts'
import { t } from '../lib/i18n.ts'
import { useSignal } from '../lib/signals.ts'
import { Button } from '../ui/button.tsx'
import * as icons from '../ui/icons.ts'
import { Problem, useAction } from '../ui/state.tsx'

/** Result of the disk test: the answer of `POST /api/admin/storage/test`. */
type Tried = {
  readonly free_bytes: number
  readonly total_bytes: number
  readonly floor_bytes: number
} & (
  | { readonly success: true; readonly bytes_per_second: number; readonly sync_ms: number }
  | {
      readonly success: false
      readonly problem: 'missing' | 'refused' | 'full' | 'different' | 'failed'
      readonly cause: string
    }
)

const slowBytesPerSecond = 20e6
const slowSyncMs = 100
const smallBytes = 2e9

/** Tests the disk of the files, and explains the result. */
export function DiskTest(props: {
  readonly call: <T>(method: string, path: string) => Promise<T>
  /** Otherwise on demand. */
  readonly atOnce?: boolean
}) {
  const tried = useSignal<Tried | null>(null)
  const action = useAction()
  const test = () =>
    action.run(async () => {
      tried.value = await props.call('POST', '/api/admin/storage/test')
    })
  useEffect(() => {
    if (props.atOnce) void test()
  }, [])
  return (
    <div class="stack-tight">
      <div role="status">{tried.value && !action.isBusy && <Findings tried={tried.value} />}</div>
      <Problem error={action.error} />
      <div>
        <Button icon={icons.retry} busy={action.isBusy} onClick={test}>
          {t(action.isBusy ? 'disk.busy' : tried.value ? 'disk.again' : 'disk.test')}
        </Button>
      </div>
    </div>
  )
}

function Findings({ tried }: { readonly tried: Tried }) {
  const free = formatBytes(tried.free_bytes)
  if (!tried.success) {
    return (
      <div class="problem">
        <p>{t(`disk.is.${tried.problem}`, { free })}</p>
        {tried.cause && <p class="code">{tried.cause}</p>}
      </div>
    )
  }
  const { bytes_per_second: rate, sync_ms: ms } = tried
  const isBucket = tried.total_bytes === 0
  const warnings = [
    rate < slowBytesPerSecond && t('disk.slow'),
    ms > slowSyncMs && t('disk.slow_sync', { ms }),
    !isBucket &&
      tried.free_bytes - tried.floor_bytes < smallBytes &&
      t('disk.small', { floor: formatBytes(tried.floor_bytes) }),
  ].filter(Boolean)
  return (
    <>
      <p>
        {isBucket
          ? `${formatBytes(rate)}/s · ${ms} ms`
          : t('disk.fine', {
              rate: formatBytes(rate),
              // The usual ones are powers of ten.
              network: `${Math.min(1e4, 10 ** Math.floor(Math.log10(rate * 8e-6)))} Mbit/s`,
              free,
              total: formatBytes(tried.total_bytes),
            })}
      </p>
      {warnings.map((warning) => (
        <p key={warning} class="notice">
          {warning}
        </p>
      ))}
    </>
  )
}
