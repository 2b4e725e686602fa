import { api } from './api.ts'
import { signal } from './signals.ts'

interface Counted {
  readonly new_delivery_count: number
}

/** Unseen deliveries to all file requests. */
export const news = signal(0)

export function countNews(requests: readonly Counted[]): void {
  news.value = requests.reduce((sum, { new_delivery_count: count }) => sum + count, 0)
}

/** Loads the number once; the list of requests updates it later. */
export async function loadNews(): Promise<void> {
  try {
    countNews(await api<Counted[]>('GET', '/api/reverse', { keepUnauthorized: true }))
  } catch {
    // The number is not important enough for an error.
  }
}
