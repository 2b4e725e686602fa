import path from 'node:path'

/** `<root>/<aa>/<parcel>`: no name from a client is ever part of a path. */
export function parcelFolder(root: string, parcelId: string): string {
  return path.join(root, parcelId.slice(0, 2), parcelId)
}

export function segmentFile(root: string, parcelId: string, segmentId: string): string {
  return path.join(parcelFolder(root, parcelId), `${segmentId}.seg`)
}
