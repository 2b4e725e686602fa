import { countIn, numberIn } from '../../lib/language.ts'
import type { EmailTexts } from '../en/emails.ts'

const files = (count: number) => `${numberIn('it', count)} file`
const quoted = (name: string) => `“${name}”`
const named = (name: string) => name && ` ${quoted(name)}`
const fromAddress = (ip: string) => ip && `, dall’indirizzo IP ${ip}`
const aboutFiles = 'Se non conosci il mittente, non aprire il link.'
const linkOf = (isRequest: boolean) =>
  isRequest ? 'la tua richiesta di file' : 'la tua condivisione'
const moreDeliveries = (count: number) =>
  countIn('it', count, ['{n} altra consegna', '{n} altre consegne'])
const more = (count: number) => countIn('it', count, ['{n} altro', '{n} altri'])

export const emails: EmailTexts = {
  files,
  more: (count) => `+${more(count)}`,
  expires: (moment) => `scade ${moment}`,
  needsPassword: 'con password',
  peopleMax: (count) => countIn('it', count, ['per {n} persona', 'per un massimo di {n} persone']),
  upTo: (size) => `fino a ${size}`,
  askForPassword: (who) => `Il link richiede una password. Chiedila a ${who}.`,
  hidden: (hasMessage) =>
    hasMessage
      ? 'Il messaggio e i file vengono mostrati dopo aver inserito la password.'
      : 'I file vengono mostrati dopo aver inserito la password.',
  orLink: 'Oppure apri questo link:',
  guest: 'Un ospite',
  footer: (appName) => `Inviato da ${appName}.`,
  footerFor: (appName, who) => `Inviato con ${appName} per conto di ${who}.`,

  share: {
    subject: (who, name, count) => `${who} ti ha inviato ${name ? quoted(name) : files(count)}`,
    lead: (who) => `${who} ti ha inviato dei file.`,
    button: 'Apri i file',
    why: (who) =>
      `Hai ricevuto questa email perché ${who} ha inserito il tuo indirizzo. ${aboutFiles}`,
  },
  addedFiles: {
    subject: (who, name, count) =>
      `${who} ha aggiunto ${files(count)}${name && ` a ${quoted(name)}`}`,
    lead: (who, name, count) => {
      const to = name ? quoted(name) : 'una condivisione precedente'
      return `${who} ha aggiunto ${files(count)} a ${to}.`
    },
    button: 'Apri i file',
    why: (who) =>
      `Hai ricevuto questa email perché ${who} ha già condiviso dei file con te. ${aboutFiles}`,
  },
  request: {
    subject: (who, name) => `${who} ti chiede dei file${name && `: ${quoted(name)}`}`,
    lead: (who) => `${who} ti chiede di inviare dei file.`,
    noAccount: 'Non serve un account. Scegli i tuoi file nella pagina del link.',
    button: 'Invia file',
    why: (who) =>
      `Hai ricevuto questa email perché ${who} ha inserito il tuo indirizzo. ${aboutFiles}`,
  },
  delivery: {
    subject: (who, name, count) =>
      name
        ? `${who} ha inviato ${files(count)} per ${quoted(name)}`
        : `${who} ti ha inviato ${files(count)}`,
    lead: (who, name) =>
      name ? `${who} ha inviato dei file per ${quoted(name)}.` : `${who} ti ha inviato dei file.`,
    button: 'Apri i file',
    why: 'Hai ricevuto questa email perché la tua richiesta di file ti avvisa quando arrivano.',
  },
  deliveries: {
    subject: (name, count) => `${moreDeliveries(count)}${name && ` per ${quoted(name)}`}`,
    heading: moreDeliveries,
    lead: (name, count, size) =>
      `Alcuni ospiti hanno inviato ${files(count)} (${size})${name && ` per ${quoted(name)}`}:`,
  },
  damage: {
    subject: (file, others) =>
      others === 0
        ? `Un file è danneggiato: ${quoted(file)}`
        : `${files(others + 1)} sono danneggiati: ${quoted(file)} e ${more(others)}`,
    heading: (count) =>
      count === 1 ? 'Un file è danneggiato' : `${files(count)} sono danneggiati`,
    what: (file, others, name, isDelivery) => {
      const received = name ? `, ricevuto per ${quoted(name)},` : ', che hai ricevuto,'
      const where = isDelivery ? received : ` della tua condivisione${named(name)}`
      if (others === 0) {
        return `Il file ${quoted(file)}${where} è danneggiato sul disco del servizio.`
      }
      const allReceived = name ? `, ricevuti per ${quoted(name)},` : ', che hai ricevuto,'
      const all = isDelivery ? allReceived : ` della tua condivisione${named(name)}`
      return `${quoted(file)} e ${more(others)} file${all} sono danneggiati sul disco del servizio.`
    },
    advice: (count, isDelivery) => {
      const [they, them] = count === 1 ? ['Non si può', 'lo'] : ['Non si possono', 'li']
      return (
        `${they} più scaricare. ${isDelivery ? 'Richiedi' : 'Invia'}${them} di nuovo e avvisa il ` +
        'tuo amministratore, perché un disco potrebbe essere difettoso.'
      )
    },
    button: (isDelivery) => (isDelivery ? 'Vedi la richiesta di file' : 'Vedi la condivisione'),
    why: 'Hai ricevuto questa email perché i file sono tuoi.',
  },
  downloads: {
    subject: (name) => `I tuoi file sono stati scaricati${name && `: ${quoted(name)}`}`,
    heading: 'I tuoi file sono stati scaricati',
    what: (name, people) => {
      const who = countIn('it', people, ['{n} persona ha', '{n} persone hanno'])
      return `${who} scaricato ${name ? quoted(name) : 'i tuoi file'}.`
    },
    latest: (moment) => `ultimo download: ${moment}`,
    button: 'Vedi la condivisione',
    why:
      'Hai ricevuto questa email perché hai chiesto gli avvisi sui download di questa ' +
      'condivisione.',
  },
  invitation: {
    subject: (appName) => `Il tuo account su ${appName}`,
    heading: (appName) => `Ti diamo il benvenuto su ${appName}`,
    what: (appName) => `È stato creato un account per te su ${appName}.`,
    button: 'Scegli la password',
    note: (days) => {
      const time = countIn('it', days, ['{n} giorno', '{n} giorni'])
      return `Il link funziona una volta e scade tra ${time}.`
    },
    why: 'Se non aspettavi questo invito, ignora questa email.',
  },
  linkCode: {
    subject: (code, appName) => `${code} è il tuo codice per ${appName}`,
    heading: 'Il tuo codice',
    what: 'Inserisci questo codice per aprire i file che ti sono stati inviati:',
    note: (minutes) => `Funziona una volta, per ${minutes} minuti. Non darlo a nessuno.`,
    why: 'Se non hai chiesto questo codice, ignora questa email.',
  },
  reset: {
    subject: (appName) => `Imposta una nuova password per ${appName}`,
    heading: 'Imposta una nuova password',
    what: (appName) => `È stata chiesta una nuova password per il tuo account su ${appName}.`,
    button: 'Imposta una nuova password',
    note: (minutes) => {
      const time = countIn('it', minutes, ['{n} minuto', '{n} minuti'])
      return `Il link funziona una volta e scade tra ${time}.`
    },
    why: 'Se non l’hai chiesto tu, ignora questa email: la tua password resta la stessa.',
  },
  signUp: {
    confirm: (appName) => `Conferma il tuo indirizzo email per ${appName}`,
    confirmWhat: (appName) =>
      `È stato richiesto un account su ${appName} con questo indirizzo. Scegli un nome e una ` +
      'password per crearlo.',
    confirmButton: 'Crea account',
    confirmNote: (hours) => `Il link funziona una volta e scade tra ${hours} ore.`,
    known: (appName) => `Hai già un account su ${appName}`,
    knownWhat:
      'È stata richiesta la creazione di un account con questo indirizzo. Accedi o imposta ' +
      'una nuova password.',
    why: 'Se non sei stato tu a chiederlo, ignora questa email.',
    approved: (appName) => `Il tuo account su ${appName} è approvato`,
    approvedWhat: 'Ora puoi accedere.',
    approvedButton: 'Accedi',
    declined: (appName) => `La tua richiesta di un account su ${appName}`,
    declinedWhat: (appName) =>
      `Un amministratore di ${appName} non ha approvato il tuo account. È stato eliminato.`,
    waiting: (count, appName) =>
      `${appName}: ` +
      countIn('it', count, [
        '{n} persona attende l’approvazione',
        '{n} persone attendono l’approvazione',
      ]),
    waitingWhat:
      'Il loro indirizzo email è confermato. Approva o rifiuta gli account in «Account».',
    waitingButton: 'Apri gli account',
  },
  notice: {
    subject: (event, appName) => `${appName}: ${event}`,
    events: {
      account_deleted: 'Il tuo account è stato eliminato',
      api_token_created: 'È stato creato un token API per il tuo account',
      email_changed: 'L’indirizzo email del tuo account è stato modificato',
      identity_linked: 'Un accesso tramite provider è stato collegato al tuo account',
      identity_unlinked: 'Un accesso tramite provider è stato scollegato dal tuo account',
      new_device: 'È stato effettuato l’accesso al tuo account da un nuovo dispositivo',
      passkey_added: 'È stata aggiunta una passkey al tuo account',
      passkey_refused:
        'Una passkey del tuo account è stata rifiutata: potrebbe essere stata copiata',
      passkey_removed: 'È stata rimossa una passkey dal tuo account',
      password_changed: 'La tua password è stata cambiata',
      recovery_codes_renewed: 'I codici di recupero del tuo account sono stati sostituiti',
      second_factor_enabled: 'La verifica in due passaggi del tuo account è stata attivata',
      second_factor_disabled: 'La verifica in due passaggi del tuo account è stata disattivata',
      sessions_ended: 'Tutte le altre sessioni del tuo account sono state chiuse',
      sign_ins_reset:
        'La tua password è stata cambiata e tutti gli altri metodi di accesso sono stati rimossi',
      second_factor_reset:
        'Un amministratore ha reimpostato la verifica in due passaggi del tuo account',
    },
    what: (moment, ip) =>
      `Data e ora: ${moment}${ip === null ? ', sul server stesso' : fromAddress(ip)}.`,
    nothingToDo: 'Se l’hai fatto tu, non devi fare nulla.',
    changePassword: 'Altrimenti cambia subito la tua password e avvisa il tuo amministratore.',
    tellAdministrator: 'Altrimenti avvisa immediatamente il tuo amministratore.',
    button: 'Apri il tuo account',
    why: (appName) => `Hai ricevuto questa email perché riguarda il tuo account su ${appName}.`,
  },
  failures: {
    latest: (moment, ip) => `Ultimo tentativo: ${moment}${fromAddress(ip)}.`,
    signIn: {
      subject: (appName) => `Accessi non riusciti al tuo account su ${appName}`,
      heading: 'Accessi non riusciti al tuo account',
      what: (appName) =>
        `Diversi accessi al tuo account su ${appName} non sono riusciti per una password errata.`,
      advice:
        'Il tuo account non è bloccato. Se la tua password è breve o la usi anche altrove, ' +
        'cambiala e attiva la verifica in due passaggi.',
    },
    code: {
      subject: (appName) => `Codici errati per il tuo account su ${appName}`,
      heading: 'Codici errati per il tuo account',
      what: (appName) =>
        `Sono stati inseriti codici errati per il tuo account su ${appName} dopo la password ` +
        'corretta.',
      advice:
        'Se non l’hai fatto tu, un’altra persona conosce la tua password. Cambiala subito e ' +
        'avvisa il tuo amministratore.',
    },
    link: {
      subject: (isRequest, name) => `Password errate per ${linkOf(isRequest)}${named(name)}`,
      heading: (isRequest) => `Password errate per ${linkOf(isRequest)}`,
      what: (isRequest, name, appName) =>
        `Sono state inserite molte password errate per ${linkOf(isRequest)}${named(name)} su ` +
        `${appName}.`,
      advice:
        'Il link funziona ancora con la password corretta. Se è breve, scegline una più lunga ' +
        'e inviala ai tuoi destinatari.',
      button: (isRequest) =>
        isRequest ? 'Apri le tue richieste di file' : 'Apri le tue condivisioni',
    },
  },
  problems: {
    subject: (title, appName) => `${appName}: ${title}`,
    heading: (count) => countIn('it', count, ['{n} problema', '{n} problemi']),
    disks: {
      files_full: 'Il disco di archiviazione è pieno',
      files_low: 'Il disco di archiviazione è quasi pieno',
      database_full: 'Il disco del database è pieno',
      database_low: 'Il disco del database è quasi pieno',
    },
    space: (free, floor) => `Spazio libero: ${free}. I caricamenti si fermano sotto ${floor}.`,
    emails: (count) =>
      countIn('it', count, ['{n} email non consegnata', '{n} email non consegnate']),
    emailsAdvice: 'Leggi la risposta del server di posta nella panoramica, poi riprova.',
    jobs: (count) =>
      countIn('it', count, [
        '{n} attività in background continua a fallire',
        '{n} attività in background continuano a fallire',
      ]),
    jobsAdvice: (names) =>
      `Falliscono da più di un’ora: ${names}. Il log del servizio ne indica il motivo.`,
    damageAdvice:
      'Esegui «transfer verify» per elencare i file danneggiati e ripristinali da un backup.',
    updated: (appName, version) => `${appName} è stato aggiornato alla versione ${version}`,
    migrated: 'Il database è stato migrato e il servizio è in funzione.',
    button: 'Apri la panoramica',
    why: (appName) =>
      `Hai ricevuto questa email perché amministri ${appName}. Puoi disattivarla nelle ` +
      'impostazioni email.',
  },
  test: {
    subject: (appName) => `Email di prova da ${appName}`,
    heading: 'L’invio di email funziona',
    what: (appName) => `${appName} può inviare email. Un amministratore ha chiesto questa prova.`,
    button: (appName) => `Apri ${appName}`,
  },
}
