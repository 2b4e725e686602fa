import { countIn, numberIn } from '../../lib/language.ts'
import type { EmailTexts } from '../en/emails.ts'

const files = (count: number) => countIn('nl', count, ['{n} bestand', '{n} bestanden'])
const named = (name: string) => name && ` “${name}”`
const fromAddress = (ip: string) => ip && `, vanaf IP-adres ${ip}`
const aboutFiles = 'Als je de afzender niet kent, open de link dan niet.'
const ofLink = (isRequest: boolean) => (isRequest ? 'je bestandsverzoek' : 'je zending')

export const emails: EmailTexts = {
  files,
  more: (count) => `en nog ${numberIn('nl', count)}`,
  expires: (moment) => `verloopt op ${moment}`,
  needsPassword: 'met wachtwoord',
  peopleMax: (count) => countIn('nl', count, ['voor {n} persoon', 'voor hoogstens {n} personen']),
  upTo: (size) => `tot ${size}`,
  askForPassword: (who) => `De link heeft een wachtwoord nodig. Vraag ${who} erom.`,
  hidden: (hasMessage) =>
    hasMessage
      ? 'Het bericht en de bestanden verschijnen na het invoeren van het wachtwoord.'
      : 'De bestanden verschijnen na het invoeren van het wachtwoord.',
  orLink: 'Of open deze link:',
  guest: 'Een gast',
  footer: (appName) => `Verzonden door ${appName}.`,
  footerFor: (appName, who) => `Verzonden met ${appName} namens ${who}.`,

  share: {
    subject: (who, name, count) => `${who} stuurt je ${name ? `“${name}”` : files(count)}`,
    lead: (who) => `${who} stuurt je bestanden.`,
    button: 'Bestanden openen',
    why: (who) => `Je ontvangt deze e-mail omdat ${who} je adres heeft ingevoerd. ${aboutFiles}`,
  },
  addedFiles: {
    subject: (who, name, count) =>
      `${who} heeft ${files(count)} toegevoegd${name && ` aan “${name}”`}`,
    lead: (who, name, count) =>
      `${who} heeft ${files(count)} toegevoegd aan ${name ? `“${name}”` : 'een eerdere zending'}.`,
    button: 'Bestanden openen',
    why: (who) =>
      `Je ontvangt deze e-mail omdat ${who} je eerder bestanden heeft gestuurd. ${aboutFiles}`,
  },
  request: {
    subject: (who, name) => `${who} vraagt je om bestanden${name && `: “${name}”`}`,
    lead: (who) => `${who} vraagt je om bestanden.`,
    noAccount: 'Je hebt geen account nodig. Kies je bestanden op de pagina achter de link.',
    button: 'Bestanden verzenden',
    why: (who) => `Je ontvangt deze e-mail omdat ${who} je adres heeft ingevoerd. ${aboutFiles}`,
  },
  delivery: {
    subject: (who, name, count) =>
      name ? `${who} stuurt ${files(count)} naar “${name}”` : `${who} stuurt je ${files(count)}`,
    lead: (who, name) =>
      name ? `${who} stuurt bestanden naar “${name}”.` : `${who} stuurt je bestanden.`,
    button: 'Bestanden openen',
    why:
      'Je ontvangt deze e-mail omdat je bericht wilt als er bestanden binnenkomen voor je ' +
      'bestandsverzoek.',
  },
  deliveries: {
    subject: (name, count) =>
      countIn('nl', count, ['Nog {n} levering', 'Nog {n} leveringen']) +
      (name && ` voor “${name}”`),
    heading: (count) => countIn('nl', count, ['Nog {n} levering', 'Nog {n} leveringen']),
    lead: (name, count, size) =>
      `Gasten hebben ${files(count)} (${size})${name && ` naar “${name}”`} gestuurd:`,
  },
  damage: {
    subject: (file, others) =>
      others === 0
        ? `Een bestand is beschadigd: “${file}”`
        : `${files(others + 1)} zijn beschadigd: “${file}” en nog ${numberIn('nl', others)}`,
    heading: (count) =>
      count === 1 ? 'Een bestand is beschadigd' : `${files(count)} zijn beschadigd`,
    what: (file, others, name, isDelivery) => {
      const where = isDelivery
        ? `, ${name ? `verzonden naar “${name}”` : 'aan jou verzonden'},`
        : ` van je zending${named(name)}`
      return others === 0
        ? `Het bestand “${file}”${where} is beschadigd op de schijf van de dienst.`
        : `“${file}” en nog ${files(others)}${where} zijn beschadigd op de schijf van de dienst.`
    },
    advice: (count, isDelivery) => {
      const isOne = count === 1
      const gone = isOne ? 'Het kan niet meer worden' : 'Ze kunnen niet meer worden'
      const them = isOne ? 'het bestand' : 'de bestanden'
      return (
        `${gone} gedownload. ` +
        `${isDelivery ? `Vraag opnieuw om ${them}` : `Stuur ${them} opnieuw`} ` +
        'en laat het je beheerder weten: misschien is een schijf defect.'
      )
    },
    button: (isDelivery) => (isDelivery ? 'Bestandsverzoek bekijken' : 'Zending bekijken'),
    why: 'Je ontvangt deze e-mail omdat de bestanden van jou zijn.',
  },
  downloads: {
    subject: (name) => `Je bestanden zijn gedownload${name && `: “${name}”`}`,
    heading: 'Je bestanden zijn gedownload',
    what: (name, people) => {
      const who = countIn('nl', people, ['{n} persoon heeft', '{n} personen hebben'])
      return `${who} ${name ? `“${name}”` : 'je bestanden'} gedownload.`
    },
    latest: (moment) => `laatste download: ${moment}`,
    button: 'Zending bekijken',
    why: 'Je ontvangt deze e-mail omdat je bericht wilt over downloads van deze zending.',
  },
  invitation: {
    subject: (appName) => `Je account bij ${appName}`,
    heading: (appName) => `Welkom bij ${appName}`,
    what: (appName) => `Er is een account voor je gemaakt bij ${appName}.`,
    button: 'Je wachtwoord kiezen',
    note: (days) =>
      'De link werkt één keer en verloopt over ' + countIn('nl', days, ['{n} dag.', '{n} dagen.']),
    why: 'Als je deze uitnodiging niet verwachtte, negeer deze e-mail dan.',
  },
  linkCode: {
    subject: (code, appName) => `${code} is je code voor ${appName}`,
    heading: 'Je code',
    what: 'Voer deze code in om de bestanden te openen die je zijn toegestuurd:',
    note: (minutes) => `De code werkt één keer, binnen ${minutes} minuten. Geef hem niet door.`,
    why: 'Als je deze code niet hebt aangevraagd, negeer dan deze e-mail.',
  },
  reset: {
    subject: (appName) => `Stel een nieuw wachtwoord in voor ${appName}`,
    heading: 'Stel een nieuw wachtwoord in',
    what: (appName) => `Er is een nieuw wachtwoord aangevraagd voor je account bij ${appName}.`,
    button: 'Nieuw wachtwoord instellen',
    note: (minutes) =>
      'De link werkt één keer en verloopt over ' +
      countIn('nl', minutes, ['{n} minuut.', '{n} minuten.']),
    why:
      'Als je dit niet hebt aangevraagd, negeer deze e-mail dan. ' +
      'Je wachtwoord blijft hetzelfde.',
  },
  signUp: {
    confirm: (appName) => `Bevestig je e-mailadres voor ${appName}`,
    confirmWhat: (appName) =>
      `Met dit adres is een account bij ${appName} aangevraagd. Kies een naam en een ` +
      'wachtwoord om het te maken.',
    confirmButton: 'Account maken',
    confirmNote: (hours) => `De link werkt één keer en verloopt over ${hours} uur.`,
    known: (appName) => `Je hebt al een account bij ${appName}`,
    knownWhat:
      'Iemand wilde met dit adres een account maken. Log in of stel een nieuw wachtwoord in.',
    why: 'Was jij dit niet? Negeer dan deze e-mail.',
    approved: (appName) => `Je account bij ${appName} is goedgekeurd`,
    approvedWhat: 'Je kunt nu inloggen.',
    approvedButton: 'Inloggen',
    declined: (appName) => `Je aanvraag voor een account bij ${appName}`,
    declinedWhat: (appName) =>
      `Een beheerder van ${appName} heeft je account niet goedgekeurd. Het is verwijderd.`,
    waiting: (count, appName) =>
      `${appName}: ` +
      countIn('nl', count, [
        '{n} persoon wacht op goedkeuring',
        '{n} personen wachten op goedkeuring',
      ]),
    waitingWhat:
      'Hun e-mailadres is bevestigd. Keur de accounts goed of wijs ze af onder ‘Accounts’.',
    waitingButton: 'Accounts openen',
  },
  notice: {
    subject: (event, appName) => `${appName}: ${event}`,
    events: {
      account_deleted: 'Je account is verwijderd',
      api_token_created: 'Er is een API-token gemaakt voor je account',
      email_changed: 'Het e-mailadres van je account is gewijzigd',
      identity_linked: 'Er is een login via een provider aan je account gekoppeld',
      identity_unlinked: 'Er is een login via een provider van je account losgekoppeld',
      new_device: 'Er is vanaf een nieuw apparaat ingelogd op je account',
      passkey_added: 'Er is een passkey aan je account toegevoegd',
      passkey_refused: 'Een passkey van je account is geweigerd: mogelijk is die gekopieerd',
      passkey_removed: 'Er is een passkey uit je account verwijderd',
      password_changed: 'Je wachtwoord is gewijzigd',
      recovery_codes_renewed: 'De herstelcodes van je account zijn vervangen',
      second_factor_enabled: 'Tweestapsverificatie is aangezet voor je account',
      second_factor_disabled: 'Tweestapsverificatie is uitgezet voor je account',
      sessions_ended: 'Alle andere sessies van je account zijn beëindigd',
      sign_ins_reset:
        'Je wachtwoord is gewijzigd en alle andere manieren om in te loggen zijn verwijderd',
      second_factor_reset: 'Een beheerder heeft de tweestapsverificatie van je account gereset',
    },
    what: (moment, ip) =>
      `Dit gebeurde op ${moment}${ip === null ? ', op de server zelf' : fromAddress(ip)}.`,
    nothingToDo: 'Als jij dit was, hoef je niets te doen.',
    changePassword: 'Zo niet, wijzig dan nu je wachtwoord en laat het je beheerder weten.',
    tellAdministrator: 'Zo niet, laat het je beheerder dan meteen weten.',
    button: 'Je account openen',
    why: (appName) => `Je ontvangt deze e-mail omdat het om je account bij ${appName} gaat.`,
  },
  failures: {
    latest: (moment, ip) => `De laatste poging was op ${moment}${fromAddress(ip)}.`,
    signIn: {
      subject: (appName) => `Mislukte inlogpogingen op je account bij ${appName}`,
      heading: 'Mislukte inlogpogingen op je account',
      what: (appName) =>
        `Meerdere pogingen om in te loggen op je account bij ${appName} zijn mislukt door een ` +
        'onjuist wachtwoord.',
      advice:
        'Je account is niet geblokkeerd. Als je wachtwoord kort is of als je het ook ergens ' +
        'anders gebruikt, wijzig het dan en zet tweestapsverificatie aan.',
    },
    code: {
      subject: (appName) => `Onjuiste codes voor je account bij ${appName}`,
      heading: 'Onjuiste codes voor je account',
      what: (appName) =>
        `Er zijn onjuiste codes ingevoerd voor je account bij ${appName}, na het juiste ` +
        'wachtwoord.',
      advice:
        'Als jij dit niet was, kent iemand anders je wachtwoord. Wijzig het nu en laat het je ' +
        'beheerder weten.',
    },
    link: {
      subject: (isRequest, name) => `Onjuiste wachtwoorden voor ${ofLink(isRequest)}${named(name)}`,
      heading: (isRequest) => `Onjuiste wachtwoorden voor ${ofLink(isRequest)}`,
      what: (isRequest, name, appName) =>
        `Er zijn veel onjuiste wachtwoorden ingevoerd voor ${ofLink(isRequest)}${named(name)} ` +
        `bij ${appName}.`,
      advice:
        'De link werkt nog steeds met het juiste wachtwoord. Als dat wachtwoord kort is, kies ' +
        'dan een langer en stuur dat aan je ontvangers.',
      button: (isRequest) => (isRequest ? 'Je bestandsverzoeken openen' : 'Je zendingen openen'),
    },
  },
  problems: {
    subject: (title, appName) => `${appName}: ${title}`,
    heading: (count) => countIn('nl', count, ['{n} probleem', '{n} problemen']),
    disks: {
      files_full: 'De schijf voor bestanden is vol',
      files_low: 'De schijf voor bestanden is bijna vol',
      database_full: 'De schijf van de database is vol',
      database_low: 'De schijf van de database is bijna vol',
    },
    space: (free, floor) => `${free} is vrij. Onder ${floor} stoppen uploads.`,
    emails: (count) =>
      countIn('nl', count, [
        '{n} e-mail kon niet worden bezorgd',
        '{n} e-mails konden niet worden bezorgd',
      ]),
    emailsAdvice:
      'Lees het antwoord van de mailserver in het overzicht en probeer het dan opnieuw.',
    jobs: (count) =>
      countIn('nl', count, [
        '{n} achtergrondtaak blijft mislukken',
        '{n} achtergrondtaken blijven mislukken',
      ]),
    jobsAdvice: (names) =>
      `Mislukt al meer dan een uur: ${names}. De reden staat in het log van de dienst.`,
    damageAdvice:
      'De opdracht ‘transfer verify’ toont de beschadigde bestanden. Zet ze terug uit een back-up.',
    updated: (appName, version) => `${appName} is bijgewerkt naar versie ${version}`,
    migrated: 'De database is gemigreerd en de dienst werkt.',
    button: 'Overzicht openen',
    why: (appName) =>
      `Je ontvangt deze e-mail omdat je ${appName} beheert. Je kunt hem uitzetten in de ` +
      'e-mailinstellingen.',
  },
  test: {
    subject: (appName) => `Testmail van ${appName}`,
    heading: 'E-mail werkt',
    what: (appName) =>
      `${appName} kan e-mail verzenden. Een beheerder heeft deze test aangevraagd.`,
    button: (appName) => `${appName} openen`,
  },
}
