import type { Same, Three } from '../../lib/i18n.ts'
import type { texts as english } from '../en/setup.ts'
import { common } from './common.ts'
import { disk } from './disk.ts'

export const texts = {
  ...common,
  ...disk,
  'setup.account_title': 'Utwórz konto administratora',
  'common.step': 'Krok {n} z {all}',
  'setup.account_text': 'Pierwsze konto administruje tą usługą.',
  'setup.account_action': 'Utwórz konto',
  'setup.password_hint': 'Co najmniej 8 znaków. Kilka słów łatwo zapamiętać i trudno odgadnąć.',
  'setup.token': 'Token konfiguracji',
  'setup.token_hint':
    'Znajdziesz go w logu usługi, po „token=” w wierszu, który zaczyna się od „setup:”.',
  'setup.no_token':
    'W tym adresie brakuje tokenu konfiguracji. Skopiuj cały adres z logu lub wpisz token.',
  'setup.wrong_token':
    'Nieprawidłowy token konfiguracji. Przy każdym uruchomieniu usługi powstaje nowy: użyj ' +
    'ostatniego wiersza „setup:” z logu.',
  'setup.taken': 'W międzyczasie skonfigurowano tę usługę. Wpisane tu dane nie zostały zapisane.',
  'setup.address_title': 'Nazwa i adres',
  'setup.app_name': 'Nazwa usługi',
  'setup.app_name_hint': 'Widoczna na każdej stronie i w każdym e-mailu.',
  'setup.other_address':
    'Ta strona jest otwarta pod adresem {here}, ale linki będą zaczynać się od {address}. Jeśli ' +
    'ten adres nie działa u odbiorców, popraw BASE_URL i uruchom usługę ponownie.',
  'setup.links_begin': 'Linki zaczynają się od {address}.',
  'setup.plain_http':
    'Ten adres nie jest szyfrowany: pliki i hasła można odczytać po drodze. W sieci, której nie ' +
    'ufasz, umieść przed usługą serwer proxy HTTPS i ustaw w BASE_URL jego adres https.',
  'setup.no_cookie':
    'BASE_URL zaczyna się od https, więc przeglądarki zachowują zalogowanie tylko pod tym ' +
    'adresem. Dokończ konfigurację tutaj, a potem zaloguj się pod adresem {address}.',
  'setup.proxy_believed': 'Usługa działa za zaufanym serwerem proxy. Twój adres to {ip}.',
  'setup.proxy_ignored':
    'Usługa działa za serwerem proxy, którego nie ma w TRUST_PROXY. Wszyscy mają więc adres ' +
    '{ip}, a błędne hasła jednej osoby blokują wszystkich. Ustaw w TRUST_PROXY adres serwera ' +
    'proxy i uruchom usługę ponownie.',
  'setup.proxy_silent':
    'TRUST_PROXY jest ustawione, ale to żądanie z {ip} nie ma nagłówka X-Forwarded-For. Jeśli ' +
    'działa tu serwer proxy, skonfiguruj w nim wysyłanie tego nagłówka.',
  'setup.limits_title': 'Miejsce i limity',
  'setup.share_limit': 'Największe udostępnienie (GB)',
  'setup.quota': 'Limit miejsca na konto (GB)',
  'setup.unlimited': 'Pozostaw puste, aby nie ustawiać limitu.',
  'setup.expiry': 'Ważność linków',
  'setup.expiry_hint':
    'Jeśli nadawca nie wybierze inaczej. Pozostaw puste, aby linki nigdy nie wygasały.',
  'setup.unit': 'Jednostka',
  'setup.unit.Hours': 'godziny',
  'setup.unit.Days': 'dni',
  'setup.unit.Weeks': 'tygodnie',
  'setup.unit.Months': 'miesiące',
  'setup.mail_title': 'E-mail',
  'setup.mail_text':
    'Z serwerem SMTP usługa może wysyłać linki, powiadamiać o przesyłkach i resetować hasła. ' +
    'Możesz go też skonfigurować później.',
  'setup.smtp_host': 'Serwer SMTP',
  'setup.smtp_port': 'Port',
  'setup.smtp_security': 'Szyfrowanie',
  'setup.security.starttls': 'STARTTLS (port 587)',
  'setup.security.tls': 'TLS (port 465)',
  'setup.security.none': 'Brak: e-maile można odczytać po drodze',
  'setup.smtp_user': 'Nazwa użytkownika',
  'setup.smtp_user_hint': 'Pozostaw puste, jeśli serwer jej nie wymaga.',
  'setup.smtp_from': 'Adres nadawcy',
  'setup.smtp_from_hint': 'Na przykład pliki@example.org',
  'setup.test': 'Zapisz i wyślij testowy e-mail',
  'setup.test_sent': 'Serwer przyjął e-mail na adres {email}. Jego odpowiedź:',
  'setup.test_failed': 'E-mail nie został wysłany:',
  'setup.skip': 'Pomiń',
  'setup.done_title': 'Usługa jest gotowa',
  'setup.done_text':
    'Wyślij plik, aby sprawdzić, czy wszystko działa. Potem dodaj konta osób, które będą ' +
    'korzystać z usługi.',
  'setup.add_accounts': 'Dodaj konta',
  'setup.first_file': 'Wyślij pierwszy plik',
  'setup.sign_in': 'Zaloguj się',
  'setup.closed_title': 'Ta usługa jest już skonfigurowana',
  'setup.closed_text': 'Jeśli masz konto, zaloguj się. W przeciwnym razie zapytaj operatora.',
} satisfies Same<typeof english, Three>
