import { signal } from '@preact/signals'
import { api } from './api.ts'

interface Counted {
  readonly new_delivery_count: number
}

/** Deliveries to all file requests that were not looked at yet. */
export const news = signal(0)

export function countNews(requests: readonly Counted[]): void {
  news.value = requests.reduce((sum, { new_delivery_count: count }) => sum + count, 0)
}

/** Asks for it once; what cannot be told now is told by the list of requests. */
export async function loadNews(): Promise<void> {
  try {
    countNews(await api<Counted[]>('GET', '/api/reverse', { keepUnauthorized: true }))
  } catch {
    // Nobody waits for a number.
  }
}
