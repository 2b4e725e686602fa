import type { Same, Three } from '../../lib/i18n.ts'
import type { texts as english } from '../en/ready.ts'

export const texts = {
  'email.is.dead': 'nie dostarczono',
  'email.last': 'Ostatni e-mail:',
  'email.is.queued': 'w drodze',
  'email.resend': 'Wyślij ponownie',
  'email.resend_to': 'Wyślij ponownie na adres {to}',
  'email.is.sent': 'wysłano',
  'email.too_soon': 'Odczekaj minutę przed wysłaniem kolejnego e-maila.',
  'email.waiting': 'otrzyma link po zakończeniu przesyłania',
  'ready.again': 'Wyślij kolejne',
  'ready.by_email': 'Wyślij e-mailem',
  'ready.contacts_add': [
    'Dodaj do kontaktów: {name}',
    'Dodaj {n} osoby do kontaktów',
    'Dodaj {n} osób do kontaktów',
  ],
  'ready.contacts_added': [
    'Dodano do kontaktów.',
    'Dodano {n} osoby do kontaktów.',
    'Dodano {n} osób do kontaktów.',
  ],
  'ready.copied': 'Link skopiowany',
  'ready.copy_link': 'Kopiuj link',
  'ready.copy_password': 'Kopiuj hasło',
  'ready.expires': 'wygasa {day}',
  'ready.first': ['tylko pierwsza osoba', 'pierwsze {n} osoby', 'pierwsze {n} osób'],
  'ready.interrupted': 'Przesyłanie zostało przerwane. Odbiorcy czekają na jego wznowienie.',
  'ready.link': 'Link',
  'ready.mail_full':
    'E-mail nie został wysłany: kolejka jest pełna. Spróbuj później lub wyślij link ' +
    'samodzielnie.',
  'ready.mail_limit': 'E-mail nie został wysłany: osiągnięto limit pobrań. Najpierw go zwiększ.',
  'ready.mail_often': 'Nie wysłano e-maila: osiągnięto limit na godzinę.',
  'ready.mail_none':
    'E-mail nie został wysłany: poczta nie jest skonfigurowana. Wyślij link samodzielnie.',
  'ready.mail_queued': 'Wysyłanie do {list}',
  'ready.open': 'Zobacz jako odbiorca',
  'ready.password_hint': 'Przekaż hasło osobno. Nie zostanie pokazane ponownie.',
  'ready.protected': 'z hasłem',
  'ready.qr': 'Kod QR',
  'ready.qr_download': 'Pobierz kod QR',
  'ready.qr_text': 'Kod QR linku',
  'ready.sending_to': ['Wysyłanie do {n} osoby', 'Wysyłanie do {n} osób', 'Wysyłanie do {n} osób'],
  'ready.sent_to': ['Wysłano do {n} osoby', 'Wysłano do {n} osób', 'Wysłano do {n} osób'],
  'ready.share': 'Udostępnij…',
  'ready.title': 'Link jest gotowy',
  'shared.none': 'Nic nie dotarło. Udostępnij pliki jeszcze raz lub wybierz je tutaj.',
  'shared.text': 'Udostępniony tekst.txt',
} satisfies Same<typeof english, Three>
