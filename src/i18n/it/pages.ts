import { countIn, numberIn } from '../../lib/language.ts'
import type { PageTexts } from '../en/pages.ts'

const ask = (owner: string) => `Chiedine una nuova a ${owner || 'chi ti ha inviato il link'}.`

export const pages: PageTexts = {
  share: {
    untitled: 'File per te',
    sent: (owner) => `${owner} ti ha inviato`,
    sending: (owner) => `${owner} ti sta inviando`,
    files: (count) => `${numberIn('it', count)} file`,
    from: (owner) => `da ${owner}`,
    until: 'Disponibile fino a',
    endedOn: 'Terminata il',
    left: (count) => {
      if (count === 0) return 'limite di download raggiunto per gli altri'
      return countIn('it', count, [
        'ancora {n} persona può scaricare',
        'ancora {n} persone possono scaricare',
      ])
    },
    leftHint: 'Appena apri o scarichi un file, puoi scaricare tutto per 24 ore.',
    all: (size) => `Scarica tutto · ${size}`,
    one: (size) => `Scarica · ${size}`,
    more: (count) =>
      countIn('it', count, ['e {n} altro file, nello ZIP', 'e {n} altri file, nello ZIP']),
    empty: 'Questa condivisione non contiene file.',
    damaged: 'Danneggiato',
    damagedFiles: (count) =>
      countIn('it', count, [
        '{n} file è danneggiato sul server e non si può scaricare. ' +
          'Chiedi al mittente di inviarlo di nuovo.',
        '{n} file sono danneggiati sul server e non si possono scaricare. ' +
          'Chiedi al mittente di inviarli di nuovo.',
      ]),
    locked: 'Questi file sono protetti da una password.',
    lockedBy: (owner) => `${owner} ha protetto questi file con una password.`,
    qrCode: 'Apri sul telefono',
    qrCodeImage: 'Codice QR del link a questa pagina',
    report: 'Segnala questa condivisione',
    password: 'Password',
    passwordWrong: 'Password errata. Controlla maiuscole e spazi.',
    passwordWait: 'Troppi tentativi. Riprova tra qualche minuto.',
    proofCode: (address) =>
      `Questo link è personale. Per aprirlo serve il codice che invieremo a ${address}.`,
    proofAccount: (address) =>
      `Questo link è personale. Per aprirlo, accedi con l’account di ${address}.`,
    codeSend: 'Inviami un codice',
    codeSent: (address) => `Abbiamo inviato un codice a ${address}. È valido per dieci minuti.`,
    codeField: 'Codice',
    codeOpen: 'Apri',
    codeAgain: 'Invia un altro codice',
    codeWrong: 'Il codice è sbagliato o non è più valido. Controllalo o chiedine uno nuovo.',
    codeWait: 'Sono stati chiesti troppi codici. Riprova tra qualche minuto.',
    uploading: (percent) =>
      `Caricamento in corso${percent}. I file appariranno qui quando saranno arrivati tutti.`,
    paused: (percent, ago) =>
      `Caricamento in pausa${percent === null ? '' : ` (${percent})`}, ultima attività ${ago}. ` +
      'I file appariranno qui quando saranno arrivati tutti.',
    abandoned: (owner) =>
      `${owner || 'La persona che ti ha inviato il link'} non ha completato questo caricamento e ` +
      'da un giorno non arriva nulla. Chiedi di nuovo i file.',
    openAgain: 'Senza JavaScript, apri di nuovo questo link più tardi.',
    notFound: {
      title: 'Link non trovato',
      text:
        'Il link potrebbe essere incompleto, o i suoi file sono stati eliminati. ' +
        'Chiedine uno nuovo a chi te lo ha inviato.',
    },
    expired: {
      title: 'Questa condivisione è terminata',
      text: (owner) =>
        `Chiedi a ${owner || 'chi ti ha inviato il link'} di condividere di nuovo i file.`,
    },
    usedUp: {
      title: 'Limite di download raggiunto',
      text: (owner) => `Chiedi un nuovo link a ${owner || 'chi ti ha inviato questo'}.`,
    },
  },
  request: {
    untitled: 'File',
    asks: (owner) => `${owner} ti chiede`,
    locked: 'Inserisci la password per inviare file.',
    needsScript: 'Per inviare file serve JavaScript o l’API.',
    unlockNeedsScript: 'Per sbloccare serve JavaScript o l’API.',
    notFound: {
      title: 'Link non trovato',
      text:
        'Il link potrebbe essere incompleto, o è stato eliminato. ' +
        'Chiedine uno nuovo a chi te lo ha inviato.',
    },
    isClosed: 'Questa richiesta è chiusa',
    expired: (day, owner) => `È chiusa da ${day}. ${ask(owner)}`,
    closed: (day, owner) =>
      `Era possibile una sola consegna, ed è stata fatta (${day}). ` + ask(owner),
  },
  notFound: {
    title: 'Pagina non trovata',
    text: 'L’indirizzo potrebbe essere incompleto, o ciò che era qui è stato eliminato.',
    home: 'Vai alla pagina iniziale',
  },
  notSetUp: {
    title: 'Non ancora configurato',
    how:
      'Questo servizio non ha un amministratore. Apri il link di configurazione nel log del ' +
      'server per crearne uno.',
    command: 'È nella riga che inizia con «setup:». Per trovarla:',
    afterwards: 'Poi ricarica questa pagina per accedere.',
    again: 'Ricarica',
  },
  home: { title: 'Ti diamo il benvenuto', signIn: 'Accedi' },
  app: { send: 'Invia file', requests: 'Richieste di file' },
  footer: { imprint: 'Note legali', privacy: 'Privacy' },
  unloaded: { title: 'Questa pagina non è stata caricata del tutto', action: 'Ricarica' },
}
