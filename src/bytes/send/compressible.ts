/** Formats that are already compressed: deflating them again costs time and gains nothing. */
const compressedExtensions = new Set(
  [
    // images, video, audio
    'jpg jpeg jpe jfif png gif webp avif heic heif jxl jp2 cr2 cr3 nef arw dng orf raf rw2',
    'mp4 m4v mov mkv webm avi wmv flv mpg mpeg mts m2ts 3gp ogv',
    'mp3 m4a m4b aac ogg oga opus flac wma ape wv alac',
    // archives and packages
    'zip gz tgz bz2 tbz tbz2 xz txz zst tzst lz lz4 lzma br 7z rar cab z arj lha jar war apk aab',
    'ipa deb rpm snap flatpak msi msix appx dmg crx xpi whl gem nupkg vsix',
    // documents that are ZIP archives or hold deflated streams
    'pdf docx docm xlsx xlsm pptx pptm odt ods odp odg epub pages numbers key vsdx 3mf',
    'woff woff2 swf parquet',
    // ciphertext
    'gpg pgp age aes kdbx',
  ].flatMap((line) => line.split(' ')),
)

const compressedTypes = [
  /^video\//,
  /^image\/(?:jpeg|png|gif|webp|avif|hei[cf]|jxl|jp2)/,
  /^audio\/(?!(?:x-)?(?:wav|aiff|midi)|vnd\.wave|l16|basic)/,
  /^font\/woff/,
  /^application\/(?:zip|(?:x-)?gzip|x-xz|x-bzip2|zstd|x-7z-compressed)/,
  /^application\/(?:vnd\.rar|x-rar-compressed)/,
  /^application\/(?:pdf|vnd\.openxmlformats-|vnd\.oasis\.opendocument\.)/,
  /^application\/(?:java-archive|pgp-encrypted)/,
  /\+(?:zip|gzip|zstd)$/,
]

/** Whether deflating a file is worthwhile, judging by its extension and media type. */
export function isCompressible(name: string, mimeType: string): boolean {
  const extension = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const type = mimeType.toLowerCase()
  return !compressedExtensions.has(extension) && !compressedTypes.some((one) => one.test(type))
}
