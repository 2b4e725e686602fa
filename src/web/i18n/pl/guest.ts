import type { Same, Three } from '../../lib/i18n.ts'
import type { texts as english } from '../en/guest.ts'
import { common } from './common.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'
import { upload } from './upload.ts'
import { uploadTotal } from './upload-total.ts'

export const texts = {
  ...common,
  ...theme,
  ...unlock,
  ...upload,
  ...uploadTotal,
  'guest.again': 'Wyślij więcej',
  'guest.arrived': [
    'Otrzymano {n} plik ({size}).',
    'Otrzymano {n} pliki ({size}).',
    'Otrzymano {n} plików ({size}).',
  ],
  'guest.asks': '{owner} prosi cię o',
  'guest.is.closed': 'Możliwa była tylko jedna przesyłka i już dotarła. Twoje pliki nie dotarły.',
  'guest.continue': 'Kontynuuj',
  'guest.discard': 'Odrzuć',
  'guest.elsewhere': 'Inna karta już wysyła te pliki.',
  'guest.field.email': 'Twój e-mail',
  'guest.is.expired': 'Ta prośba jest już zamknięta. Twoje pliki nie dotarły.',
  'guest.has': [
    '{owner} ma {n} plik ({size}).',
    '{owner} ma {n} pliki ({size}).',
    '{owner} ma {n} plików ({size}).',
  ],
  'guest.limit': 'do {size}',
  'guest.more': 'Dodaj imię lub notatkę',
  'guest.field.name': 'Twoje imię i nazwisko',
  'guest.field.note': 'Wiadomość',
  'guest.once': 'na jedną przesyłkę',
  'guest.only': 'tylko {kinds}',
  'guest.open':
    'Nie zamykaj tej strony. Jeśli ją zamkniesz, otwórz link jeszcze raz, aby kontynuować.',
  'guest.optional': '{name} (opcjonalnie)',
  'guest.pick_again': 'Wybierz ponownie te same pliki, aby kontynuować.',
  'guest.quote': 'Podaj go, kontaktując się z autorem prośby ({owner}).',
  'guest.reference': 'Numer przesyłki: {reference}.',
  'guest.send': [
    'Wyślij {n} plik ({size})',
    'Wyślij {n} pliki ({size})',
    'Wyślij {n} plików ({size})',
  ],
  'guest.sending': 'Wysyłanie plików',
  'guest.sending_to': 'Wysyłanie (odbiorca: {owner})',
  'guest.start_over': 'Zacznij od nowa',
  'guest.stopped':
    'Nie można kontynuować tego przesyłania. Pliki są nadal wybrane: zacznij od nowa.',
  'guest.thanks': 'Dziękujemy',
  'guest.to': 'Twoje pliki otrzyma tylko {owner}.',
  'guest.to_shared': 'Twoje pliki otrzyma {owner} i może je udostępnić innym.',
  'guest.to_whom_shared':
    'Twoje pliki otrzyma osoba, od której masz ten link, i może je udostępnić innym.',
  'guest.to_whom': 'Twoje pliki otrzyma tylko osoba, od której masz ten link.',
  'guest.too_big': 'Limit przekroczony o {size}: usuń coś.',
  'guest.unfinished': 'Nieukończone przesyłanie ({when}): {files}.',
  'guest.until': 'otwarta do {day}',
} satisfies Same<typeof english, Three>
