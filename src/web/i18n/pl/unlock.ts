import type { Same, Three } from '../../lib/i18n.ts'
import type { unlock as english } from '../en/unlock.ts'

export const unlock = {
  'unlock.action': 'Odblokuj',
  'unlock.left': ['Została {n} próba.', 'Zostały {n} próby.', 'Zostało {n} prób.'],
  'unlock.wrong': 'Nieprawidłowe hasło. Sprawdź wielkie litery i spacje.',
} satisfies Same<typeof english, Three>
