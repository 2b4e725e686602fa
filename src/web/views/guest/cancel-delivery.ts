import { api } from '../../lib/api.ts'
import type { UploadTarget } from '../../upload/types.ts'

/** Frees the space of a delivery; the service does so later for unfinished ones. */
export async function cancelDelivery(target: UploadTarget): Promise<void> {
  if (target.kind !== 'delivery') return
  const { reverseId, uploadToken } = target
  const credential = uploadToken === null ? {} : { token: uploadToken }
  const options = { keepUnauthorized: true, ...credential }
  await api('DELETE', `/api/public/reverse/${reverseId}/delivery`, options).catch(() => {})
}
