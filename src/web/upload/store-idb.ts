// Records of uploads in the browser for the next page: names and sizes, never bytes, because
// Chromium copies stored File objects to its own disk space.
import { storeOf } from '../lib/base-path.ts'
import type { UploadRecord, UploadStore } from './types.ts'

const uploads = 'uploads'
const site = 'site'
const chunkBytesKey = 'chunkBytesMax'

/** Rejects without IndexedDB (private windows): the engine works without records. */
export function openUploadStore(): UploadStore {
  let opening: Promise<IDBDatabase> | null = null
  const run = async <Value>(
    name: string,
    mode: IDBTransactionMode,
    act: (store: IDBObjectStore) => IDBRequest<Value>,
  ): Promise<Value> => {
    opening ??= open(() => (opening = null))
    opening.catch(() => (opening = null))
    const transaction = (await opening).transaction(name, mode)
    const request = act(transaction.objectStore(name))
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error ?? new Error('aborted'))
    })
  }
  return {
    list: () => run<UploadRecord[]>(uploads, 'readonly', (store) => store.getAll()),
    async save(record) {
      const put = (kept: UploadRecord) => run(uploads, 'readwrite', (store) => store.put(kept))
      // Some handles cannot be stored, for example those of another origin; the rest can.
      await put(record).catch(() => put({ ...record, origins: [] }))
    },
    async remove(id) {
      await run(uploads, 'readwrite', (store) => store.delete(id))
    },
    async chunkBytesMax() {
      const bytes = await run<unknown>(site, 'readonly', (store) => store.get(chunkBytesKey))
      return typeof bytes === 'number' ? bytes : null
    },
    async saveChunkBytesMax(bytes) {
      await run(site, 'readwrite', (store) => store.put(bytes, chunkBytesKey))
    },
  }
}

/** @param closed called when the browser or another tab closes it: the next use opens it again */
function open(closed: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(storeOf('transfer'), 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore(uploads, { keyPath: 'id' })
      request.result.createObjectStore(site)
    }
    request.onsuccess = () => {
      const database = request.result
      // Safari does so when a phone sleeps.
      database.onclose = closed
      database.onversionchange = () => {
        database.close()
        closed()
      }
      resolve(database)
    }
    request.onerror = () => reject(request.error ?? new Error('IndexedDB'))
    request.onblocked = () => reject(new Error('another tab holds an older version'))
  })
}
