import { countIn, numberIn } from '../../lib/language.ts'
import type { PageTexts } from '../en/pages.ts'

const sender = 'degene van wie je deze link hebt'
const ask = (owner: string) => `Vraag ${owner || sender} om een nieuwe link.`

export const pages: PageTexts = {
  share: {
    untitled: 'Bestanden voor jou',
    sent: (owner) => `${owner} heeft je gestuurd`,
    sending: (owner) => `${owner} stuurt je op dit moment`,
    files: (count) => countIn('nl', count, ['{n} bestand', '{n} bestanden']),
    from: (owner) => `van ${owner}`,
    until: 'Beschikbaar tot',
    endedOn: 'Beëindigd op',
    left: (count) =>
      count === 0
        ? 'downloadlimiet bereikt voor anderen'
        : countIn('nl', count, [
            'nog {n} persoon kan downloaden',
            'nog {n} personen kunnen downloaden',
          ]),
    leftHint: 'Zodra je een bestand opent of downloadt, kun je 24 uur lang alles downloaden.',
    all: (size) => `Alles downloaden · ${size}`,
    one: (size) => `Downloaden · ${size}`,
    more: (count) => {
      const files = countIn('nl', count, ['{n} bestand', '{n} bestanden'])
      return `en nog ${files}, in de ZIP`
    },
    empty: 'Deze zending heeft geen bestanden.',
    damaged: 'Beschadigd',
    damagedFiles: (count) =>
      count === 1
        ? '1 bestand is beschadigd op de server en kan niet worden gedownload. ' +
          'Vraag de afzender om het opnieuw te sturen.'
        : `${numberIn('nl', count)} bestanden zijn beschadigd op de server en kunnen niet worden ` +
          'gedownload. Vraag de afzender om ze opnieuw te sturen.',
    locked: 'Deze bestanden zijn beveiligd met een wachtwoord.',
    lockedBy: (owner) => `${owner} heeft deze bestanden beveiligd met een wachtwoord.`,
    qrCode: 'Openen op telefoon',
    qrCodeImage: 'QR-code van de link naar deze pagina',
    report: 'Deze zending melden',
    password: 'Wachtwoord',
    passwordWrong: 'Onjuist wachtwoord. Let op hoofdletters en spaties.',
    passwordWait: 'Te veel pogingen. Probeer het over een paar minuten opnieuw.',
    proofCode: (address) =>
      `Deze link is persoonlijk. Om hem te openen, sturen we een code naar ${address}.`,
    proofAccount: (address) =>
      `Deze link is persoonlijk. Meld je aan met het account van ${address} om hem te openen.`,
    codeSend: 'Mail mij een code',
    codeSent: (address) =>
      `We hebben een code naar ${address} gestuurd. Die is tien minuten geldig.`,
    codeField: 'Code',
    codeOpen: 'Openen',
    codeAgain: 'Nieuwe code sturen',
    codeWrong: 'De code is onjuist of niet meer geldig. Controleer hem of vraag een nieuwe aan.',
    codeWait: 'Er zijn te veel codes aangevraagd. Probeer het over een paar minuten opnieuw.',
    uploading: (percent) =>
      `Wordt nog geüpload${percent}. De bestanden verschijnen hier zodra ze allemaal zijn ` +
      'geüpload.',
    paused: (percent, ago) =>
      `Upload gepauzeerd${percent === null ? '' : ` bij ${percent}`}, laatst actief ${ago}. ` +
      'De bestanden verschijnen hier zodra ze allemaal zijn geüpload.',
    abandoned: (owner) =>
      `${owner || 'De afzender'} heeft deze upload niet voltooid en er is al een dag niets ` +
      'aangekomen. Vraag opnieuw om de bestanden.',
    openAgain: 'Gebruik je geen JavaScript, open deze link dan later opnieuw.',
    notFound: {
      title: 'Link niet gevonden',
      text:
        'Misschien is de link onvolledig of zijn de bestanden verwijderd. ' +
        'Vraag degene van wie je deze link hebt om een nieuwe.',
    },
    expired: {
      title: 'Deze zending is beëindigd',
      text: (owner) => `Vraag ${owner || sender} om de bestanden opnieuw te delen.`,
    },
    usedUp: {
      title: 'Downloadlimiet bereikt',
      text: ask,
    },
  },
  request: {
    untitled: 'Bestanden',
    asks: (owner) => `${owner} vraagt je om`,
    locked: 'Voer het wachtwoord in om bestanden te verzenden.',
    needsScript: 'Om te verzenden is JavaScript of de API nodig.',
    unlockNeedsScript: 'Om te ontgrendelen is JavaScript of de API nodig.',
    notFound: {
      title: 'Link niet gevonden',
      text:
        'Misschien is de link onvolledig of verwijderd. ' +
        'Vraag degene van wie je deze link hebt om een nieuwe.',
    },
    isClosed: 'Dit verzoek is gesloten',
    expired: (day, owner) => `Het is gesloten sinds ${day}. ${ask(owner)}`,
    closed: (day, owner) =>
      `Er was maar één levering mogelijk, en die is gedaan op ${day}. ${ask(owner)}`,
  },
  notFound: {
    title: 'Pagina niet gevonden',
    text: 'Misschien is het adres onvolledig, of is wat hier stond verwijderd.',
    home: 'Naar de startpagina',
  },
  notSetUp: {
    title: 'Nog niet ingesteld',
    how:
      'Deze dienst heeft geen beheerder. Open de installatielink uit het log van de server om ' +
      'er een te maken.',
    command: 'Hij staat op de regel die met ‘setup:’ begint. Zo vind je die:',
    afterwards: 'Laad daarna deze pagina opnieuw om in te loggen.',
    again: 'Opnieuw laden',
  },
  home: { title: 'Welkom', signIn: 'Inloggen' },
  app: { send: 'Bestanden verzenden', requests: 'Bestandsverzoeken' },
  footer: { imprint: 'Colofon', privacy: 'Privacy' },
  unloaded: {
    title: 'Deze pagina is niet volledig geladen',
    action: 'Opnieuw laden',
  },
}
