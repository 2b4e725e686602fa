import { countIn, numberIn } from '../../lib/language.ts'
import type { PageTexts } from '../en/pages.ts'

const sender = 'den som skickade länken till dig'
const ask = (owner: string) => `Be ${owner || sender} om en ny länk.`

export const pages: PageTexts = {
  share: {
    untitled: 'Filer till dig',
    sent: (owner) => `${owner} har skickat till dig`,
    sending: (owner) => `${owner} skickar just nu till dig`,
    files: (count) => countIn('sv', count, ['{n} fil', '{n} filer']),
    from: (owner) => `från ${owner}`,
    until: 'Tillgänglig till',
    endedOn: 'Avslutades',
    left: (count) =>
      count === 0
        ? 'nedladdningsgränsen är nådd för andra'
        : countIn('sv', count, [
            '{n} person till kan ladda ner',
            '{n} personer till kan ladda ner',
          ]),
    leftHint: 'När du har öppnat eller laddat ner en fil kan du ladda ner allt under 24 timmar.',
    all: (size) => `Ladda ner allt · ${size}`,
    one: (size) => `Ladda ner · ${size}`,
    more: (count) => `och ${countIn('sv', count, ['{n} fil till', '{n} filer till'])}, i ZIP-filen`,
    empty: 'Delningen har inga filer.',
    damaged: 'Skadad',
    damagedFiles: (count) =>
      count === 1
        ? '1 fil är skadad på servern och kan inte laddas ner. ' +
          'Be avsändaren att skicka den igen.'
        : `${numberIn('sv', count)} filer är skadade på servern och kan inte laddas ner. ` +
          'Be avsändaren att skicka dem igen.',
    locked: 'Filerna är skyddade med ett lösenord.',
    lockedBy: (owner) => `${owner} har skyddat filerna med ett lösenord.`,
    qrCode: 'Öppna på telefonen',
    qrCodeImage: 'QR-kod för länken till den här sidan',
    report: 'Anmäl den här delningen',
    password: 'Lösenord',
    passwordWrong: 'Fel lösenord. Kontrollera stora bokstäver och blanksteg.',
    passwordWait: 'För många försök. Försök igen om några minuter.',
    proofCode: (address) =>
      `Länken är personlig. För att öppna den anger du koden som vi skickar till ${address}.`,
    proofAccount: (address) =>
      `Länken är personlig. Logga in med kontot för ${address} för att öppna den.`,
    codeSend: 'Mejla mig en kod',
    codeSent: (address) => `Vi har skickat en kod till ${address}. Den gäller i tio minuter.`,
    codeField: 'Kod',
    codeOpen: 'Öppna',
    codeAgain: 'Skicka en ny kod',
    codeWrong: 'Koden är fel eller gäller inte längre. Kontrollera den eller begär en ny.',
    codeWait: 'För många koder har begärts. Försök igen om några minuter.',
    uploading: (percent) =>
      `Laddas fortfarande upp${percent}. Filerna visas här när alla har laddats upp.`,
    paused: (percent, ago) =>
      `Uppladdningen är pausad${percent === null ? '' : ` vid ${percent}`}, senast aktiv ${ago}. ` +
      'Filerna visas här när alla har laddats upp.',
    abandoned: (owner) =>
      `${owner || 'Avsändaren'} har inte slutfört uppladdningen, och inget har kommit fram på ` +
      'ett dygn. Be om filerna igen.',
    openAgain: 'Öppna länken igen senare om du inte använder JavaScript.',
    notFound: {
      title: 'Länken hittades inte',
      text:
        'Länken kan vara ofullständig, eller så har filerna raderats. ' +
        'Be den som skickade länken till dig om en ny.',
    },
    expired: {
      title: 'Delningen har avslutats',
      text: (owner) => `Be ${owner || sender} att dela filerna igen.`,
    },
    usedUp: {
      title: 'Nedladdningsgränsen är nådd',
      text: ask,
    },
  },
  request: {
    untitled: 'Filer',
    asks: (owner) => `${owner} ber dig om`,
    locked: 'Ange lösenordet för att skicka filer.',
    needsScript: 'För att skicka behövs JavaScript eller API:et.',
    unlockNeedsScript: 'För att låsa upp behövs JavaScript eller API:et.',
    notFound: {
      title: 'Länken hittades inte',
      text:
        'Länken kan vara ofullständig, eller så har den raderats. ' +
        'Be den som skickade länken till dig om en ny.',
    },
    isClosed: 'Förfrågan är stängd',
    expired: (day, owner) => `Den är stängd sedan ${day}. ${ask(owner)}`,
    closed: (day, owner) => `Bara en leverans var möjlig, och den gjordes ${day}. ${ask(owner)}`,
  },
  notFound: {
    title: 'Sidan hittades inte',
    text: 'Adressen kan vara ofullständig, eller så har det som fanns här raderats.',
    home: 'Till startsidan',
  },
  notSetUp: {
    title: 'Inte konfigurerad än',
    how:
      'Tjänsten har ingen administratör. Öppna konfigurationslänken i serverns logg för att ' +
      'skapa en.',
    command: 'Den står på raden som börjar med ”setup:”. Så hittar du den:',
    afterwards: 'Ladda sedan om den här sidan för att logga in.',
    again: 'Ladda om',
  },
  home: { title: 'Välkommen', signIn: 'Logga in' },
  app: { send: 'Skicka filer', requests: 'Filförfrågningar' },
  footer: { imprint: 'Juridisk information', privacy: 'Integritet' },
  unloaded: {
    title: 'Sidan lästes inte in helt',
    action: 'Läs in igen',
  },
}
