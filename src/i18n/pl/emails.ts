import { countIn, numberIn } from '../../lib/language.ts'
import type { EmailTexts } from '../en/emails.ts'

const files = (count: number) => countIn('pl', count, ['{n} plik', '{n} pliki', '{n} plików'])
const named = (name: string) => name && ` „${name}”`
const fromAddress = (ip: string) => ip && `, adres IP ${ip}`
const aboutFiles = 'Jeśli nie znasz nadawcy, nie otwieraj linku.'
const linkOf = (isRequest: boolean) =>
  isRequest ? 'Twojej prośby o pliki' : 'Twojego udostępnienia'

export const emails: EmailTexts = {
  files,
  more: (count) => `i jeszcze ${numberIn('pl', count)}`,
  expires: (moment) => `wygasa ${moment}`,
  needsPassword: 'z hasłem',
  peopleMax: (count) =>
    countIn('pl', count, ['dla {n} osoby', 'dla najwyżej {n} osób', 'dla najwyżej {n} osób']),
  upTo: (size) => `do ${size}`,
  askForPassword: (who) => `Link wymaga hasła. Zapytaj o nie nadawcę: ${who}.`,
  hidden: (hasMessage) =>
    hasMessage
      ? 'Wiadomość i pliki pojawią się po podaniu hasła.'
      : 'Pliki pojawią się po podaniu hasła.',
  orLink: 'Możesz też otworzyć ten link:',
  guest: 'Gość',
  footer: (appName) => `Wysłano przez ${appName}.`,
  footerFor: (appName, who) => `Wysłano przez ${appName}. Nadawca: ${who}.`,

  share: {
    subject: (who, name, count) => `${who} wysyła Ci ${name ? `„${name}”` : files(count)}`,
    lead: (who) => `${who} wysyła Ci pliki.`,
    button: 'Otwórz pliki',
    why: (who) => `Otrzymujesz ten e-mail, bo nadawca (${who}) podał Twój adres. ${aboutFiles}`,
  },
  addedFiles: {
    subject: (who, name, count) => `${who} dodaje ${files(count)}${name && ` do „${name}”`}`,
    lead: (who, name, count) =>
      `${who} dodaje ${files(count)} do ${name ? `„${name}”` : 'wcześniejszego udostępnienia'}.`,
    button: 'Otwórz pliki',
    why: (who) =>
      `Otrzymujesz ten e-mail, bo nadawca (${who}) już wcześniej udostępnił Ci pliki. ` +
      aboutFiles,
  },
  request: {
    subject: (who, name) => `${who} prosi Cię o pliki${name && `: „${name}”`}`,
    lead: (who) => `${who} prosi Cię o przesłanie plików.`,
    noAccount: 'Nie potrzebujesz konta. Wybierz pliki na stronie pod linkiem.',
    button: 'Wyślij pliki',
    why: (who) => `Otrzymujesz ten e-mail, bo nadawca (${who}) podał Twój adres. ${aboutFiles}`,
  },
  delivery: {
    subject: (who, name, count) =>
      name ? `${who} przysyła ${files(count)} do „${name}”` : `${who} przysyła Ci ${files(count)}`,
    lead: (who, name) =>
      name ? `${who} przysyła pliki do „${name}”.` : `${who} przysyła Ci pliki.`,
    button: 'Otwórz pliki',
    why: 'Otrzymujesz ten e-mail, bo włączono powiadomienia o plikach wysyłanych na Twoją prośbę.',
  },
  deliveries: {
    subject: (name, count) =>
      countIn('pl', count, [
        'Jeszcze {n} przesyłka',
        'Jeszcze {n} przesyłki',
        'Jeszcze {n} przesyłek',
      ]) + (name && ` do „${name}”`),
    heading: (count) =>
      countIn('pl', count, [
        'Jeszcze {n} przesyłka',
        'Jeszcze {n} przesyłki',
        'Jeszcze {n} przesyłek',
      ]),
    lead: (name, count, size) =>
      `Goście wysłali ${files(count)} (${size})${name && ` do „${name}”`}:`,
  },
  damage: {
    subject: (file, others) =>
      others === 0
        ? `Uszkodzony plik: „${file}”`
        : `Uszkodzone pliki (${numberIn('pl', others + 1)}): „${file}” i jeszcze ` +
          numberIn('pl', others),
    heading: (count) =>
      count === 1 ? 'Uszkodzony plik' : `Uszkodzone pliki: ${numberIn('pl', count)}`,
    what: (file, others, name, isDelivery) => {
      const where = isDelivery
        ? `z przesyłki do${named(name) || ' Ciebie'}`
        : `z Twojego udostępnienia${named(name)}`
      if (others === 0) return `Plik „${file}” ${where} jest uszkodzony na dysku usługi.`
      const more = countIn('pl', others, [
        'jeszcze {n} plik',
        'jeszcze {n} pliki',
        'jeszcze {n} plików',
      ])
      return `Na dysku usługi są uszkodzone pliki ${where}: „${file}” i ${more}.`
    },
    advice: (count, isDelivery) => {
      const them = count === 1 ? 'go' : 'ich'
      const again = isDelivery
        ? `Poproś o ${count === 1 ? 'niego' : 'nie'} jeszcze raz`
        : `Wyślij ${count === 1 ? 'go' : 'je'} jeszcze raz`
      return (
        `Nie można ${them} już pobrać. ${again} i powiadom administratora, bo dysk może być ` +
        'uszkodzony.'
      )
    },
    button: (isDelivery) => (isDelivery ? 'Zobacz prośbę o pliki' : 'Zobacz udostępnienie'),
    why: 'Otrzymujesz ten e-mail, bo to są Twoje pliki.',
  },
  downloads: {
    subject: (name) => `Pobrano Twoje pliki${name && `: „${name}”`}`,
    heading: 'Pobrano Twoje pliki',
    what: (name, people) => {
      const who = countIn('pl', people, [
        '{n} osoba pobrała',
        '{n} osoby pobrały',
        '{n} osób pobrało',
      ])
      return `${who} ${name ? `„${name}”` : 'Twoje pliki'}.`
    },
    latest: (moment) => `ostatnie pobranie: ${moment}`,
    button: 'Zobacz udostępnienie',
    why: 'Otrzymujesz ten e-mail, bo włączono powiadomienia o pobraniach tego udostępnienia.',
  },
  invitation: {
    subject: (appName) => `Twoje konto w usłudze ${appName}`,
    heading: (appName) => `Witamy w usłudze ${appName}`,
    what: (appName) => `W usłudze ${appName} utworzono dla Ciebie konto.`,
    button: 'Wybierz hasło',
    note: (days) =>
      'Link działa raz i wygasa po ' +
      countIn('pl', days, ['{n} dniu', '{n} dniach', '{n} dniach']) +
      '.',
    why: 'Jeśli nie wiesz, skąd to zaproszenie, zignoruj ten e-mail.',
  },
  linkCode: {
    subject: (code, appName) => `${code} to Twój kod do ${appName}`,
    heading: 'Twój kod',
    what: 'Wpisz ten kod, aby otworzyć przesłane Ci pliki:',
    note: (minutes) => `Działa raz, przez ${minutes} minut. Nikomu go nie przekazuj.`,
    why: 'Jeśli to nie Ty prosisz o ten kod, zignoruj tę wiadomość.',
  },
  reset: {
    subject: (appName) => `Ustaw nowe hasło w usłudze ${appName}`,
    heading: 'Ustaw nowe hasło',
    what: (appName) => `Poproszono o nowe hasło do Twojego konta w usłudze ${appName}.`,
    button: 'Ustaw nowe hasło',
    note: (minutes) =>
      'Link działa raz i wygasa po ' +
      countIn('pl', minutes, ['{n} minucie', '{n} minutach', '{n} minutach']) +
      '.',
    why: 'Jeśli ta prośba nie pochodzi od Ciebie, zignoruj ten e-mail: hasło się nie zmieni.',
  },
  signUp: {
    confirm: (appName) => `Potwierdź swój adres e-mail w ${appName}`,
    confirmWhat: (appName) =>
      `Ktoś poprosił o konto w ${appName} z tym adresem. Wybierz nazwę i hasło, aby je utworzyć.`,
    confirmButton: 'Utwórz konto',
    confirmNote: (hours) => `Link działa raz i wygasa po ${hours} godzinach.`,
    known: (appName) => `Masz już konto w ${appName}`,
    knownWhat: 'Ktoś próbował utworzyć konto z tym adresem. Zaloguj się lub ustaw nowe hasło.',
    why: 'Jeśli to nie ty, zignoruj tę wiadomość.',
    approved: (appName) => `Twoje konto w ${appName} zostało zatwierdzone`,
    approvedWhat: 'Możesz się teraz zalogować.',
    approvedButton: 'Zaloguj się',
    declined: (appName) => `Twoja prośba o konto w ${appName}`,
    declinedWhat: (appName) =>
      `Administrator ${appName} nie zatwierdził twojego konta. Zostało usunięte.`,
    waiting: (count, appName) =>
      `${appName}: ` +
      countIn('pl', count, [
        '{n} osoba czeka na zatwierdzenie',
        '{n} osoby czekają na zatwierdzenie',
        '{n} osób czeka na zatwierdzenie',
      ]),
    waitingWhat: 'Ich adresy e-mail są potwierdzone. Zatwierdź lub odrzuć konta w sekcji „Konta”.',
    waitingButton: 'Otwórz konta',
  },
  notice: {
    subject: (event, appName) => `${appName}: ${event}`,
    events: {
      account_deleted: 'Twoje konto zostało usunięte',
      api_token_created: 'Na Twoim koncie utworzono token API',
      email_changed: 'Adres e-mail Twojego konta został zmieniony',
      identity_linked: 'Do twojego konta podłączono logowanie przez dostawcę',
      identity_unlinked: 'Od twojego konta odłączono logowanie przez dostawcę',
      new_device: 'Na Twoje konto zalogowano się z nowego urządzenia',
      passkey_added: 'Do twojego konta dodano klucz dostępu',
      passkey_refused: 'Klucz dostępu do twojego konta został odrzucony: ktoś mógł go skopiować',
      passkey_removed: 'Z twojego konta usunięto klucz dostępu',
      password_changed: 'Twoje hasło zostało zmienione',
      recovery_codes_renewed: 'Kody zapasowe Twojego konta zostały wymienione',
      second_factor_enabled: 'Na Twoim koncie włączono logowanie dwuetapowe',
      second_factor_disabled: 'Na Twoim koncie wyłączono logowanie dwuetapowe',
      sessions_ended: 'Wszystkie inne sesje Twojego konta zostały zakończone',
      sign_ins_reset: 'Twoje hasło zostało zmienione, a wszystkie inne sposoby logowania usunięte',
      second_factor_reset: 'Administrator zresetował logowanie dwuetapowe Twojego konta',
    },
    what: (moment, ip) =>
      `Data: ${moment}${ip === null ? ', na samym serwerze' : fromAddress(ip)}.`,
    nothingToDo: 'Jeśli to Twoje działanie, nie musisz nic robić.',
    changePassword: 'Jeśli nie, zmień teraz hasło i powiadom administratora.',
    tellAdministrator: 'Jeśli nie, natychmiast powiadom administratora.',
    button: 'Otwórz konto',
    why: (appName) => `Otrzymujesz ten e-mail, bo dotyczy Twojego konta w usłudze ${appName}.`,
  },
  failures: {
    latest: (moment, ip) => `Ostatnia próba: ${moment}${fromAddress(ip)}.`,
    signIn: {
      subject: (appName) => `Nieudane logowania na Twoje konto w usłudze ${appName}`,
      heading: 'Nieudane logowania na Twoje konto',
      what: (appName) =>
        `Kilka prób logowania na Twoje konto w usłudze ${appName} nie powiodło się z powodu ` +
        'nieprawidłowego hasła.',
      advice:
        'Twoje konto nie jest zablokowane. Jeśli hasło jest krótkie lub używane gdzie indziej, ' +
        'zmień je i włącz logowanie dwuetapowe.',
    },
    code: {
      subject: (appName) => `Nieprawidłowe kody do Twojego konta w usłudze ${appName}`,
      heading: 'Nieprawidłowe kody do Twojego konta',
      what: (appName) =>
        `Przy logowaniu na Twoje konto w usłudze ${appName} po prawidłowym haśle wpisano ` +
        'nieprawidłowe kody.',
      advice:
        'Jeśli te próby nie są Twoje, ktoś zna Twoje hasło. Zmień je teraz i powiadom ' +
        'administratora.',
    },
    link: {
      subject: (isRequest, name) => `Nieprawidłowe hasła do ${linkOf(isRequest)}${named(name)}`,
      heading: (isRequest) => `Nieprawidłowe hasła do ${linkOf(isRequest)}`,
      what: (isRequest, name, appName) =>
        `W usłudze ${appName} wpisano wiele nieprawidłowych haseł do ` +
        `${linkOf(isRequest)}${named(name)}.`,
      advice:
        'Z prawidłowym hasłem link nadal działa. Jeśli to hasło jest krótkie, wybierz dłuższe ' +
        'i przekaż je odbiorcom.',
      button: (isRequest) => (isRequest ? 'Otwórz prośby o pliki' : 'Otwórz udostępnienia'),
    },
  },
  problems: {
    subject: (title, appName) => `${appName}: ${title}`,
    heading: (count) => countIn('pl', count, ['{n} problem', '{n} problemy', '{n} problemów']),
    disks: {
      files_full: 'Dysk z plikami jest pełny',
      files_low: 'Dysk z plikami jest prawie pełny',
      database_full: 'Dysk bazy danych jest pełny',
      database_low: 'Dysk bazy danych jest prawie pełny',
    },
    space: (free, floor) => `Wolne miejsce: ${free}. Poniżej ${floor} przesyłanie się zatrzymuje.`,
    emails: (count) =>
      countIn('pl', count, [
        'Nie udało się dostarczyć {n} e-maila',
        'Nie udało się dostarczyć {n} e-maili',
        'Nie udało się dostarczyć {n} e-maili',
      ]),
    emailsAdvice: 'Przeczytaj odpowiedź serwera poczty w przeglądzie, a potem spróbuj ponownie.',
    jobs: (count) =>
      countIn('pl', count, [
        '{n} zadanie w tle ciągle się nie udaje',
        '{n} zadania w tle ciągle się nie udają',
        '{n} zadań w tle ciągle się nie udaje',
      ]),
    jobsAdvice: (names) => `Od ponad godziny nie udają się: ${names}. Przyczynę podaje log usługi.`,
    damageAdvice:
      'Polecenie „transfer verify” wyświetli uszkodzone pliki. Przywróć je z kopii zapasowej.',
    updated: (appName, version) => `Zaktualizowano usługę ${appName} do wersji ${version}`,
    migrated: 'Baza danych została zmigrowana, a usługa działa.',
    button: 'Otwórz przegląd',
    why: (appName) =>
      `Otrzymujesz ten e-mail, bo administrujesz usługą ${appName}. Możesz go wyłączyć w ` +
      'ustawieniach poczty.',
  },
  test: {
    subject: (appName) => `Testowy e-mail z usługi ${appName}`,
    heading: 'Poczta e-mail działa',
    what: (appName) => `Usługa ${appName} może wysyłać e-maile. Ten test zlecił administrator.`,
    button: (appName) => `Otwórz ${appName}`,
  },
}
