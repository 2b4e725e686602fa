import type { Same, Three } from '../../lib/i18n.ts'
import type { texts as english } from '../en/reset.ts'

export const texts = {
  'invited.action': 'Ustaw hasło i zaloguj się',
  'invited.text': 'Utworzono dla ciebie konto. Wybierz hasło, aby się zalogować.',
  'invited.title': 'Zaproszenie',
  'invited.welcome': 'Witamy, {name}',
  'invited.wrong': 'To zaproszenie straciło ważność. Poproś o nowe.',
  'reset.again': 'Poproś o nowy link',
  'reset.ask': 'Wyślij mi link e-mailem',
  'reset.asked':
    'Jeśli jakieś konto ma ten adres, e-mail jest w drodze. Link z niego jest ważny przez ' +
    'godzinę.',
  'reset.done': 'Hasło zmienione. Wszystkie inne sesje zostały zakończone.',
  'reset.new_password': 'Nowe hasło',
  'reset.no_mail':
    'Ta usługa nie wysyła e-maili. Poproś jej operatora o link do zresetowania hasła.',
  'reset.rule': 'Co najmniej 8 znaków. Kilka słów łatwo zapamiętać i trudno odgadnąć.',
  'reset.set': 'Ustaw hasło',
  'reset.set_title': 'Ustaw nowe hasło',
  'reset.title': 'Nie pamiętasz hasła?',
  'reset.to_login': 'Przejdź do logowania',
  'reset.wrong_link': 'Ten link stracił ważność. Poproś o nowy.',
  'error.wrong_proxy_user':
    'Na to konto nie można się tu zalogować. Skontaktuj się z administratorem.',
  'proxy.action': 'Kontynuuj jako {name}',
  'proxy.text': 'Sesja w Twojej organizacji jest aktywna.',
} satisfies Same<typeof english, Three>
