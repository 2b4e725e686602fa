import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/setup.ts'
import { common } from './common.ts'
import { disk } from './disk.ts'

export const texts = {
  ...common,
  ...disk,
  'setup.account_title': 'Skapa administratörskontot',
  'common.step': 'Steg {n} av {all}',
  'setup.account_text': 'Det första kontot administrerar tjänsten.',
  'setup.account_action': 'Skapa konto',
  'setup.password_hint': 'Minst 8 tecken. Några ord är lätta att minnas och svåra att gissa.',
  'setup.token': 'Konfigurationskod',
  'setup.token_hint':
    'Den finns i tjänstens logg, efter ”token=” på raden som börjar med ”setup:”.',
  'setup.no_token':
    'Konfigurationskoden saknas i adressen. Kopiera hela adressen från loggen eller ange koden.',
  'setup.wrong_token':
    'Fel konfigurationskod. Tjänsten skapar en ny vid varje start: använd den senaste raden med ' +
    '”setup:” i loggen.',
  'setup.taken': 'Tjänsten har konfigurerats under tiden. Inget av det du angav har sparats.',
  'setup.address_title': 'Namn och adress',
  'setup.app_name': 'Tjänstens namn',
  'setup.app_name_hint': 'Visas på varje sida och i varje mejl.',
  'setup.other_address':
    'Du öppnade sidan på {here}, men länkar börjar med {address}. Kan mottagare inte nå den ' +
    'adressen? Rätta då BASE_URL och starta om tjänsten.',
  'setup.links_begin': 'Länkar börjar med {address}.',
  'setup.plain_http':
    'Adressen är inte krypterad: filer och lösenord kan läsas på vägen. Om du inte litar på ' +
    'nätverket bör du placera en HTTPS-proxy framför tjänsten och ange dess https-adress i ' +
    'BASE_URL.',
  'setup.no_cookie':
    'BASE_URL börjar med https, så webbläsare håller dig bara inloggad på den adressen. Slutför ' +
    'konfigurationen här och logga sedan in på {address}.',
  'setup.proxy_believed': 'Tjänsten ligger bakom en betrodd proxy. Din adress är {ip}.',
  'setup.proxy_ignored':
    'Tjänsten ligger bakom en proxy som inte finns i TRUST_PROXY. Därför har alla adressen {ip}, ' +
    'och en persons felaktiga lösenord låser ute alla. Ange proxyns adress i TRUST_PROXY och ' +
    'starta om tjänsten.',
  'setup.proxy_silent':
    'TRUST_PROXY är angivet, men den här begäran från {ip} saknar headern X-Forwarded-For. Om ' +
    'det finns en proxy, konfigurera den så att den skickar den headern.',
  'setup.limits_title': 'Lagring och gränser',
  'setup.share_limit': 'Största delning (GB)',
  'setup.quota': 'Lagringskvot per konto (GB)',
  'setup.unlimited': 'Lämna tomt för ingen gräns.',
  'setup.expiry': 'Länkar går ut efter',
  'setup.expiry_hint': 'Om avsändaren inte väljer något annat. Lämna tomt för aldrig.',
  'setup.unit': 'Enhet',
  'setup.unit.Hours': 'timmar',
  'setup.unit.Days': 'dagar',
  'setup.unit.Weeks': 'veckor',
  'setup.unit.Months': 'månader',
  'setup.mail_title': 'E-post',
  'setup.mail_text':
    'Med en SMTP-server kan tjänsten mejla länkar, meddela leveranser och återställa lösenord. ' +
    'Du kan också konfigurera den senare.',
  'setup.smtp_host': 'SMTP-server',
  'setup.smtp_port': 'Port',
  'setup.smtp_security': 'Kryptering',
  'setup.security.starttls': 'STARTTLS (port 587)',
  'setup.security.tls': 'TLS (port 465)',
  'setup.security.none': 'Ingen: mejl kan läsas på vägen',
  'setup.smtp_user': 'Användarnamn',
  'setup.smtp_user_hint': 'Lämna tomt om servern inte behöver något.',
  'setup.smtp_from': 'Avsändaradress',
  'setup.smtp_from_hint': 'Till exempel filer@example.org',
  'setup.test': 'Spara och skicka testmejl',
  'setup.test_sent': 'Servern tog emot mejlet till {email}. Dess svar:',
  'setup.test_failed': 'Mejlet skickades inte:',
  'setup.skip': 'Hoppa över',
  'setup.done_title': 'Din tjänst är klar',
  'setup.done_text':
    'Skicka en fil för att se att allt fungerar. Lägg sedan till konton för dem som ska ' +
    'använda tjänsten.',
  'setup.add_accounts': 'Lägg till konton',
  'setup.first_file': 'Skicka din första fil',
  'setup.sign_in': 'Logga in',
  'setup.closed_title': 'Tjänsten är redan konfigurerad',
  'setup.closed_text':
    'Logga in om du har ett konto. Fråga annars den driftansvariga för tjänsten.',
} satisfies Same<typeof english>
