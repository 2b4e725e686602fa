import type { UploadRecord, UploadStore } from '../../../src/web/upload/types.ts'

/** Stands in for IndexedDB. */
export class MemoryStore implements UploadStore {
  readonly records = new Map<string, UploadRecord>()
  siteBytes: number | null = null

  async list(): Promise<UploadRecord[]> {
    return [...this.records.values()]
  }

  async save(record: UploadRecord): Promise<void> {
    this.records.set(record.id, structuredClone(record))
  }

  async remove(id: string): Promise<void> {
    this.records.delete(id)
  }

  async chunkBytesMax(): Promise<number | null> {
    return this.siteBytes
  }

  async saveChunkBytesMax(bytes: number): Promise<void> {
    this.siteBytes = bytes
  }
}
