import { useEffect, useState } from 'preact/hooks'
import type { Store } from '../lib/store.ts'

/** The value; the component is shown anew when it changes. */
export function useStore<T extends string | boolean>(store: Store<T>): T {
  const [value, setValue] = useState<T>(store.value)
  useEffect(() => {
    // It may have changed before it was watched.
    setValue(store.value)
    return store.watch(setValue)
  }, [store])
  return value
}
