import type { Same, Three } from '../../lib/i18n.ts'
import type { basics as english } from '../en/basics.ts'

export const basics = {
  'common.copied': 'Skopiowano.',
  'common.copy': 'Kopiuj',
  'common.copy_by_hand': 'Naciśnij Ctrl+C, aby skopiować.',
  'common.email': 'E-mail',
  'field.email': 'Wpisz pełny adres e-mail, na przykład ada@example.org.',
  'field.missing': 'Wypełnij to pole.',
  'field.short': 'Użyj co najmniej {n} znaków.',
  'common.hide': 'Ukryj',
  'common.imprint': 'Nota prawna',
  'common.loading': 'Ładowanie…',
  'common.password': 'Hasło',
  'common.privacy': 'Prywatność',
  'common.show': 'Pokaż',
  'common.try_again': 'Spróbuj ponownie',
  'connection.back': 'Połączenie przywrócone.',
  'connection.lost':
    'Brak połączenia. Wpisane dane nie znikną, a strona sama wznowi działanie po połączeniu.',
  'error.cookie_blocked':
    'Dane są poprawne, ale przeglądarka blokuje pliki cookie tej strony. Zezwól na nie i ' +
    'spróbuj ponownie.',
  'error.cookie_insecure':
    'Dane są poprawne, ale przeglądarka zachowuje dostęp tylko na szyfrowanej stronie. ' +
    'Otwórz tę stronę pod adresem https://.',
  'error.not_found': 'Nic tu nie ma. Być może zostało usunięte.',
  'error.unauthorized': 'Wylogowano cię.',
  'error.unavailable': 'Usługa nie może tego teraz zrobić. Spróbuj ponownie za chwilę.',
  'error.unknown':
    'Coś poszło nie tak. Jeśli coś zmieniasz, przed ponowną próbą sprawdź, czy zmiana została ' +
    'zapisana.',
  'error.unreachable':
    'Nie udało się połączyć z usługą. Jeśli coś zmieniasz, przed ponowną próbą sprawdź, czy ' +
    'zmiana została zapisana.',
  'error.wrong_code': 'Nieprawidłowy kod. Kody zmieniają się co 30 sekund: sprawdź swój zegar.',
  'error.wrong_credentials': 'Nieprawidłowy adres e-mail lub hasło.',
  'left.hours': ['ok. {n} godz.', 'ok. {n} godz.', 'ok. {n} godz.'],
  'left.minutes': ['ok. {n} min', 'ok. {n} min', 'ok. {n} min'],
  'left.under_minute': 'mniej niż 1 min',
  'tries.over': 'Możesz teraz spróbować ponownie.',
  'tries.wait': 'Zbyt wiele prób. Następna próba możliwa za {left}.',
} satisfies Same<typeof english, Three>
