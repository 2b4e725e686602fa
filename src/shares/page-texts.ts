import { numberIn, type Language } from '../lib/language.ts'

/** Texts of the page behind a link, with and without its script. */
export interface PageTexts {
  readonly untitled: string
  /** Above the title: the sender; empty when the sender has no name. */
  readonly sent: (owner: string) => string
  readonly sending: (owner: string) => string
  readonly files: (count: number) => string
  /** In link previews. */
  readonly from: (owner: string) => string
  readonly until: string
  /** How many more people can download. */
  readonly left: (count: number) => string
  readonly leftHint: string
  readonly all: (size: string) => string
  readonly one: (name: string, size: string) => string
  readonly more: (count: number) => string
  readonly empty: string
  /** Beside a damaged file, and above a list with damaged files. */
  readonly damaged: string
  readonly damagedFiles: (count: number) => string
  readonly locked: string
  readonly lockedBy: (owner: string) => string
  readonly qrCode: string
  readonly qrCodeImage: string
  readonly report: string
  readonly unlockNeedsScript: string
  /** The progress, with a comma before it; may be empty. */
  readonly uploading: (percent: string) => string
  /** How much had arrived, if known, and when the last of it did. */
  readonly paused: (percent: string | null, ago: string) => string
  readonly abandoned: (owner: string) => string
  readonly openAgain: string
  readonly notFound: readonly [title: string, text: string]
  /** For an ended share, with the day; the sender's name may be empty. */
  readonly expired: readonly [title: string, text: (day: string, owner: string) => string]
  readonly usedUp: readonly [title: string, text: (owner: string) => string]
}

const english: PageTexts = {
  untitled: 'Files for you',
  sent: (owner) => `${owner} sent you:`,
  sending: (owner) => `${owner} is sending you:`,
  files: (count) => (count === 1 ? '1 file' : `${numberIn('en', count)} files`),
  from: (owner) => `from ${owner}`,
  until: 'available until',
  left: (count) => {
    if (count === 0) return 'nobody else can download it'
    const people = count === 1 ? '1 more person' : `${numberIn('en', count)} more people`
    return `can be downloaded by ${people}`
  },
  leftHint: 'Once you open or download a file, you can download everything for 24 hours.',
  all: (size) => `Download all · ${size}`,
  one: (name, size) => `Download ${name} · ${size}`,
  more: (count) => `and ${numberIn('en', count)} more files, in the ZIP`,
  empty: 'This share has no files.',
  damaged: 'Damaged',
  damagedFiles: (count) =>
    count === 1
      ? '1 file is damaged on the server and cannot be downloaded. ' +
        'Ask the sender to send it again.'
      : `${numberIn('en', count)} files are damaged on the server and cannot be downloaded. ` +
        'Ask the sender to send them again.',
  locked: 'These files are protected with a password.',
  lockedBy: (owner) => `${owner} protected these files with a password.`,
  qrCode: 'Open on phone',
  qrCodeImage: 'QR code of the link to this page',
  report: 'Report this share',
  unlockNeedsScript: 'Unlocking needs JavaScript or the API.',
  uploading: (percent) =>
    `Still uploading${percent}. The files appear here once they are all uploaded.`,
  paused: (percent, ago) =>
    `Upload paused${percent === null ? '' : ` at ${percent}`}, last active ${ago}. ` +
    'The files appear here once they are all uploaded.',
  abandoned: (owner) =>
    `${owner || 'The sender'} has not finished this upload, and nothing has arrived for a day. ` +
    'Ask for the files again.',
  openAgain: 'Without JavaScript, open this link again later.',
  notFound: [
    'There is nothing here',
    'The link may be incomplete, or its files may have been deleted.',
  ],
  expired: [
    'This link has expired',
    (day, owner) =>
      `This share ended${day && ` on ${day}`}. ` +
      `Ask ${owner || 'the sender'} to share the files again.`,
  ],
  usedUp: [
    'Download limit reached',
    (owner) =>
      'As many people as the sender allowed have downloaded these files. ' +
      `Ask ${owner || 'the sender'} for a new link.`,
  ],
}

const sender = 'die Person, die Ihnen den Link geschickt hat'

const german: PageTexts = {
  untitled: 'Dateien für Sie',
  sent: (owner) => `${owner} sendet Ihnen:`,
  sending: (owner) => `${owner} sendet Ihnen gerade:`,
  files: (count) => (count === 1 ? '1 Datei' : `${numberIn('de', count)} Dateien`),
  from: (owner) => `von ${owner}`,
  until: 'verfügbar bis',
  left: (count) => {
    if (count === 0) return 'niemand sonst kann es herunterladen'
    const people = count === 1 ? '1 Person kann' : `${numberIn('de', count)} Personen können`
    return `noch ${people} herunterladen`
  },
  leftHint:
    'Sobald Sie eine Datei öffnen oder herunterladen, können Sie 24 Stunden lang alles ' +
    'herunterladen.',
  all: (size) => `Alles herunterladen · ${size}`,
  one: (name, size) => `${name} herunterladen · ${size}`,
  more: (count) => `und ${numberIn('de', count)} weitere Dateien, in der ZIP-Datei`,
  empty: 'Diese Freigabe hat keine Dateien.',
  damaged: 'Beschädigt',
  damagedFiles: (count) =>
    count === 1
      ? '1 Datei ist auf dem Server beschädigt und kann nicht heruntergeladen werden. ' +
        'Bitten Sie darum, sie noch einmal zu senden.'
      : `${numberIn('de', count)} Dateien sind auf dem Server beschädigt und können nicht ` +
        'heruntergeladen werden. Bitten Sie darum, sie noch einmal zu senden.',
  locked: 'Diese Dateien sind mit einem Passwort geschützt.',
  lockedBy: (owner) => `${owner} hat diese Dateien mit einem Passwort geschützt.`,
  qrCode: 'Auf dem Handy öffnen',
  qrCodeImage: 'QR-Code des Links zu dieser Seite',
  report: 'Diese Freigabe melden',
  unlockNeedsScript: 'Zum Entsperren ist JavaScript oder die API nötig.',
  uploading: (percent) =>
    `Wird noch hochgeladen${percent}. Die Dateien erscheinen hier, sobald alle da sind.`,
  paused: (percent, ago) =>
    `Das Hochladen ist${percent === null ? '' : ` bei ${percent}`} angehalten, zuletzt aktiv ` +
    `${ago}. Die Dateien erscheinen hier, sobald alle da sind.`,
  abandoned: (owner) =>
    `${owner || 'Die Person, die Ihnen den Link geschickt hat,'} hat das Hochladen nicht ` +
    'beendet. Seit einem Tag ist nichts angekommen. Bitten Sie noch einmal um die Dateien.',
  openAgain: 'Öffnen Sie den Link ohne JavaScript später noch einmal.',
  notFound: [
    'Hier ist nichts',
    'Vielleicht ist der Link unvollständig, oder die Dateien wurden gelöscht.',
  ],
  expired: [
    'Dieser Link ist abgelaufen',
    (day, owner) =>
      `Diese Freigabe endete${day && ` am ${day}`}. ` +
      `Bitten Sie ${owner || sender}, die Dateien noch einmal freizugeben.`,
  ],
  usedUp: [
    'Download-Limit erreicht',
    (owner) =>
      'So viele Personen wie erlaubt haben diese Dateien heruntergeladen. ' +
      `Bitten Sie ${owner || `${sender},`} um einen neuen Link.`,
  ],
}

export const pageTexts: Readonly<Record<Language, PageTexts>> = { en: english, de: german }
