// The upload engine with a browser's store, transport and clock, and thumbnails of chosen files.
// Effects of the page on an upload: connections that come back, tabs that are closed, phones that
// fall asleep, and a second tab on the same draft.
import { browserClock } from '../lib/clock.ts'
import { Upload } from './engine.ts'
import { reopen } from './handles.ts'
import { recordId, recordsOf } from './manifest.ts'
import { openUploadStore } from './store-idb.ts'
import type * as types from './types.ts'
import { addressOf } from '../lib/base-path.ts'
import { thumbnailOf } from '../lib/drawing.ts'
import { savesData } from '../lib/saves-data.ts'

export { paintWhenSeen } from '../ui/thumbnails.ts'

type PageOptions = Pick<types.UploadOptions, 'target' | 'limits' | 'onChange'>

export class Uploads {
  readonly #store = openUploadStore()
  readonly #shared = {
    transport: xhrTransport,
    store: this.#store,
    clock: browserClock,
    tarSupport: { isRefused: false },
    ...(savesData() ? {} : { drawThumbnail: thumbnailOf }),
  }
  readonly reopen = reopen

  /**
   * Uploads that earlier pages left behind, newest first; empty where the browser stores nothing.
   */
  async unfinished(): Promise<types.UploadRecord[]> {
    const records = await this.#store.list().catch(() => [])
    return records.toSorted((a, b) => b.savedAt - a.savedAt)
  }

  async forget({ id }: types.UploadRecord): Promise<void> {
    await this.#store.remove(id).catch(() => {})
  }

  /** A record of what this browser and the service have, from its list with names. */
  received(target: types.UploadTarget, list: unknown, kept: types.UploadRecord | null) {
    const files = recordsOf(list, kept?.files)
    const savedAt = browserClock.now()
    return { id: recordId(target), target, wishes: {}, savedAt, ...kept, files }
  }

  /** Begins an upload to a new draft. */
  begin(options: PageOptions): Upload {
    return this.#tie(options, ownUpload(recordId(options.target)))
  }

  /**
   * Continues a draft. Without a record, files are recognised when they are chosen again.
   * @returns null while another tab sends it
   */
  async resume(options: PageOptions, record: types.UploadRecord | null): Promise<Upload | null> {
    const release = await ownUpload(recordId(options.target))
    return release && this.#tie(options, Promise.resolve(release), record)
  }

  /** Ties an upload to its page until it is over. */
  #tie(
    options: PageOptions,
    owned: Promise<(() => void) | null>,
    record?: types.UploadRecord | null,
  ): Upload {
    let page: ReturnType<typeof watchPage> | null = null
    const onChange = () => {
      const { phase, hold } = upload.snapshot()
      page?.update()
      // An upload of a removed share may continue: see resume() of the engine.
      if (phase === 'done' || (phase === 'stopped' && hold === null)) {
        page?.stop()
        page = null
        void owned.then((release) => release?.())
      }
      options.onChange()
    }
    const upload = new Upload({ ...options, ...this.#shared, onChange }, record)
    page = watchPage(upload)
    return upload
  }
}

/** Phases in which bytes move, or are about to. */
const moving = ['sending', 'waiting', 'finishing']

/**
 * Keeps an upload in step with its page until `stop` is called. Call `update` after each change of
 * the upload.
 */
function watchPage(upload: Upload): { update: () => void; stop: () => void } {
  let isMoving = false
  let lock: Promise<WakeLockSentinel | null> | null = null
  const warn = (event: BeforeUnloadEvent) => event.preventDefault()
  const tryNow = () => {
    if (document.visibilityState === 'visible') {
      upload.tryNow()
      wake()
    } else {
      // The browser has released it.
      lock = null
    }
  }
  const wake = () => {
    if (!isMoving || lock || document.visibilityState !== 'visible') return
    // Missing on plain http, refused on a low battery: then the upload continues after the sleep.
    lock = navigator.wakeLock?.request('screen').catch(() => null) ?? null
  }
  const update = () => {
    const { phase } = upload.snapshot()
    // A permanent listener would keep the page out of the back-forward cache.
    if (isMoving !== moving.includes(phase)) {
      isMoving = !isMoving
      if (isMoving) addEventListener('beforeunload', warn)
      else removeEventListener('beforeunload', warn)
    }
    if (isMoving) wake()
    else void release()
  }
  const release = async () => {
    const held = lock
    lock = null
    await (await held)?.release()
  }
  addEventListener('online', tryNow)
  document.addEventListener('visibilitychange', tryNow)
  update()
  return {
    update,
    stop() {
      removeEventListener('online', tryNow)
      removeEventListener('beforeunload', warn)
      document.removeEventListener('visibilitychange', tryNow)
      void release()
    },
  }
}

/** Time for another tab to claim an upload. */
const answerMs = 300

/**
 * One tab owns an upload, others show it. Works without a secure context, where there are no Web
 * Locks: tabs ask each other.
 * @param recordId id of the upload's record
 * @returns null when another tab owns it; otherwise a function that gives it up
 */
async function ownUpload(recordId: string): Promise<(() => void) | null> {
  const channel = new BroadcastChannel(`upload ${recordId}`)
  const isOwned = await new Promise<boolean>((resolve) => {
    channel.onmessage = ({ data }) => {
      if (data === 'mine') resolve(true)
    }
    channel.postMessage('whose?')
    setTimeout(() => resolve(false), answerMs)
  })
  if (isOwned) {
    channel.close()
    return null
  }
  channel.onmessage = ({ data }) => {
    if (data === 'whose?') channel.postMessage('mine')
  }
  return () => channel.close()
}

/** In characters of a list. */
const packedFrom = 64 * 1024

/** XMLHttpRequest, because fetch reports no upload progress over HTTP/1.1. */
const xhrTransport: types.Transport = async (request) => {
  const { method, path, token, json, chunk, tar, jpeg, onProgress, signal } = request
  const body = chunk ? formOf(chunk) : (tar ?? jpeg ?? (await packed(json)))
  return new Promise((resolve) => {
    const xhr = new XMLHttpRequest()
    xhr.open(method, addressOf(path))
    if (token !== null) xhr.setRequestHeader('Authorization', `Bearer ${token}`)
    if (tar) xhr.setRequestHeader('Content-Type', 'application/x-tar')
    if (jpeg) xhr.setRequestHeader('Content-Type', 'image/jpeg')
    if (json !== undefined) xhr.setRequestHeader('Content-Type', 'application/json')
    if (json !== undefined && body instanceof Blob) xhr.setRequestHeader('Content-Encoding', 'gzip')
    if (chunk) xhr.setRequestHeader('X-Chunk-Size', String(chunk.bytes.size))
    if (onProgress) xhr.upload.onprogress = ({ loaded }) => onProgress(loaded)
    const abort = () => xhr.abort()
    signal.addEventListener('abort', abort)
    // Follows load, error and abort alike; Safari may abort on its own.
    xhr.onloadend = () => {
      signal.removeEventListener('abort', abort)
      resolve(replyOf(xhr))
    }
    xhr.send(body)
    if (signal.aborted) abort()
  })
}

/** Text fields first, so that a server can place the bytes while they arrive. */
function formOf({ fields, bytes }: NonNullable<types.TransportRequest['chunk']>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('chunk', bytes, 'chunk')
  return form
}

/** Long lists of files as gzip: proxies may limit bodies to 1 MB, and only chunks are divided. */
async function packed(json: unknown): Promise<string | Blob | null> {
  const text = json === undefined ? null : JSON.stringify(json)
  if (text === null || text.length < packedFrom || !('CompressionStream' in globalThis)) return text
  const packing = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Response(packing).blob()
}

function replyOf(xhr: XMLHttpRequest): types.TransportReply {
  const { status } = xhr
  const retryAfter = status === 0 ? null : xhr.getResponseHeader('Retry-After')
  let json: unknown
  try {
    json = JSON.parse(xhr.responseText)
  } catch {
    // A proxy's page, or no body: the engine uses the status.
  }
  return { status, retryAfter, json }
}
