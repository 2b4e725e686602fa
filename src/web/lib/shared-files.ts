// Files that other apps have shared with the installed app: kept by its worker until the Send view
// takes them.
import { storeOf } from './base-path.ts'
import { sharedName } from './forget-shared.ts'

export interface Shared {
  /** When they came, in milliseconds since 1970. */
  readonly at: number
  readonly files: readonly File[]
  /** Title, text and address; '' for none. */
  readonly text: string
}

type Kept = Shared & { readonly id: number }

/** Somebody who is signed out has this long to sign in. */
const lifeMs = 60 * 60 * 1000
/** More push out the oldest. */
const keptMax = 10

/** Removes what is over, and lets `act` change the rest, oldest first, in one transaction. */
async function change(now: number, act: (store: IDBObjectStore, kept: readonly Kept[]) => void) {
  const database = await open()
  try {
    return await new Promise<readonly Shared[]>((resolve, reject) => {
      const transaction = database.transaction(sharedName, 'readwrite')
      const store = transaction.objectStore(sharedName)
      const all = store.getAll() as IDBRequest<Kept[]>
      let kept: Kept[] = []
      all.onsuccess = () => {
        // A time in the future means that the clock was set back.
        const isOver = ({ at }: Kept) => Math.abs(now - at) > lifeMs
        for (const { id } of all.result.filter(isOver)) store.delete(id)
        kept = all.result.filter((one) => !isOver(one))
        act(store, kept)
      }
      transaction.oncomplete = () => resolve(kept)
      transaction.onabort = () => reject(transaction.error ?? new Error('aborted'))
    })
  } finally {
    database.close()
  }
}

export async function keepShared(shared: Shared): Promise<void> {
  await change(shared.at, (store, kept) => {
    for (const { id } of kept.slice(0, Math.max(0, kept.length + 1 - keptMax))) store.delete(id)
    store.add(shared)
  })
}

/** Everything that waits, for one tab only: nothing is left. */
export const takeShared = (now: number) => change(now, (store) => store.clear())

export async function dropOldShared(now: number): Promise<void> {
  await change(now, () => {})
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(storeOf(sharedName), 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore(sharedName, { keyPath: 'id', autoIncrement: true })
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('IndexedDB'))
    request.onblocked = () => reject(new Error('IndexedDB'))
  })
}
