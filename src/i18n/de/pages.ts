import { countIn, numberIn } from '../../lib/language.ts'
import type { PageTexts } from '../en/pages.ts'

const sender = 'die Person, die Ihnen den Link geschickt hat'
const ask = (owner: string) => `Bitten Sie ${owner || `${sender},`} um einen neuen.`

export const pages: PageTexts = {
  share: {
    untitled: 'Dateien für Sie',
    sent: (owner) => `${owner} hat Ihnen geschickt`,
    sending: (owner) => `${owner} sendet Ihnen gerade`,
    files: (count) => countIn('de', count, ['{n} Datei', '{n} Dateien']),
    from: (owner) => `von ${owner}`,
    until: 'Verfügbar bis',
    endedOn: 'Beendet am',
    left: (count) => {
      if (count === 0) return 'für andere ist das Limit erreicht'
      const people = count === 1 ? '1 Person kann' : `${numberIn('de', count)} Personen können`
      return `noch ${people} herunterladen`
    },
    leftHint:
      'Sobald Sie eine Datei öffnen oder herunterladen, können Sie 24 Stunden lang alles ' +
      'herunterladen.',
    all: (size) => `Alles herunterladen · ${size}`,
    one: (size) => `Herunterladen · ${size}`,
    more: (count) =>
      countIn('de', count, [
        'und {n} weitere Datei, in der ZIP-Datei',
        'und {n} weitere Dateien, in der ZIP-Datei',
      ]),
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
    password: 'Passwort',
    passwordWrong: 'Falsches Passwort. Achten Sie auf Großbuchstaben und Leerzeichen.',
    passwordWait: 'Zu viele Versuche. Versuchen Sie es in ein paar Minuten erneut.',
    proofCode: (address) =>
      `Dieser Link ist persönlich. Zum Öffnen senden wir einen Code an ${address}.`,
    proofAccount: (address) =>
      `Dieser Link ist persönlich. Melden Sie sich zum Öffnen mit dem Konto von ${address} an.`,
    codeSend: 'Code per E-Mail anfordern',
    codeSent: (address) => `Wir haben einen Code an ${address} gesendet. Er gilt zehn Minuten.`,
    codeField: 'Code',
    codeOpen: 'Öffnen',
    codeAgain: 'Neuen Code senden',
    codeWrong:
      'Der Code ist falsch oder nicht mehr gültig. Prüfen Sie ihn oder fordern Sie einen neuen an.',
    codeWait: 'Zu viele Codes angefordert. Versuchen Sie es in ein paar Minuten erneut.',
    uploading: (percent) =>
      `Wird noch hochgeladen${percent}. Die Dateien erscheinen hier, sobald alle da sind.`,
    paused: (percent, ago) =>
      `Das Hochladen ist${percent === null ? '' : ` bei ${percent}`} angehalten, zuletzt aktiv ` +
      `${ago}. Die Dateien erscheinen hier, sobald alle da sind.`,
    abandoned: (owner) =>
      `${owner || 'Die Person, die Ihnen den Link geschickt hat,'} hat das Hochladen nicht ` +
      'beendet. Seit einem Tag ist nichts angekommen. Bitten Sie noch einmal um die Dateien.',
    openAgain: 'Öffnen Sie den Link ohne JavaScript später noch einmal.',
    notFound: {
      title: 'Link nicht gefunden',
      text:
        'Vielleicht ist der Link unvollständig, oder die Dateien wurden gelöscht. ' +
        'Bitten Sie die Person, die Ihnen den Link geschickt hat, um einen neuen.',
    },
    expired: {
      title: 'Diese Freigabe ist beendet',
      text: (owner) => `Bitten Sie ${owner || sender}, die Dateien noch einmal freizugeben.`,
    },
    usedUp: {
      title: 'Download-Limit erreicht',
      text: (owner) => `Bitten Sie ${owner || `${sender},`} um einen neuen Link.`,
    },
  },
  request: {
    untitled: 'Dateien',
    asks: (owner) => `${owner} bittet Sie um`,
    locked: 'Geben Sie das Passwort ein, um Dateien zu senden.',
    needsScript: 'Zum Senden ist JavaScript oder die API nötig.',
    unlockNeedsScript: 'Zum Entsperren ist JavaScript oder die API nötig.',
    notFound: {
      title: 'Link nicht gefunden',
      text:
        'Vielleicht ist der Link unvollständig, oder er wurde gelöscht. ' +
        'Bitten Sie die Person, die Ihnen den Link geschickt hat, um einen neuen.',
    },
    isClosed: 'Diese Anfrage ist geschlossen',
    expired: (day, owner) => `Sie ist seit ${day} geschlossen. ${ask(owner)}`,
    closed: (day, owner) =>
      `Nur eine Lieferung war möglich, und sie ist am ${day} eingegangen. ` + ask(owner),
  },
  notFound: {
    title: 'Seite nicht gefunden',
    text: 'Vielleicht ist die Adresse unvollständig, oder was hier war, wurde gelöscht.',
    home: 'Zur Startseite',
  },
  notSetUp: {
    title: 'Noch nicht eingerichtet',
    how:
      'Dieser Dienst hat keinen Administrator. Öffnen Sie den Link zum Einrichten aus dem ' +
      'Protokoll des Servers, um einen anzulegen.',
    command: 'Er steht in der Zeile, die mit „setup:“ beginnt. So finden Sie sie:',
    afterwards: 'Laden Sie danach diese Seite neu, um sich anzumelden.',
    again: 'Neu laden',
  },
  home: { title: 'Willkommen', signIn: 'Anmelden' },
  app: { send: 'Dateien senden', requests: 'Dateianfragen' },
  footer: { imprint: 'Impressum', privacy: 'Datenschutz' },
  unloaded: {
    title: 'Diese Seite wurde nicht vollständig geladen',
    action: 'Noch einmal laden',
  },
}
