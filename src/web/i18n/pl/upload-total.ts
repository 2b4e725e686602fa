import type { Same, Three } from '../../lib/i18n.ts'
import type { uploadTotal as english } from '../en/upload-total.ts'

export const uploadTotal = {
  'picking.empty': [
    'Ten folder jest pusty i zostanie pominięty:',
    'Te foldery są puste i zostaną pominięte:',
    'Te foldery są puste i zostaną pominięte:',
  ],
  'picking.refused': [
    'Nie dodano tego, bo nie można tego odczytać lub nazwa jest niedozwolona:',
    'Nie dodano tych elementów, bo nie można ich odczytać lub ich nazwy są niedozwolone:',
    'Nie dodano tych elementów, bo nie można ich odczytać lub ich nazwy są niedozwolone:',
  ],
  'picking.seen': ['Znaleziono {n} plik…', 'Znaleziono {n} pliki…', 'Znaleziono {n} plików…'],
  'upload.busy': 'Usługa jest zajęta',
  'upload.bytes': '{done} z {all}',
  'upload.finishing': 'kończenie',
  'upload.hold.files':
    'Niektóre pliki wymagają uwagi: spróbuj ponownie, wybierz je jeszcze raz lub usuń.',
  'upload.hold.quota': 'Za mało miejsca na te pliki. Postęp jest zachowany.',
  'upload.hold.removed': 'To zostało usunięte lub wygasło. Nie można przesłać więcej plików.',
  'upload.hold.server_full':
    'Dysk usługi jest pełny. Postęp jest zachowany, a przesyłanie ruszy dalej automatycznie.',
  'upload.hold.sign_in':
    'Sesja została zakończona, ale postęp jest zachowany. Otwórz link jeszcze raz.',
  'upload.hold.too_large': 'To więcej, niż pozwala usługa. Usuń coś.',
  'upload.left': 'zostało {left}',
  'upload.lost': 'Utracono połączenie',
  'upload.pause': 'Wstrzymaj',
  'upload.paused': 'wstrzymane',
  'upload.progress': 'Postęp przesyłania',
  'upload.progress_at': 'Przesłano {percent}',
  'upload.resume': 'Wznów',
  'upload.seconds': '{seconds} s',
  'upload.speed': '{bytes}/s',
  'upload.tryNow': 'Spróbuj teraz',
  'upload.waiting': 'kolejna próba za {left}',
} satisfies Same<typeof english, Three>
