import { countIn } from '../../lib/language.ts'
import type { PageTexts } from '../en/pages.ts'

const sender = (owner: string) => (owner ? ` (${owner})` : '')

export const pages: PageTexts = {
  share: {
    untitled: 'Pliki dla ciebie',
    sent: (owner) => `${owner} wysyła ci`,
    sending: (owner) => `${owner} właśnie wysyła ci`,
    files: (count) => countIn('pl', count, ['{n} plik', '{n} pliki', '{n} plików']),
    from: (owner) => `od: ${owner}`,
    until: 'Dostępne do',
    endedOn: 'Zakończono',
    left: (count) => {
      if (count === 0) return 'dla innych limit pobrań został osiągnięty'
      return countIn('pl', count, [
        'może pobrać jeszcze {n} osoba',
        'mogą pobrać jeszcze {n} osoby',
        'może pobrać jeszcze {n} osób',
      ])
    },
    leftHint: 'Od otwarcia lub pobrania pierwszego pliku masz 24 godziny na pobranie wszystkiego.',
    all: (size) => `Pobierz wszystko · ${size}`,
    one: (size) => `Pobierz · ${size}`,
    more: (count) =>
      countIn('pl', count, [
        'i jeszcze {n} plik, w archiwum ZIP',
        'i jeszcze {n} pliki, w archiwum ZIP',
        'i jeszcze {n} plików, w archiwum ZIP',
      ]),
    empty: 'To udostępnienie nie zawiera plików.',
    damaged: 'Uszkodzenie',
    damagedFiles: (count) =>
      countIn('pl', count, [
        '{n} plik jest uszkodzony na serwerze i nie można go pobrać. ' +
          'Poproś nadawcę o ponowne wysłanie.',
        '{n} pliki są uszkodzone na serwerze i nie można ich pobrać. ' +
          'Poproś nadawcę o ponowne wysłanie.',
        '{n} plików jest uszkodzonych na serwerze i nie można ich pobrać. ' +
          'Poproś nadawcę o ponowne wysłanie.',
      ]),
    locked: 'Te pliki są chronione hasłem.',
    lockedBy: (owner) => `${owner} chroni te pliki hasłem.`,
    qrCode: 'Otwórz na telefonie',
    qrCodeImage: 'Kod QR z linkiem do tej strony',
    report: 'Zgłoś to udostępnienie',
    password: 'Hasło',
    passwordWrong: 'Nieprawidłowe hasło. Sprawdź wielkie litery i spacje.',
    passwordWait: 'Zbyt wiele prób. Spróbuj ponownie za kilka minut.',
    proofCode: (address) =>
      `Ten link jest osobisty. Aby go otworzyć, wpisz kod, który wyślemy na ${address}.`,
    proofAccount: (address) =>
      `Ten link jest osobisty. Aby go otworzyć, zaloguj się na konto ${address}.`,
    codeSend: 'Wyślij mi kod',
    codeSent: (address) => `Wysłaliśmy kod na ${address}. Jest ważny dziesięć minut.`,
    codeField: 'Kod',
    codeOpen: 'Otwórz',
    codeAgain: 'Wyślij nowy kod',
    codeWrong: 'Kod jest błędny lub stracił ważność. Sprawdź go albo poproś o nowy.',
    codeWait: 'Zbyt wiele próśb o kod. Spróbuj ponownie za kilka minut.',
    uploading: (percent) =>
      `Przesyłanie jeszcze trwa${percent}. Pliki pojawią się tutaj, gdy wszystkie dotrą.`,
    paused: (percent, ago) =>
      `Przesyłanie wstrzymane${percent === null ? '' : ` na ${percent}`}, ostatnia aktywność ` +
      `${ago}. Pliki pojawią się tutaj, gdy wszystkie dotrą.`,
    abandoned: (owner) =>
      'To przesyłanie nie zostało ukończone, a od doby nic nie dotarło. ' +
      `Poproś nadawcę${sender(owner)} jeszcze raz o pliki.`,
    openAgain: 'Jeśli nie używasz JavaScriptu, otwórz ten link ponownie później.',
    notFound: {
      title: 'Nie znaleziono linku',
      text:
        'Link może być niepełny albo jego pliki zostały usunięte. ' +
        'Poproś nadawcę linku o nowy.',
    },
    expired: {
      title: 'To udostępnienie się zakończyło',
      text: (owner) => `Poproś nadawcę${sender(owner)} o ponowne udostępnienie plików.`,
    },
    usedUp: {
      title: 'Osiągnięto limit pobrań',
      text: (owner) => `Poproś nadawcę${sender(owner)} o nowy link.`,
    },
  },
  request: {
    untitled: 'Pliki',
    asks: (owner) => `${owner} prosi cię o`,
    locked: 'Wpisz hasło, aby wysłać pliki.',
    needsScript: 'Do wysyłania potrzebny jest JavaScript lub API.',
    unlockNeedsScript: 'Do odblokowania potrzebny jest JavaScript lub API.',
    notFound: {
      title: 'Nie znaleziono linku',
      text: 'Link może być niepełny albo został usunięty. ' + 'Poproś nadawcę linku o nowy.',
    },
    isClosed: 'Ta prośba jest zamknięta',
    expired: (day, owner) =>
      `Jest zamknięta od ${day}. Poproś nadawcę linku${sender(owner)} o nową.`,
    closed: (day, owner) =>
      `Możliwa była tylko jedna przesyłka i już dotarła (${day}). ` +
      `Poproś nadawcę linku${sender(owner)} o nową.`,
  },
  notFound: {
    title: 'Nie znaleziono strony',
    text: 'Adres może być niepełny albo to, co tu było, zostało usunięte.',
    home: 'Przejdź do strony głównej',
  },
  notSetUp: {
    title: 'Jeszcze nieskonfigurowane',
    how:
      'Ta usługa nie ma administratora. Aby go utworzyć, otwórz link do konfiguracji z logu ' +
      'serwera.',
    command: 'Jest w wierszu, który zaczyna się od „setup:”. Tak go znajdziesz:',
    afterwards: 'Potem odśwież tę stronę, aby się zalogować.',
    again: 'Odśwież',
  },
  home: { title: 'Witamy', signIn: 'Zaloguj się' },
  app: { send: 'Wyślij pliki', requests: 'Prośby o pliki' },
  footer: { imprint: 'Nota prawna', privacy: 'Prywatność' },
  unloaded: { title: 'Strona nie załadowała się w całości', action: 'Załaduj ponownie' },
}
