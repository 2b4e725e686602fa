import { countIn } from '../../lib/language.ts'
import type { PageTexts } from '../en/pages.ts'

const sender = (owner: string) => `odesílatele${owner && ` (${owner})`}`
const askForNew = (owner: string) =>
  `O novou požádejte odesílatele odkazu${owner && ` (${owner})`}.`

export const pages: PageTexts = {
  share: {
    untitled: 'Soubory pro vás',
    sent: (owner) => `${owner} vám posílá`,
    sending: (owner) => `${owner} vám právě posílá`,
    files: (count) => countIn('cs', count, ['{n} soubor', '{n} soubory', '{n} souborů']),
    from: (owner) => `od: ${owner}`,
    until: 'K dispozici do',
    endedOn: 'Skončilo',
    left: (count) => {
      if (count === 0) return 'pro ostatní je limit stažení vyčerpaný'
      return countIn('cs', count, [
        'stahovat může ještě {n} osoba',
        'stahovat mohou ještě {n} osoby',
        'stahovat může ještě {n} osob',
      ])
    },
    leftHint: 'Od otevření nebo stažení prvního souboru máte 24 hodin na stažení všeho.',
    all: (size) => `Stáhnout vše · ${size}`,
    one: (size) => `Stáhnout · ${size}`,
    more: (count) =>
      countIn('cs', count, [
        'a ještě {n} soubor, v archivu ZIP',
        'a ještě {n} soubory, v archivu ZIP',
        'a ještě {n} souborů, v archivu ZIP',
      ]),
    empty: 'Toto sdílení nemá žádné soubory.',
    damaged: 'Poškozeno',
    damagedFiles: (count) =>
      countIn('cs', count, [
        '{n} soubor je na serveru poškozený a nelze ho stáhnout. ' +
          'Požádejte odesílatele, ať ho pošle znovu.',
        '{n} soubory jsou na serveru poškozené a nelze je stáhnout. ' +
          'Požádejte odesílatele, ať je pošle znovu.',
        '{n} souborů je na serveru poškozených a nelze je stáhnout. ' +
          'Požádejte odesílatele, ať je pošle znovu.',
      ]),
    locked: 'Tyto soubory jsou chráněné heslem.',
    lockedBy: (owner) => `${owner} chrání tyto soubory heslem.`,
    qrCode: 'Otevřít v telefonu',
    qrCodeImage: 'QR kód s odkazem na tuto stránku',
    report: 'Nahlásit toto sdílení',
    password: 'Heslo',
    passwordWrong: 'Nesprávné heslo. Zkontrolujte velká písmena a mezery.',
    passwordWait: 'Příliš mnoho pokusů. Zkuste to znovu za několik minut.',
    proofCode: (address) =>
      `Tento odkaz je osobní. K otevření je potřeba kód, který pošleme na ${address}.`,
    proofAccount: (address) => `Tento odkaz je osobní. K otevření se přihlaste k účtu ${address}.`,
    codeSend: 'Poslat kód e-mailem',
    codeSent: (address) => `Kód jsme poslali na ${address}. Platí deset minut.`,
    codeField: 'Kód',
    codeOpen: 'Otevřít',
    codeAgain: 'Poslat nový kód',
    codeWrong: 'Kód je nesprávný nebo už neplatí. Zkontrolujte ho nebo si vyžádejte nový.',
    codeWait: 'Příliš mnoho žádostí o kód. Zkuste to znovu za několik minut.',
    uploading: (percent) =>
      `Nahrávání ještě probíhá${percent}. Soubory se tu zobrazí, až budou všechny nahrané.`,
    paused: (percent, ago) =>
      `Nahrávání je pozastavené${percent === null ? '' : ` na ${percent}`}, poslední aktivita ` +
      `${ago}. Soubory se tu zobrazí, až budou všechny nahrané.`,
    abandoned: (owner) =>
      'Toto nahrávání nebylo dokončeno a už den nic nedorazilo. ' +
      `Požádejte ${sender(owner)} o soubory znovu.`,
    openAgain: 'Pokud nemáte zapnutý JavaScript, otevřete tento odkaz znovu později.',
    notFound: {
      title: 'Odkaz nebyl nalezen',
      text:
        'Odkaz možná není úplný nebo byly jeho soubory smazány. ' +
        'Požádejte odesílatele odkazu o nový.',
    },
    expired: {
      title: 'Toto sdílení skončilo',
      text: (owner) => `Požádejte ${sender(owner)} o nové sdílení souborů.`,
    },
    usedUp: {
      title: 'Limit stažení je vyčerpaný',
      text: (owner) => `Požádejte ${sender(owner)} o nový odkaz.`,
    },
  },
  request: {
    untitled: 'Soubory',
    asks: (owner) => `${owner} vás žádá o`,
    locked: 'Pro odeslání souborů zadejte heslo.',
    needsScript: 'K odeslání je potřeba JavaScript nebo API.',
    unlockNeedsScript: 'K odemknutí je potřeba JavaScript nebo API.',
    notFound: {
      title: 'Odkaz nebyl nalezen',
      text: 'Odkaz možná není úplný nebo byl smazán. ' + 'Požádejte odesílatele odkazu o nový.',
    },
    isClosed: 'Tato žádost je uzavřená',
    expired: (day, owner) => `Je uzavřená od ${day}. ${askForNew(owner)}`,
    closed: (day, owner) =>
      `Bylo možné odeslat jen jednu zásilku a ta už dorazila (${day}). ${askForNew(owner)}`,
  },
  notFound: {
    title: 'Stránka nenalezena',
    text: 'Adresa možná není úplná nebo bylo to, co tu bylo, smazáno.',
    home: 'Přejít na úvodní stránku',
  },
  notSetUp: {
    title: 'Zatím nenastaveno',
    how: 'Tato služba nemá správce. Vytvoříte ho pomocí odkazu pro nastavení z logu serveru.',
    command: 'Je na řádku, který začíná „setup:“. Najdete ho takto:',
    afterwards: 'Potom tuto stránku načtěte znovu a přihlaste se.',
    again: 'Načíst znovu',
  },
  home: { title: 'Vítejte', signIn: 'Přihlásit se' },
  app: { send: 'Poslat soubory', requests: 'Žádosti o soubory' },
  footer: { imprint: 'Právní informace', privacy: 'Soukromí' },
  unloaded: { title: 'Tato stránka se nenačetla celá', action: 'Načíst znovu' },
}
