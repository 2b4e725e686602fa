/** Initial data for the page's script: `data` of src/pages/shell.ts. */
export function readPageData<T>(): T {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="data"]')
  return JSON.parse(meta?.content ?? '{}') as T
}

/** The user that a trusted proxy has signed in; null without one. */
export const proxyUser = () => readPageData<{ proxyUser?: string | null }>().proxyUser ?? null

/** Whether the service could send email when the page was loaded. */
export const sendsEmail = () => readPageData<{ sendsEmail: boolean }>().sendsEmail
