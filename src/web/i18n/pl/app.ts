import type { Same, Three } from '../../lib/i18n.ts'
import type { texts as english } from '../en/app.ts'
import { common } from './common.ts'
import { passkey } from './passkey.ts'
import { send } from './send.ts'
import { states } from './states.ts'
import { uploadTotal } from './upload-total.ts'
import { upload } from './upload.ts'

export const texts = {
  ...common,
  ...passkey,
  ...send,
  ...states,
  ...upload,
  ...uploadTotal,
  'error.already_complete': 'To przesyłanie jest już ukończone. Odśwież stronę, aby je zobaczyć.',
  'error.confirmation_required': 'Niczego nie zmieniono: najpierw potwierdź swoją tożsamość.',
  'error.last_administrator': 'Usługa potrzebuje co najmniej jednego administratora.',
  'error.too_many_contacts': 'Lista kontaktów jest pełna. Usuń jakiś kontakt, aby dodać nowy.',
  'error.wrong_current_password': 'Obecne hasło jest nieprawidłowe.',
  'error.wrong_second_factor': 'Ten kod jest nieprawidłowy lub został już użyty.',
  'links.local': 'Linki zaczynają się od {base}, więc prowadzą każdego do jego własnego komputera.',
  'links.local_advice':
    'Ustaw BASE_URL na adres, który otwierają ludzie, na przykład {address}, i uruchom ' +
    'usługę ponownie.',
  'common.more': 'Pokaż więcej',
  'nav.account': 'Konto',
  'nav.account_settings': 'Ustawienia konta',
  'nav.admin': 'Administracja',
  'nav.main': 'Menu główne',
  'nav.new': 'do obejrzenia',
  'nav.requests': 'Prośby',
  'nav.send': 'Wyślij',
  'nav.shares': 'Udostępnienia',
  'nav.sign_out': 'Wyloguj się',
  'no_mail.text': 'E-mail jest wyłączony: nie skonfigurowano serwera poczty.',
  'no_mail.action': 'Skonfiguruj pocztę',
  'missing.title': 'Nie znaleziono strony',
  'missing.text': 'Adres może być błędny albo strona została usunięta.',
  'common.unopened': 'Nie udało się otworzyć tej strony',
  'confirm.title': 'Potwierdź swoją tożsamość',
  'confirm.text': 'Przez następne 10 minut nie będzie to potrzebne.',
  'confirm.either': 'Wystarczy hasło lub kod.',
  'confirm.action': 'Potwierdź',
  'session.title': 'Zaloguj się ponownie',
  'session.text': 'Sesja została zakończona. Zaloguj się, aby kontynuować.',
  'session.sign_in': 'Zaloguj się',
  'session.code': '6-cyfrowy kod lub kod zapasowy',
  'common.just_now': 'przed chwilą',
  'session.other_way': 'Zaloguj się inaczej',
} satisfies Same<typeof english, Three>
