/** Ties the place of the bytes to its database. */
export const markerName = 'storage-root.json'

/** Why the service must not start with this place; the message says what to do. */
export class StorageRootError extends Error {
  override readonly name = 'StorageRootError'
}

/** The store refuses the credentials, or has no such bucket: the options are wrong. */
export class BucketRefused extends Error {
  override readonly name = 'BucketRefused'
}

export function markerOf(id: string): string {
  return `${JSON.stringify({ storageRoot: id })}\n`
}

/** @throws SyntaxError */
export function parseMarker(text: string): string {
  return (JSON.parse(text) as { storageRoot?: string }).storageRoot ?? ''
}
