// The upload engine with a browser's store, transport and clock, and thumbnails of chosen files.
import { browserClock } from '../lib/clock.ts'
import { createUpload, restoreUpload } from './engine.ts'
import { reopen } from './handles.ts'
import { recordId, recordsOf } from './manifest.ts'
import { ownUpload, watchPage } from './page-life.ts'
import { openUploadStore } from './store-idb.ts'
import { xhrTransport } from './transport-xhr.ts'
import type { PickedFile, Upload, UploadOptions, UploadRecord, UploadTarget } from './types.ts'

export { paint, paintWhenSeen, thumbnailOf } from '../ui/thumbnails.ts'

type PageOptions = Pick<UploadOptions, 'target' | 'limits' | 'onChange' | 'drawThumbnail'>

export interface Uploads {
  /**
   * Uploads that earlier pages left behind, newest first; empty where the browser stores nothing.
   */
  unfinished(): Promise<UploadRecord[]>
  forget(record: UploadRecord): Promise<void>
  /** A record of what the service has, from its list with names. */
  received(target: UploadTarget, list: unknown): UploadRecord
  /** Begins an upload to a new draft. */
  begin(options: PageOptions): Upload
  /**
   * Continues a draft. Without a record, files are recognised when they are chosen again.
   * @returns null while another tab sends it
   */
  resume(options: PageOptions, record: UploadRecord | null): Promise<Upload | null>
  /**
   * The record's files without choosing them again, where possible; asks the user for permission.
   */
  reopen(record: UploadRecord): Promise<readonly PickedFile[]>
}

export function openUploads(): Uploads {
  const store = openUploadStore()
  const tarSupport = { isRefused: false }
  const browser = { transport: xhrTransport, store, clock: browserClock, tarSupport }
  return {
    async unfinished() {
      const records = await store.list().catch(() => [])
      return records.toSorted((a, b) => b.savedAt - a.savedAt)
    },
    reopen,
    forget: ({ id }) => store.remove(id).catch(() => {}),
    received(target, list) {
      const files = recordsOf(list)
      return { id: recordId(target), target, files, wishes: {}, savedAt: browserClock.now() }
    },
    begin(options) {
      const owned = ownUpload(recordId(options.target))
      return withPage(options, owned, (onChange) => {
        return createUpload({ ...options, ...browser, onChange })
      })
    },
    async resume(options, record) {
      const release = await ownUpload(recordId(options.target))
      if (!release) return null
      return withPage(options, Promise.resolve(release), (onChange) => {
        return restoreUpload({ ...options, ...browser, onChange, record })
      })
    },
  }
}

/** Ties an upload to its page until it is over. */
function withPage(
  options: PageOptions,
  owned: Promise<(() => void) | null>,
  make: (onChange: () => void) => Upload,
): Upload {
  let page: ReturnType<typeof watchPage> | null = null
  const upload = make(() => {
    const { phase, hold } = upload.snapshot()
    page?.update()
    // An upload of a removed share may continue: see resume() of the engine.
    if (phase === 'done' || (phase === 'stopped' && hold === null)) {
      page?.stop()
      page = null
      void owned.then((release) => release?.())
    }
    options.onChange()
  })
  page = watchPage(upload)
  return upload
}
