import { useEffect, useState } from 'preact/hooks'
import type { Store } from '../lib/store.ts'

/** The value; the component renders again when it changes. */
export function useStore<T extends string | boolean>(store: Store<T>): T {
  const [value, setValue] = useState<T>(store.value)
  useEffect(() => {
    // It may have changed before watching began.
    setValue(store.value)
    return store.watch(setValue)
  }, [store])
  return value
}
