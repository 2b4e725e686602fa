import { countIn, numberIn } from '../../lib/language.ts'

/** Texts of pages that the service makes, shown before, without or in place of their script. */
export const pages = {
  share: {
    untitled: 'Files for you',
    /** Above the title: the sender, who may have no name. */
    sent: (owner: string) => `${owner} sent you`,
    sending: (owner: string) => `${owner} is sending you`,
    files: (count: number) => countIn('en', count, ['{n} file', '{n} files']),
    /** In link previews. */
    from: (owner: string) => `from ${owner}`,
    until: 'Available until',
    endedOn: 'Ended on',
    /** How many more people can download. */
    left: (count: number) => {
      if (count === 0) return 'download limit reached for others'
      const people = count === 1 ? '1 more person' : `${numberIn('en', count)} more people`
      return `can be downloaded by ${people}`
    },
    leftHint: 'Once you open or download a file, you can download everything for 24 hours.',
    all: (size: string) => `Download all · ${size}`,
    one: (size: string) => `Download · ${size}`,
    more: (count: number) =>
      countIn('en', count, ['and {n} more file, in the ZIP', 'and {n} more files, in the ZIP']),
    empty: 'This share has no files.',
    /** Beside a damaged file, and above a list with damaged files. */
    damaged: 'Damaged',
    damagedFiles: (count: number) =>
      count === 1
        ? '1 file is damaged on the server and cannot be downloaded. ' +
          'Ask the sender to send it again.'
        : `${numberIn('en', count)} files are damaged on the server and cannot be downloaded. ` +
          'Ask the sender to send them again.',
    locked: 'These files are protected with a password.',
    lockedBy: (owner: string) => `${owner} protected these files with a password.`,
    qrCode: 'Open on phone',
    qrCodeImage: 'QR code of the link to this page',
    report: 'Report this share',
    password: 'Password',
    passwordWrong: 'Wrong password. Check capital letters and spaces.',
    passwordWait: 'Too many attempts. Try again in a few minutes.',
    /** With the hidden address of its person. */
    proofCode: (address: string) =>
      `This link is for one person. To open it, enter a code that we email to ${address}.`,
    proofAccount: (address: string) =>
      `This link is for one person. To open it, sign in with the account of ${address}.`,
    codeSend: 'Email me a code',
    codeSent: (address: string) => `We sent a code to ${address}. It is valid for ten minutes.`,
    codeField: 'Code',
    codeOpen: 'Open',
    codeAgain: 'Send another code',
    codeWrong: 'The code is wrong or no longer valid. Check it, or request a new one.',
    codeWait: 'Too many codes were requested. Try again in a few minutes.',
    /** The progress in brackets, with a space before it; may be empty. */
    uploading: (percent: string) =>
      `Still uploading${percent}. The files appear here once they are all uploaded.`,
    /** How much had arrived, if known, and when the last of it did. */
    paused: (percent: string | null, ago: string) =>
      `Upload paused${percent === null ? '' : ` at ${percent}`}, last active ${ago}. ` +
      'The files appear here once they are all uploaded.',
    abandoned: (owner: string) =>
      `${owner || 'The sender'} has not finished this upload, and nothing has arrived for a day. ` +
      'Ask for the files again.',
    openAgain: 'Without JavaScript, open this link again later.',
    notFound: {
      title: 'Link not found',
      text:
        'The link may be incomplete, or its files may have been deleted. ' +
        'Ask the sender of the link for a new one.',
    },
    /** With the sender's name, which may be empty. */
    expired: {
      title: 'This share has ended',
      text: (owner: string) => `Ask ${owner || 'the sender'} to share the files again.`,
    },
    usedUp: {
      title: 'Download limit reached',
      text: (owner: string) => `Ask ${owner || 'the sender'} for a new link.`,
    },
  },
  request: {
    untitled: 'Files',
    asks: (owner: string) => `${owner} asks you for`,
    locked: 'Enter the password to send files.',
    needsScript: 'Turn on JavaScript to send files.',
    unlockNeedsScript: 'Turn on JavaScript to enter the password.',
    notFound: {
      title: 'Link not found',
      text:
        'The link may be incomplete, or it may have been deleted. ' +
        'Ask the sender of the link for a new one.',
    },
    /** Title and text of an ended link, with the day, and the owner's name or ''. */
    isClosed: 'This request is closed',
    expired: (day: string, owner: string) =>
      `It has been closed since ${day}. Ask ${owner || 'the sender of the link'} for a new one.`,
    closed: (day: string, owner: string) =>
      `Only one delivery was possible, and it was made on ${day}. ` +
      `Ask ${owner || 'the sender of the link'} for a new one.`,
  },
  notFound: {
    title: 'Page not found',
    text: 'The address may be incomplete, or what was here may have been deleted.',
    home: 'Go to the start page',
  },
  notSetUp: {
    title: 'Not set up yet',
    how:
      'This service has no administrator. Open the setup link from the server’s log to create ' +
      'one.',
    command: 'It is on the line that begins with “setup:”. To find it:',
    afterwards: 'Afterwards, reload this page to sign in.',
    again: 'Reload',
  },
  /** The page of a deployment with a welcome text for visitors. */
  home: { title: 'Welcome', signIn: 'Sign in' },
  /** Shortcuts of the installed app. */
  app: { send: 'Send files', requests: 'File requests' },
  footer: { imprint: 'Imprint', privacy: 'Privacy' },
  /** In place of a page whose scripts or texts did not arrive. */
  unloaded: { title: 'This page was not loaded completely', action: 'Load it again' },
}

/** Another language is a file with the same keys: a missing one does not compile. */
export type PageTexts = typeof pages
