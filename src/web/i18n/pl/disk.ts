import type { Same, Three } from '../../lib/i18n.ts'
import type { disk as english } from '../en/disk.ts'

export const disk = {
  'disk.again': 'Sprawdź ponownie',
  'disk.busy': 'Sprawdzanie dysku…',
  'disk.is.different':
    'Dysk zwrócił inne bajty, niż zapisano. Może być uszkodzony: nie przechowuj na nim plików ' +
    'i zleć jego sprawdzenie.',
  'disk.is.failed': 'Nie udało się sprawdzić dysku. System zgłasza:',
  'disk.fine': 'Szybkość dysku: {rate}/s, wystarczy dla sieci {network}. Wolne {free} z {total}.',
  'disk.is.full':
    'Za mało miejsca na dysku: wolne {free}, mniej niż potrzeba do przesyłania. Zwolnij miejsce ' +
    'lub ustaw w STORAGE_DIR folder na innym dysku.',
  'disk.is.missing':
    'Od uruchomienia usługi folder na pliki się zmienił i niczego nie zapisano. Sprawdź, czy ' +
    'jego dysk jest zamontowany.',
  'disk.is.refused':
    'Usługa nie może zapisywać w swoim folderze na pliki. Nadaj jej użytkownikowi prawo zapisu ' +
    'i sprawdź, czy dysk nie jest tylko do odczytu.',
  'disk.slow':
    'Ten dysk jest powolny i przesyłanie będzie na niego czekać. W miarę możliwości użyj ' +
    'szybszego.',
  'disk.slow_sync':
    'Każdy zapis dociera na dysk po {ms} ms, więc wiele małych plików potrwa długo. ' +
    'W miarę możliwości użyj szybszego dysku.',
  'disk.small': 'Zostało mało miejsca. Przesyłanie zatrzymuje się, gdy wolne jest {floor}.',
  'disk.test': 'Sprawdź dysk',
} as const satisfies Same<typeof english, Three>
