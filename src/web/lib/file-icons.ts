import type { IconPath } from '../ui/icons.ts'

const page = 'M6 3h8l4 4v14H6zM14 3v4h4'

/** Icons of files by kind, on the grid of `icons.ts`. */
export const drawings = {
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9h.01',
  video: 'M4 6h16v12H4zM10 9.5l5 2.5-5 2.5z',
  audio: 'M9 18V6l10-2v12M9 18a2.5 2.5 0 11-5 0 2.5 2.5 0 015 0zM19 16a2.5 2.5 0 11-5 0',
  pdf: `${page}M10 17v-6h2a2 2 0 010 4h-2`,
  text: `${page}M9 12h6M9 16h6`,
  sheet: `${page}M9 12h6v5H9zM12 12v5M9 14.5h6`,
  slides: 'M4 5h16v10H4zM12 15v4M8 20h8M8 9h5',
  archive: `${page}M10 4v2M12 6v2M10 8v2M12 10v2M10 14h3v4h-3z`,
  code: 'M9 8l-5 4 5 4M15 8l5 4-5 4',
  program: 'M4 5h16v14H4zM4 9h16M7 7h.01M8 13l2 2-2 2M13 17h3',
} satisfies Record<string, IconPath>

export type FileKind = keyof typeof drawings

const extensions: Readonly<Record<FileKind, string>> = {
  image: 'jpg jpeg png gif webp avif heic heif svg bmp tif tiff psd ai',
  video: 'mp4 mov mkv webm avi m4v mpg mpeg',
  audio: 'mp3 wav flac ogg m4a aac opus',
  pdf: 'pdf',
  text: 'txt md doc docx odt rtf pages epub mobi eml msg',
  sheet: 'xls xlsx ods csv tsv numbers',
  slides: 'ppt pptx key',
  archive: 'zip 7z rar tar gz tgz bz2 xz zst iso img dmg',
  code: 'js mjs ts tsx jsx html htm css json xml yml yaml toml py rb go rs c h cpp java sh sql php',
  program: 'exe msi apk deb rpm appimage jar bat',
}

const kinds = new Map(
  Object.entries(extensions).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, kind as FileKind] as const),
  ),
)

/** The icon of a file by its extension; null for one of a plain page. */
export function iconOf(path: string): { readonly kind: FileKind; readonly path: IconPath } | null {
  const kind = kinds.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase())
  return kind ? { kind, path: drawings[kind] } : null
}
