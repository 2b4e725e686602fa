import * as v from 'valibot'
import { noted } from '../../http/schema.ts'
import { tarContentType } from '../archive/tar/header.ts'
import { TarLayoutBuilder, tarLayoutVersion } from '../archive/tar/layout.ts'
import { ZipLayoutBuilder, zipLayoutVersion } from '../archive/zip/layout.ts'

export type ArchiveFormat = 'zip' | 'tar'

/** The first part of ETags differs between formats, and between versions of a layout. */
export const archiveFormats = {
  zip: {
    contentType: 'application/zip',
    tagVersion: `a${zipLayoutVersion}`,
    makeBuilder: () => new ZipLayoutBuilder(),
  },
  tar: {
    contentType: tarContentType,
    tagVersion: `t${tarLayoutVersion}`,
    makeBuilder: () => new TarLayoutBuilder(),
  },
} as const

/** The content types of an answer with an archive, for its declaration. */
export const archiveTypes = {
  contentType: archiveFormats.zip.contentType,
  alternative: archiveFormats.tar.contentType,
} as const

/** Query field: the format of an archive. */
export const formatQuery = noted(
  v.nullish(v.picklist(['zip', 'tar']), 'zip'),
  'Format of the archive. A `tar` is never compressed, and fits into a pipe: `| tar x`',
  'tar',
)
