import type { Same, Three } from '../../lib/i18n.ts'
import type { texts as english } from '../en/ready.ts'

export const texts = {
  'email.dead': 'nie dostarczono',
  'email.queued': 'w drodze',
  'email.resend': 'Wyślij ponownie',
  'email.resend_to': 'Wyślij ponownie na adres {to}',
  'email.sent': 'wysłano',
  'email.waiting': 'otrzyma link po zakończeniu przesyłania',
  'ready.again': 'Nowe udostępnienie',
  'ready.complete': 'Gotowe. Każdy, kto ma link, może już pobierać pliki.',
  'ready.complete_locked': 'Gotowe. Każdy, kto ma link i hasło, może już pobierać pliki.',
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
  'ready.copied': 'Link skopiowany.',
  'ready.copied_title': 'Link skopiowany. Przesyłanie trwa: zostało {percent}',
  'ready.copy_link': 'Kopiuj link',
  'ready.copy_password': 'Kopiuj hasło',
  'ready.expires': 'wygasa {day}',
  'ready.interrupted': 'Przesyłanie zostało przerwane. Odbiorcy widzą, że brakuje plików.',
  'ready.link': 'Link',
  'ready.mail_full':
    'E-mail nie został wysłany: kolejka jest pełna. Spróbuj później lub wyślij link ' +
    'samodzielnie.',
  'ready.mail_limit': 'E-mail nie został wysłany: osiągnięto limit pobrań. Najpierw go zwiększ.',
  'ready.mail_none':
    'E-mail nie został wysłany: poczta nie jest skonfigurowana. Wyślij link samodzielnie.',
  'ready.mail_queued': 'E-mail w drodze do: {list}.',
  'ready.no_expiry': 'nigdy nie wygasa',
  'ready.open': 'Otwórz jako odbiorca',
  'ready.password_hint': 'Przekaż hasło osobno. Nie zostanie pokazane ponownie.',
  'ready.protected': 'z hasłem',
  'ready.qr': 'Kod QR',
  'ready.qr_copy': 'Kopiuj kod QR',
  'ready.qr_download': 'Pobierz kod QR',
  'ready.qr_not_copied': 'Kodu QR nie można tu skopiować. Pobierz go.',
  'ready.qr_text': 'Kod QR linku',
  'ready.send': 'Wyślij',
  'ready.share': 'Udostępnij…',
  'ready.title': 'Link jest gotowy',
  'shared.none': 'Nic nie dotarło. Udostępnij pliki jeszcze raz lub wybierz je tutaj.',
  'shared.text': 'Udostępniony tekst.txt',
} satisfies Same<typeof english, Three>
