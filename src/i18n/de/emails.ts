import { countIn, numberIn } from '../../lib/language.ts'
import type { EmailTexts } from '../en/emails.ts'

const files = (count: number) => countIn('de', count, ['{n} Datei', '{n} Dateien'])
const named = (name: string) => name && ` „${name}“`
const fromAddress = (ip: string) => ip && `, von der IP-Adresse ${ip}`
const aboutFiles = 'Wenn Sie den Absender nicht kennen, öffnen Sie den Link nicht.'
const linkOf = (isRequest: boolean) => (isRequest ? 'Ihre Dateianfrage' : 'Ihre Freigabe')

const moreDeliveries = (count: number) =>
  countIn('de', count, ['{n} weitere Lieferung', '{n} weitere Lieferungen'])

export const emails: EmailTexts = {
  files,
  more: (count) => `+${numberIn('de', count)} weitere`,
  expires: (moment) => `bis ${moment}`,
  needsPassword: 'mit Passwort',
  peopleMax: (count) =>
    count === 1 ? 'für 1 Person' : `für höchstens ${numberIn('de', count)} Personen`,
  upTo: (size) => `bis zu ${size}`,
  askForPassword: (who) => `Für den Link brauchen Sie ein Passwort. Fragen Sie ${who} danach.`,
  hidden: (hasMessage) =>
    hasMessage
      ? 'Nachricht und Dateien sehen Sie nach Eingabe des Passworts.'
      : 'Die Dateien sehen Sie nach Eingabe des Passworts.',
  orLink: 'Oder öffnen Sie diesen Link:',
  guest: 'Ein Gast',
  footer: (appName) => `Gesendet von ${appName}.`,
  footerFor: (appName, who) => `Gesendet mit ${appName} im Auftrag von ${who}.`,

  share: {
    subject: (who, name, count) => `${who} sendet Ihnen ${name ? `„${name}“` : files(count)}`,
    lead: (who) => `${who} sendet Ihnen Dateien.`,
    button: 'Dateien öffnen',
    why: (who) =>
      `Sie erhalten diese E-Mail, weil ${who} Ihre Adresse angegeben hat. ${aboutFiles}`,
  },
  addedFiles: {
    subject: (who, name, count) =>
      `${who} hat ${files(count)}${name && ` zu „${name}“`} hinzugefügt`,
    lead: (who, name, count) =>
      `${who} hat ${name ? `zu „${name}“` : 'zu einer früheren Freigabe'} ${files(count)} ` +
      'hinzugefügt.',
    button: 'Dateien öffnen',
    why: (who) =>
      `Sie erhalten diese E-Mail, weil ${who} Ihnen schon Dateien gesendet hat. ${aboutFiles}`,
  },
  request: {
    subject: (who, name) => `${who} bittet Sie um Dateien${name && `: „${name}“`}`,
    lead: (who) => `${who} bittet Sie um Dateien.`,
    noAccount: 'Sie brauchen kein Konto. Wählen Sie Ihre Dateien auf der Seite hinter dem Link.',
    button: 'Dateien senden',
    why: (who) =>
      `Sie erhalten diese E-Mail, weil ${who} Ihre Adresse angegeben hat. ${aboutFiles}`,
  },
  delivery: {
    subject: (who, name, count) =>
      name ? `${who} sendet ${files(count)} an „${name}“` : `${who} sendet Ihnen ${files(count)}`,
    lead: (who, name) =>
      name ? `${who} sendet Dateien an „${name}“.` : `${who} sendet Ihnen Dateien.`,
    button: 'Dateien öffnen',
    why: 'Sie erhalten diese E-Mail, weil Ihre Dateianfrage eingegangene Dateien meldet.',
  },
  deliveries: {
    subject: (name, count) => `${moreDeliveries(count)}${name && ` an „${name}“`}`,
    heading: (count) => moreDeliveries(count),
    lead: (name, count, size) =>
      `Gäste haben ${files(count)} (${size})${name && ` an „${name}“`} gesendet:`,
  },
  damage: {
    subject: (file, others) =>
      others === 0
        ? `Eine Datei ist beschädigt: „${file}“`
        : `${numberIn('de', others + 1)} Dateien sind beschädigt: „${file}“ und ` +
          `${numberIn('de', others)} weitere`,
    heading: (count) =>
      count === 1
        ? 'Eine Datei ist beschädigt'
        : `${numberIn('de', count)} Dateien sind beschädigt`,
    what: (file, others, name, isDelivery) => {
      const sent = `, ${name ? `an „${name}“` : 'an Sie'} gesendet,`
      const where = isDelivery ? sent : ` Ihrer Freigabe${named(name)}`
      if (others === 0) return `Die Datei „${file}“${where} ist auf dem Server beschädigt.`
      const more = countIn('de', others, ['{n} weitere Datei', '{n} weitere Dateien'])
      return `„${file}“ und ${more}${where} sind auf dem Server beschädigt.`
    },
    advice: (count, isDelivery) => {
      const [they, files] = count === 1 ? ['Sie kann', 'die Datei'] : ['Sie können', 'die Dateien']
      const again = isDelivery ? `Bitten Sie noch einmal um ${files}` : 'Senden Sie sie noch einmal'
      return (
        `${they} nicht mehr heruntergeladen werden. ${again}, und informieren Sie Ihren ` +
        'Administrator: Vielleicht fällt ein Datenträger aus.'
      )
    },
    button: (isDelivery) => (isDelivery ? 'Dateianfrage ansehen' : 'Freigabe ansehen'),
    why: 'Sie erhalten diese E-Mail, weil die Dateien Ihnen gehören.',
  },
  downloads: {
    subject: (name) => `Ihre Dateien wurden heruntergeladen${name && `: „${name}“`}`,
    heading: 'Ihre Dateien wurden heruntergeladen',
    what: (name, people) => {
      const who = people === 1 ? '1 Person hat' : `${numberIn('de', people)} Personen haben`
      return `${who} ${name ? `„${name}“` : 'Ihre Dateien'} heruntergeladen.`
    },
    latest: (moment) => `zuletzt ${moment}`,
    button: 'Freigabe ansehen',
    why:
      'Sie erhalten diese E-Mail, weil Sie über Downloads dieser Freigabe informiert werden ' +
      'möchten.',
  },
  invitation: {
    subject: (appName) => `Ihr Konto bei ${appName}`,
    heading: (appName) => `Willkommen bei ${appName}`,
    what: (appName) => `Bei ${appName} wurde ein Konto für Sie angelegt.`,
    button: 'Passwort festlegen',
    note: (days) => `Der Link funktioniert einmal und läuft in ${days} Tagen ab.`,
    why: 'Wenn Sie keine Einladung erwartet haben, ignorieren Sie diese E-Mail.',
  },
  linkCode: {
    subject: (code, appName) => `${code} ist Ihr Code für ${appName}`,
    heading: 'Ihr Code',
    what: 'Geben Sie diesen Code ein, um die Dateien zu öffnen, die Ihnen gesendet wurden:',
    note: (minutes) =>
      `Er gilt einmal, innerhalb von ${minutes} Minuten. Geben Sie ihn nicht weiter.`,
    why: 'Wenn Sie diesen Code nicht angefordert haben, ignorieren Sie diese E-Mail.',
  },
  reset: {
    subject: (appName) => `Neues Passwort für ${appName} festlegen`,
    heading: 'Neues Passwort festlegen',
    what: (appName) => `Für Ihr Konto bei ${appName} wurde ein neues Passwort angefordert.`,
    button: 'Neues Passwort festlegen',
    note: (minutes) => `Der Link funktioniert einmal und läuft in ${minutes} Minuten ab.`,
    why:
      'Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. ' +
      'Ihr Passwort bleibt dann unverändert.',
  },
  signUp: {
    confirm: (appName) => `Bestätigen Sie Ihre E-Mail-Adresse für ${appName}`,
    confirmWhat: (appName) =>
      `Mit dieser Adresse wurde ein Konto bei ${appName} angefragt. Wählen Sie einen Namen ` +
      'und ein Passwort, um es anzulegen.',
    confirmButton: 'Konto anlegen',
    confirmNote: (hours) => `Der Link funktioniert einmal und läuft in ${hours} Stunden ab.`,
    known: (appName) => `Sie haben schon ein Konto bei ${appName}`,
    knownWhat:
      'Mit dieser Adresse sollte ein neues Konto angelegt werden. Melden Sie sich an, oder ' +
      'setzen Sie ein neues Passwort.',
    why: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail.',
    approved: (appName) => `Ihr Konto bei ${appName} ist freigegeben`,
    approvedWhat: 'Sie können sich jetzt anmelden.',
    approvedButton: 'Anmelden',
    declined: (appName) => `Ihre Anfrage nach einem Konto bei ${appName}`,
    declinedWhat: (appName) =>
      `Ein Administrator von ${appName} hat Ihr Konto nicht freigegeben. Es wurde gelöscht.`,
    waiting: (count, appName) =>
      `${appName}: ` +
      countIn('de', count, ['{n} Person wartet auf Freigabe', '{n} Personen warten auf Freigabe']),
    waitingWhat:
      'Die E-Mail-Adressen sind bestätigt. Geben Sie die Konten unter „Konten“ frei, oder ' +
      'lehnen Sie sie ab.',
    waitingButton: 'Konten öffnen',
  },
  notice: {
    subject: (event, appName) => `${appName}: ${event}`,
    events: {
      account_deleted: 'Ihr Konto wurde gelöscht',
      api_token_created: 'Für Ihr Konto wurde ein API-Token angelegt',
      email_changed: 'Die E-Mail-Adresse Ihres Kontos wurde geändert',
      identity_linked: 'Eine Anmeldung über einen Anbieter wurde mit Ihrem Konto verknüpft',
      identity_unlinked: 'Eine Anmeldung über einen Anbieter wurde von Ihrem Konto getrennt',
      new_device: 'Ein neues Gerät ist bei Ihrem Konto angemeldet',
      passkey_added: 'Ihrem Konto wurde ein Passkey hinzugefügt',
      passkey_refused: 'Ein Passkey Ihres Kontos wurde abgelehnt: Vielleicht wurde er kopiert',
      passkey_removed: 'Ein Passkey wurde aus Ihrem Konto entfernt',
      password_changed: 'Ihr Passwort wurde geändert',
      recovery_codes_renewed: 'Die Notfallcodes Ihres Kontos wurden ersetzt',
      second_factor_enabled: 'Für Ihr Konto wurde die Anmeldung in zwei Schritten eingeschaltet',
      second_factor_disabled: 'Für Ihr Konto wurde die Anmeldung in zwei Schritten ausgeschaltet',
      sessions_ended: 'Alle anderen Sitzungen Ihres Kontos wurden beendet',
      sign_ins_reset: 'Ihr Passwort wurde geändert und alle anderen Anmeldewege wurden entfernt',
      second_factor_reset: 'Ein Administrator hat Ihre Anmeldung in zwei Schritten zurückgesetzt',
    },
    what: (moment, ip) =>
      `Das geschah am ${moment}${ip === null ? ', auf dem Server selbst' : fromAddress(ip)}.`,
    nothingToDo: 'Wenn Sie das waren, ist nichts zu tun.',
    changePassword:
      'Wenn nicht, ändern Sie jetzt Ihr Passwort und informieren Sie Ihren Administrator.',
    tellAdministrator: 'Wenn nicht, informieren Sie sofort Ihren Administrator.',
    button: 'Konto öffnen',
    why: (appName) => `Sie erhalten diese E-Mail, weil es um Ihr Konto bei ${appName} geht.`,
  },
  failures: {
    latest: (moment, ip) => `Der letzte Versuch war am ${moment}${fromAddress(ip)}.`,
    signIn: {
      subject: (appName) => `Fehlgeschlagene Anmeldungen an Ihrem Konto bei ${appName}`,
      heading: 'Fehlgeschlagene Anmeldungen',
      what: (appName) =>
        `Mehrere Anmeldungen an Ihrem Konto bei ${appName} sind an einem falschen Passwort ` +
        'gescheitert.',
      advice:
        'Ihr Konto ist nicht gesperrt. Wenn Ihr Passwort kurz ist oder Sie es auch anderswo ' +
        'verwenden, ändern Sie es und schalten Sie die Anmeldung in zwei Schritten ein.',
    },
    code: {
      subject: (appName) => `Falsche Codes für Ihr Konto bei ${appName}`,
      heading: 'Falsche Codes für Ihr Konto',
      what: (appName) =>
        `Für Ihr Konto bei ${appName} wurden nach dem richtigen Passwort falsche Codes eingegeben.`,
      advice:
        'Wenn Sie das nicht waren, kennt jemand Ihr Passwort. Ändern Sie es jetzt und ' +
        'informieren Sie Ihren Administrator.',
    },
    link: {
      subject: (isRequest, name) => `Falsche Passwörter für ${linkOf(isRequest)}${named(name)}`,
      heading: (isRequest) => `Falsche Passwörter für ${linkOf(isRequest)}`,
      what: (isRequest, name, appName) =>
        `Für ${linkOf(isRequest)}${named(name)} bei ${appName} wurden viele falsche Passwörter ` +
        'eingegeben.',
      advice:
        'Mit dem richtigen Passwort funktioniert der Link weiter. Wenn es kurz ist, wählen Sie ' +
        'ein längeres und teilen Sie es Ihren Empfängern mit.',
      button: (isRequest) => (isRequest ? 'Dateianfragen öffnen' : 'Freigaben öffnen'),
    },
  },
  problems: {
    subject: (title, appName) => `${appName}: ${title}`,
    heading: (count) => countIn('de', count, ['{n} Problem', '{n} Probleme']),
    disks: {
      files_full: 'Die Festplatte für Dateien ist voll',
      files_low: 'Die Festplatte für Dateien ist fast voll',
      database_full: 'Die Festplatte der Datenbank ist voll',
      database_low: 'Die Festplatte der Datenbank ist fast voll',
    },
    space: (free, floor) => `${free} sind frei. Unter ${floor} enden Uploads.`,
    emails: (count) =>
      countIn('de', count, [
        '{n} E-Mail konnte nicht zugestellt werden',
        '{n} E-Mails konnten nicht zugestellt werden',
      ]),
    emailsAdvice:
      'Lesen Sie in der Übersicht die Antwort des Mailservers und versuchen Sie es dann ' +
      'noch einmal.',
    jobs: (count) =>
      countIn('de', count, [
        '{n} Aufgabe im Hintergrund scheitert immer wieder',
        '{n} Aufgaben im Hintergrund scheitern immer wieder',
      ]),
    jobsAdvice: (names) =>
      `Seit über einer Stunde scheitern: ${names}. Den Grund nennt das Protokoll des Dienstes.`,
    damageAdvice:
      'Der Befehl „transfer verify“ zeigt die beschädigten Dateien. Stellen Sie sie aus ' +
      'einer Sicherung wieder her.',
    updated: (appName, version) => `${appName} wurde auf Version ${version} aktualisiert`,
    migrated: 'Die Datenbank wurde angepasst, und der Dienst läuft.',
    button: 'Übersicht öffnen',
    why: (appName) =>
      `Sie erhalten diese E-Mail, weil Sie ${appName} verwalten. Sie lässt sich in den ` +
      'E-Mail-Einstellungen abschalten.',
  },
  test: {
    subject: (appName) => `Test-E-Mail von ${appName}`,
    heading: 'E-Mail funktioniert',
    what: (appName) =>
      `${appName} kann E-Mails senden. Ein Administrator hat diesen Test verlangt.`,
    button: (appName) => `${appName} öffnen`,
  },
}
