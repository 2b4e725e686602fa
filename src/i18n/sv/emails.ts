import { countIn, numberIn } from '../../lib/language.ts'
import type { EmailTexts } from '../en/emails.ts'

const files = (count: number) => countIn('sv', count, ['{n} fil', '{n} filer'])
const named = (name: string) => name && ` ”${name}”`
const fromAddress = (ip: string) => ip && `, från IP-adressen ${ip}`
const aboutFiles = 'Öppna inte länken om du inte känner avsändaren.'
const ofLink = (isRequest: boolean) => (isRequest ? 'din filförfrågan' : 'din delning')
const moreDeliveries = (count: number) =>
  `Ytterligare ${countIn('sv', count, ['{n} leverans', '{n} leveranser'])}`

export const emails: EmailTexts = {
  files,
  more: (count) => `och ${numberIn('sv', count)} till`,
  expires: (moment) => `går ut ${moment}`,
  needsPassword: 'med lösenord',
  peopleMax: (count) => countIn('sv', count, ['för {n} person', 'för högst {n} personer']),
  upTo: (size) => `upp till ${size}`,
  askForPassword: (who) => `Länken kräver ett lösenord. Be ${who} om det.`,
  hidden: (hasMessage) =>
    hasMessage
      ? 'Meddelandet och filerna visas när lösenordet har angetts.'
      : 'Filerna visas när lösenordet har angetts.',
  orLink: 'Eller öppna den här länken:',
  guest: 'En gäst',
  footer: (appName) => `Skickat av ${appName}.`,
  footerFor: (appName, who) => `Skickat med ${appName} på uppdrag av ${who}.`,

  share: {
    subject: (who, name, count) =>
      `${who} har skickat ${name ? `”${name}”` : files(count)} till dig`,
    lead: (who) => `${who} har skickat filer till dig.`,
    button: 'Öppna filerna',
    why: (who) => `Du får det här mejlet eftersom ${who} har angett din adress. ${aboutFiles}`,
  },
  addedFiles: {
    subject: (who, name, count) => `${who} har lagt till ${files(count)}${name && ` i ”${name}”`}`,
    lead: (who, name, count) =>
      `${who} har lagt till ${files(count)} i ${name ? `”${name}”` : 'en tidigare delning'}.`,
    button: 'Öppna filerna',
    why: (who) =>
      `Du får det här mejlet eftersom ${who} har delat filer med dig tidigare. ${aboutFiles}`,
  },
  request: {
    subject: (who, name) => `${who} ber dig om filer${name && `: ”${name}”`}`,
    lead: (who) => `${who} ber dig att skicka filer.`,
    noAccount: 'Du behöver inget konto. Välj dina filer på sidan bakom länken.',
    button: 'Skicka filer',
    why: (who) => `Du får det här mejlet eftersom ${who} har angett din adress. ${aboutFiles}`,
  },
  delivery: {
    subject: (who, name, count) =>
      `${who} har skickat ${files(count)} till ${name ? `”${name}”` : 'dig'}`,
    lead: (who, name) => `${who} har skickat filer till ${name ? `”${name}”` : 'dig'}.`,
    button: 'Öppna filerna',
    why: 'Du får det här mejlet eftersom du vill veta när filer kommer in till din filförfrågan.',
  },
  deliveries: {
    subject: (name, count) => moreDeliveries(count) + (name && ` till ”${name}”`),
    heading: (count) => moreDeliveries(count),
    lead: (name, count, size) =>
      `Gäster har skickat ${files(count)} (${size})${name && ` till ”${name}”`}:`,
  },
  damage: {
    subject: (file, others) =>
      others === 0
        ? `En fil är skadad: ”${file}”`
        : `${files(others + 1)} är skadade: ”${file}” och ${numberIn('sv', others)} till`,
    heading: (count) => (count === 1 ? 'En fil är skadad' : `${files(count)} är skadade`),
    what: (file, others, name, isDelivery) => {
      const where = isDelivery
        ? `, ${others === 0 ? 'skickad' : 'skickade'} till ${name ? `”${name}”` : 'dig'},`
        : ` i din delning${named(name)}`
      return others === 0
        ? `Filen ”${file}”${where} är skadad på tjänstens disk.`
        : `”${file}” och ${files(others)} till${where} är skadade på tjänstens disk.`
    },
    advice: (count, isDelivery) => {
      const [it, them] = count === 1 ? ['Den', 'filen'] : ['De', 'filerna']
      return (
        `${it} kan inte längre laddas ner. ${isDelivery ? 'Be om' : 'Skicka'} ${them} igen och ` +
        'meddela din administratör: en disk kan vara på väg att gå sönder.'
      )
    },
    button: (isDelivery) => (isDelivery ? 'Visa filförfrågan' : 'Visa delning'),
    why: 'Du får det här mejlet eftersom filerna är dina.',
  },
  downloads: {
    subject: (name) => `Dina filer har laddats ner${name && `: ”${name}”`}`,
    heading: 'Dina filer har laddats ner',
    what: (name, people) =>
      countIn('sv', people, ['{n} person', '{n} personer']) +
      ` har laddat ner ${name ? `”${name}”` : 'dina filer'}.`,
    latest: (moment) => `senaste nedladdning: ${moment}`,
    button: 'Visa delning',
    why: 'Du får det här mejlet eftersom du vill veta när delningens filer laddas ner.',
  },
  invitation: {
    subject: (appName) => `Ditt konto på ${appName}`,
    heading: (appName) => `Välkommen till ${appName}`,
    what: (appName) => `Ett konto har skapats åt dig på ${appName}.`,
    button: 'Välj ditt lösenord',
    note: (days) =>
      'Länken fungerar en gång och går ut om ' + countIn('sv', days, ['{n} dag.', '{n} dagar.']),
    why: 'Om du inte väntade dig den här inbjudan kan du bortse från mejlet.',
  },
  linkCode: {
    subject: (code, appName) => `${code} är din kod för ${appName}`,
    heading: 'Din kod',
    what: 'Ange koden för att öppna filerna som har skickats till dig:',
    note: (minutes) => `Den fungerar en gång, inom ${minutes} minuter. Ge den inte vidare.`,
    why: 'Om du inte har begärt koden kan du bortse från det här mejlet.',
  },
  reset: {
    subject: (appName) => `Ange ett nytt lösenord för ${appName}`,
    heading: 'Ange ett nytt lösenord',
    what: (appName) => `Ett nytt lösenord har begärts för ditt konto på ${appName}.`,
    button: 'Ange nytt lösenord',
    note: (minutes) =>
      'Länken fungerar en gång och går ut om ' +
      countIn('sv', minutes, ['{n} minut.', '{n} minuter.']),
    why: 'Om du inte begärde det kan du bortse från mejlet: ditt lösenord förblir detsamma.',
  },
  signUp: {
    confirm: (appName) => `Bekräfta din e-postadress för ${appName}`,
    confirmWhat: (appName) =>
      `Någon har begärt ett konto hos ${appName} med den här adressen. Välj ett namn och ett ` +
      'lösenord för att skapa det.',
    confirmButton: 'Skapa konto',
    confirmNote: (hours) => `Länken fungerar en gång och går ut om ${hours} timmar.`,
    known: (appName) => `Du har redan ett konto hos ${appName}`,
    knownWhat:
      'Någon försökte skapa ett konto med den här adressen. Logga in eller ange ett nytt lösenord.',
    why: 'Om det inte var du kan du bortse från mejlet.',
    approved: (appName) => `Ditt konto hos ${appName} är godkänt`,
    approvedWhat: 'Nu kan du logga in.',
    approvedButton: 'Logga in',
    declined: (appName) => `Din begäran om ett konto hos ${appName}`,
    declinedWhat: (appName) =>
      `En administratör för ${appName} godkände inte ditt konto. Det har raderats.`,
    waiting: (count, appName) =>
      `${appName}: ` +
      countIn('sv', count, [
        '{n} person väntar på godkännande',
        '{n} personer väntar på godkännande',
      ]),
    waitingWhat: 'Deras e-postadresser är bekräftade. Godkänn eller avslå kontona under ”Konton”.',
    waitingButton: 'Öppna konton',
  },
  notice: {
    subject: (event, appName) => `${appName}: ${event}`,
    events: {
      account_deleted: 'Ditt konto har raderats',
      api_token_created: 'En API-token har skapats för ditt konto',
      email_changed: 'E-postadressen för ditt konto har ändrats',
      identity_linked: 'En inloggning via en leverantör har länkats till ditt konto',
      identity_unlinked: 'En inloggning via en leverantör har avlänkats från ditt konto',
      new_device: 'En ny enhet har loggat in på ditt konto',
      passkey_added: 'En passkey har lagts till i ditt konto',
      passkey_refused: 'En passkey i ditt konto nekades: den kan ha kopierats',
      passkey_removed: 'En passkey har tagits bort från ditt konto',
      password_changed: 'Ditt lösenord har bytts',
      recovery_codes_renewed: 'Återställningskoderna för ditt konto har bytts',
      second_factor_enabled: 'Tvåstegsverifiering har slagits på för ditt konto',
      second_factor_disabled: 'Tvåstegsverifiering har stängts av för ditt konto',
      sessions_ended: 'Alla andra sessioner för ditt konto har avslutats',
      sign_ins_reset: 'Ditt lösenord har ändrats och alla andra sätt att logga in har tagits bort',
      second_factor_reset: 'En administratör har återställt tvåstegsverifieringen för ditt konto',
    },
    what: (moment, ip) =>
      `Det hände ${moment}${ip === null ? ', på själva servern' : fromAddress(ip)}.`,
    nothingToDo: 'Om det var du behöver du inte göra något.',
    changePassword: 'Om inte, byt lösenord nu och meddela din administratör.',
    tellAdministrator: 'Om inte, meddela genast din administratör.',
    button: 'Öppna ditt konto',
    why: (appName) => `Du får det här mejlet eftersom det gäller ditt konto på ${appName}.`,
  },
  failures: {
    latest: (moment, ip) => `Det senaste försöket var ${moment}${fromAddress(ip)}.`,
    signIn: {
      subject: (appName) => `Misslyckade inloggningar på ditt konto på ${appName}`,
      heading: 'Misslyckade inloggningar på ditt konto',
      what: (appName) =>
        `Flera inloggningar på ditt konto på ${appName} misslyckades på grund av fel lösenord.`,
      advice:
        'Ditt konto är inte låst. Om ditt lösenord är kort eller används på andra ställen, byt ' +
        'det och slå på tvåstegsverifiering.',
    },
    code: {
      subject: (appName) => `Fel koder för ditt konto på ${appName}`,
      heading: 'Fel koder för ditt konto',
      what: (appName) => `Fel koder har angetts för ditt konto på ${appName}, efter rätt lösenord.`,
      advice:
        'Om det inte var du känner någon annan till ditt lösenord. Byt det nu och meddela din ' +
        'administratör.',
    },
    link: {
      subject: (isRequest, name) => `Fel lösenord för ${ofLink(isRequest)}${named(name)}`,
      heading: (isRequest) => `Fel lösenord för ${ofLink(isRequest)}`,
      what: (isRequest, name, appName) =>
        `Många felaktiga lösenord har angetts för ${ofLink(isRequest)}${named(name)} på ` +
        `${appName}.`,
      advice:
        'Länken fungerar fortfarande med rätt lösenord. Om det är kort, välj ett längre och ' +
        'skicka det till dina mottagare.',
      button: (isRequest) => (isRequest ? 'Öppna dina filförfrågningar' : 'Öppna dina delningar'),
    },
  },
  problems: {
    subject: (title, appName) => `${appName}: ${title}`,
    heading: (count) => countIn('sv', count, ['{n} problem', '{n} problem']),
    disks: {
      files_full: 'Lagringsdisken är full',
      files_low: 'Lagringsdisken är nästan full',
      database_full: 'Databasens disk är full',
      database_low: 'Databasens disk är nästan full',
    },
    space: (free, floor) => `${free} är ledigt. Uppladdningar stoppas under ${floor}.`,
    emails: (count) =>
      countIn('sv', count, ['{n} mejl kunde inte levereras', '{n} mejl kunde inte levereras']),
    emailsAdvice: 'Läs e-postserverns svar i översikten och försök sedan igen.',
    jobs: (count) =>
      countIn('sv', count, [
        '{n} bakgrundsjobb fortsätter att misslyckas',
        '{n} bakgrundsjobb fortsätter att misslyckas',
      ]),
    jobsAdvice: (names) =>
      `Har misslyckats i över en timme: ${names}. Orsaken står i tjänstens logg.`,
    damageAdvice:
      'Kör ”transfer verify” för att lista de skadade filerna och återställ dem från en ' +
      'säkerhetskopia.',
    updated: (appName, version) => `${appName} har uppdaterats till version ${version}`,
    migrated: 'Databasen har migrerats och tjänsten är igång.',
    button: 'Öppna översikten',
    why: (appName) =>
      `Du får det här mejlet eftersom du administrerar ${appName}. Du kan stänga av det i ` +
      'e-postinställningarna.',
  },
  test: {
    subject: (appName) => `Testmejl från ${appName}`,
    heading: 'E-post fungerar',
    what: (appName) => `${appName} kan skicka mejl. En administratör har begärt det här testet.`,
    button: (appName) => `Öppna ${appName}`,
  },
}
