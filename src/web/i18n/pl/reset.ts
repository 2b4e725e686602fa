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
  'reset.sent': 'Sprawdź pocztę e-mail',
  'reset.set': 'Ustaw hasło',
  'reset.set_title': 'Ustaw nowe hasło',
  'reset.title': 'Nie pamiętasz hasła?',
  'reset.to_login': 'Przejdź do logowania',
  'reset.wrong_link': 'Ten link stracił ważność. Poproś o nowy.',
  'error.wrong_proxy_user':
    'Na to konto nie można się tu zalogować. Skontaktuj się z administratorem.',
  'proxy.action': 'Kontynuuj jako {name}',
  'proxy.text': 'Sesja w Twojej organizacji jest aktywna.',
  'signup.action': 'Utwórz konto',
  'signup.asked': 'Sprawdź pocztę e-mail. Link w wiadomości jest ważny przez 24 godziny.',
  'signup.name': 'Nazwa',
  'signup.needs_approval': 'Nowe konta zatwierdza administrator.',
  'signup.signed_in':
    'Jesteś już po zalogowaniu. Najpierw się wyloguj, aby utworzyć kolejne konto.',
  'signup.to_app': 'Dalej',
  'signup.title': 'Utwórz konto',
  'signup.waits':
    'Administrator musi zatwierdzić twoje konto. Otrzymasz wiadomość e-mail, gdy będzie ' +
    'można się zalogować.',
  'error.sign_up_off': 'Nie można tu samodzielnie utworzyć konta. Zwróć się do administratora.',
  'error.sign_up_used': 'Konto z tym adresem już istnieje. Zaloguj się.',
  'error.too_many_sign_ups':
    'Zbyt wiele osób czeka na zatwierdzenie. Spróbuj ponownie za kilka dni.',
  'error.wrong_sign_up_link': 'Ten link stracił ważność. Poproś o nowy.',
} satisfies Same<typeof english, Three>
