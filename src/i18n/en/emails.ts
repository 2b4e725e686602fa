import { countIn, numberIn } from '../../lib/language.ts'

const files = (count: number) => countIn('en', count, ['{n} file', '{n} files'])
const named = (name: string) => name && ` “${name}”`
const fromAddress = (ip: string) => ip && `, from IP address ${ip}`
const aboutFiles = 'If you do not know the sender, do not open the link.'

const moreDeliveries = (count: number) =>
  countIn('en', count, ['{n} more delivery', '{n} more deliveries'])

/** Every text of the emails; plain text throughout. Names are already one line. */
export const emails = {
  files,
  /** The rest of a list. */
  more: (count: number) => `+${numberIn('en', count)} more`,
  expires: (moment: string) => `expires ${moment}`,
  needsPassword: 'password needed',
  peopleMax: (count: number) =>
    count === 1 ? 'for 1 person' : `for up to ${numberIn('en', count)} people`,
  upTo: (size: string) => `up to ${size}`,
  askForPassword: (who: string) => `The link needs a password. Ask ${who} for it.`,
  /** What a protected share keeps out of its email. */
  hidden: (hasMessage: boolean): string =>
    hasMessage
      ? 'The message and the files are shown after the password.'
      : 'The files are shown after the password.',
  orLink: 'Or open this link:',
  guest: 'A guest',
  footer: (appName: string) => `Sent by ${appName}.`,
  footerFor: (appName: string, who: string) => `Sent with ${appName} for ${who}.`,

  share: {
    subject: (who: string, name: string, count: number) =>
      `${who} sent you ${name ? `“${name}”` : files(count)}`,
    lead: (who: string) => `${who} sent you files.`,
    button: 'Open the files',
    why: (who: string) =>
      `You receive this email because ${who} entered your address. ${aboutFiles}`,
  },
  addedFiles: {
    subject: (who: string, name: string, count: number) =>
      `${who} added ${files(count)}${name && ` to “${name}”`}`,
    lead: (who: string, name: string, count: number) =>
      `${who} added ${files(count)} to ${name ? `“${name}”` : 'an earlier share'}.`,
    button: 'Open the files',
    why: (who: string) =>
      `You receive this email because ${who} has shared files with you before. ${aboutFiles}`,
  },
  request: {
    subject: (who: string, name: string) => `${who} asks you for files${name && `: “${name}”`}`,
    lead: (who: string) => `${who} asks you to send files.`,
    noAccount: 'You need no account. Choose your files on the page behind the link.',
    button: 'Send files',
    why: (who: string) =>
      `You receive this email because ${who} entered your address. ${aboutFiles}`,
  },
  delivery: {
    subject: (who: string, name: string, count: number) =>
      `${who} delivered ${files(count)} to ${name ? `“${name}”` : 'you'}`,
    lead: (who: string, name: string) => `${who} delivered files to ${name ? `“${name}”` : 'you'}.`,
    button: 'Open the files',
    why: 'You receive this email because your file request emails you when files arrive.',
  },
  deliveries: {
    subject: (name: string, count: number) => `${moreDeliveries(count)}${name && ` to “${name}”`}`,
    heading: (count: number) => moreDeliveries(count),
    lead: (name: string, count: number, size: string) =>
      `Guests sent ${files(count)} (${size})${name && ` to “${name}”`}:`,
  },
  damage: {
    subject: (file: string, others: number) =>
      others === 0
        ? `A file is damaged: “${file}”`
        : `${numberIn('en', others + 1)} files are damaged: “${file}” and ` +
          `${numberIn('en', others)} more`,
    heading: (count: number) =>
      count === 1 ? 'A file is damaged' : `${numberIn('en', count)} files are damaged`,
    what: (file: string, others: number, name: string, isDelivery: boolean) => {
      const where = isDelivery
        ? `delivered to${named(name) || ' you'}`
        : `of your share${named(name)}`
      const more = countIn('en', others, ['{n} more file', '{n} more files'])
      return others === 0
        ? `The file “${file}” ${where} is damaged on the disk of the service.`
        : `“${file}” and ${more} ${where} are damaged on the disk of the service.`
    },
    advice: (count: number, isDelivery: boolean) => {
      const [they, them] = count === 1 ? ['It', 'it'] : ['They', 'them']
      return (
        `${they} can no longer be downloaded. ${isDelivery ? 'Ask for' : 'Send'} ${them} again, ` +
        'and tell your administrator, because a disk may be failing.'
      )
    },
    button: (isDelivery: boolean): string => (isDelivery ? 'View file request' : 'View share'),
    why: 'You receive this email because the files are yours.',
  },
  downloads: {
    subject: (name: string) => `Your files were downloaded${name && `: “${name}”`}`,
    heading: 'Your files were downloaded',
    what: (name: string, people: number) =>
      `${people === 1 ? '1 person has' : `${numberIn('en', people)} people have`} downloaded ` +
      `${name ? `“${name}”` : 'your files'}.`,
    latest: (moment: string) => `latest download: ${moment}`,
    button: 'View share',
    why: 'You receive this email because you asked to be told about downloads of this share.',
  },
  invitation: {
    subject: (appName: string) => `Your account at ${appName}`,
    heading: (appName: string) => `Welcome to ${appName}`,
    what: (appName: string) => `An account has been created for you at ${appName}.`,
    button: 'Choose your password',
    note: (days: number) => `The link works once and expires in ${days} days.`,
    why: 'If you did not expect this invitation, ignore this email.',
  },
  linkCode: {
    subject: (code: string, appName: string) => `${code} is your code for ${appName}`,
    heading: 'Your code',
    what: 'Enter this code to open the files that were sent to you:',
    note: (minutes: number) => `It works once, within ${minutes} minutes. Do not pass it on.`,
    why: 'If you did not request this code, ignore this email.',
  },
  reset: {
    subject: (appName: string) => `Set a new password for ${appName}`,
    heading: 'Set a new password',
    what: (appName: string) => `A new password was requested for your account at ${appName}.`,
    button: 'Set a new password',
    note: (minutes: number) => `The link works once and expires in ${minutes} minutes.`,
    why: 'If you did not request this, ignore this email: your password stays the same.',
  },
  signUp: {
    confirm: (appName: string) => `Confirm your email address for ${appName}`,
    confirmWhat: (appName: string) =>
      `Someone asked for an account at ${appName} with this address. Choose a name and a ` +
      'password to create it.',
    confirmButton: 'Create account',
    confirmNote: (hours: number) => `The link works once and expires in ${hours} hours.`,
    known: (appName: string) => `You already have an account at ${appName}`,
    knownWhat:
      'Someone tried to create an account with this address. Sign in, or set a new password.',
    why: 'If this was not you, ignore this email.',
    approved: (appName: string) => `Your account at ${appName} is approved`,
    approvedWhat: 'You can sign in now.',
    approvedButton: 'Sign in',
    declined: (appName: string) => `Your request for an account at ${appName}`,
    declinedWhat: (appName: string) =>
      `An administrator of ${appName} did not approve your account. It was deleted.`,
    waiting: (count: number, appName: string) =>
      `${appName}: ` +
      countIn('en', count, ['{n} person waits for approval', '{n} people wait for approval']),
    waitingWhat:
      'They signed up and confirmed their email address. Approve or decline them under Accounts.',
    waitingButton: 'Open accounts',
  },
  notice: {
    subject: (event: string, appName: string) => `${event} at ${appName}`,
    events: {
      account_deleted: 'Your account was deleted',
      api_token_created: 'An API token was created for your account',
      email_changed: 'The email address of your account was changed',
      identity_linked: 'A sign-in with a provider was linked to your account',
      identity_unlinked: 'A sign-in with a provider was unlinked from your account',
      new_device: 'Your account was signed in to from a new device',
      passkey_added: 'A passkey was added to your account',
      passkey_refused: 'A passkey of your account was refused because it may have been copied',
      passkey_removed: 'A passkey was removed from your account',
      password_changed: 'Your password was changed',
      recovery_codes_renewed: 'The recovery codes of your account were replaced',
      second_factor_enabled: 'Two-step sign-in was turned on for your account',
      second_factor_disabled: 'Two-step sign-in was turned off for your account',
      sessions_ended: 'All other sessions of your account were ended',
      sign_ins_reset: 'Your password was changed and all other ways to sign in were removed',
      second_factor_reset: 'An administrator reset two-step sign-in for your account',
    },
    /** @param ip '' when it is hidden, null on the server itself */
    what: (moment: string, ip: string | null) =>
      `This happened on ${moment}${ip === null ? ', on the server itself' : fromAddress(ip)}.`,
    nothingToDo: 'If this was you, there is nothing to do.',
    changePassword: 'If not, change your password now and tell your administrator.',
    tellAdministrator: 'If not, tell your administrator immediately.',
    button: 'Open your account',
    why: (appName: string) =>
      `You receive this email because it concerns your account at ${appName}.`,
  },
  failures: {
    latest: (moment: string, ip: string) => `The latest was on ${moment}${fromAddress(ip)}.`,
    signIn: {
      subject: (appName: string) => `Failed sign-ins to your account at ${appName}`,
      heading: 'Failed sign-ins to your account',
      what: (appName: string) =>
        `Several sign-ins to your account at ${appName} failed because of a wrong password.`,
      advice:
        'Your account is not locked. If your password is short or used elsewhere, change it and ' +
        'turn on two-step sign-in.',
    },
    code: {
      subject: (appName: string) => `Wrong codes for your account at ${appName}`,
      heading: 'Wrong codes for your account',
      what: (appName: string) =>
        `Wrong codes were entered for your account at ${appName} after the correct password.`,
      advice:
        'If this was not you, someone else knows your password. Change it now and tell your ' +
        'administrator.',
    },
    link: {
      subject: (isRequest: boolean, name: string) =>
        `Wrong passwords for your ${isRequest ? 'file request' : 'share'}${named(name)}`,
      heading: (isRequest: boolean) =>
        `Wrong passwords for your ${isRequest ? 'file request' : 'share'}`,
      what: (isRequest: boolean, name: string, appName: string) =>
        `Many wrong passwords were entered for your ${isRequest ? 'file request' : 'share'}` +
        `${named(name)} at ${appName}.`,
      advice:
        'The link still works with the correct password. If that password is short, choose a ' +
        'longer one and send it to your recipients.',
      button: (isRequest: boolean): string =>
        isRequest ? 'Open your file requests' : 'Open your shares',
    },
  },
  problems: {
    subject: (title: string, appName: string) => `${appName}: ${title}`,
    heading: (count: number) => countIn('en', count, ['{n} problem', '{n} problems']),
    disks: {
      files_full: 'The storage disk is full',
      files_low: 'The storage disk is almost full',
      database_full: 'The database disk is full',
      database_low: 'The database disk is almost full',
    },
    space: (free: string, floor: string) => `${free} is free. Uploads stop below ${floor}.`,
    emails: (count: number) =>
      countIn('en', count, [
        '{n} email could not be delivered',
        '{n} emails could not be delivered',
      ]),
    emailsAdvice: 'Read the answer of the mail server in the overview, then try again.',
    jobs: (count: number) =>
      countIn('en', count, [
        '{n} background job keeps failing',
        '{n} background jobs keep failing',
      ]),
    jobsAdvice: (names: string) =>
      `Failing for over an hour: ${names}. The log of the service contains the reason.`,
    damageAdvice:
      'Run “transfer verify” to list the damaged files, and restore them from a backup.',
    updated: (appName: string, version: string) => `${appName} was updated to version ${version}`,
    migrated: 'The database was migrated, and the service is running.',
    button: 'Open the overview',
    why: (appName: string) =>
      `You receive this email because you administer ${appName}. You can turn it off in ` +
      'the email settings.',
  },
  test: {
    subject: (appName: string) => `Test email from ${appName}`,
    heading: 'Email works',
    what: (appName: string) => `${appName} can send email. An administrator requested this test.`,
    button: (appName: string) => `Open ${appName}`,
  },
}

/** Another language is a file with the same keys: a missing one does not compile. */
export type EmailTexts = typeof emails
