import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/setup.ts'
import { common } from './common.ts'
import { disk } from './disk.ts'

export const texts = {
  ...common,
  ...disk,
  'setup.account_title': 'Maak het beheerdersaccount',
  'common.step': 'Stap {n} van {all}',
  'setup.account_text': 'Het eerste account beheert deze dienst.',
  'setup.account_action': 'Account maken',
  'setup.password_hint':
    'Minstens 8 tekens. Een paar woorden zijn makkelijk te onthouden en moeilijk te raden.',
  'setup.token': 'Installatietoken',
  'setup.token_hint':
    'Je vindt het in het log van de dienst, na “token=” in de regel die begint met “setup:”.',
  'setup.no_token':
    'Het installatietoken ontbreekt in dit adres. Kopieer het hele adres uit het log of voer het ' +
    'token in.',
  'setup.wrong_token':
    'Onjuist installatietoken. Bij elke start maakt de dienst een nieuw token: gebruik de ' +
    'nieuwste regel met “setup:” uit het log.',
  'setup.taken':
    'Deze dienst is intussen ingesteld. Van wat je hebt ingevoerd is niets opgeslagen.',
  'setup.address_title': 'Naam en adres',
  'setup.app_name': 'Naam van de dienst',
  'setup.app_name_hint': 'Staat op elke pagina en in elke e-mail.',
  'setup.other_address':
    'Je hebt deze pagina geopend op {here}, maar links beginnen met {address}. Als ontvangers ' +
    'dat adres niet kunnen bereiken, corrigeer dan BASE_URL en start de dienst opnieuw.',
  'setup.links_begin': 'Links beginnen met {address}.',
  'setup.plain_http':
    'Dit adres is niet versleuteld: bestanden en wachtwoorden zijn onderweg leesbaar. Zet in een ' +
    'netwerk dat je niet vertrouwt een HTTPS-proxy voor de dienst en stel BASE_URL in op het ' +
    'https-adres daarvan.',
  'setup.no_cookie':
    'BASE_URL begint met https, dus je blijft alleen op dat adres ingelogd. Rond de installatie ' +
    'hier af en log dan in op {address}.',
  'setup.proxy_believed': 'De dienst staat achter een vertrouwde proxy. Je adres is {ip}.',
  'setup.proxy_ignored':
    'De dienst staat achter een proxy die niet in TRUST_PROXY staat. Daardoor heeft iedereen het ' +
    'adres {ip} en sluiten verkeerde wachtwoorden van één persoon iedereen buiten. Stel ' +
    'TRUST_PROXY in op het adres van de proxy en start de dienst opnieuw.',
  'setup.proxy_silent':
    'TRUST_PROXY is ingesteld, maar deze aanvraag van {ip} heeft geen header X-Forwarded-For. ' +
    'Als er een proxy is, stel die dan in om die header te sturen.',
  'setup.limits_title': 'Opslag en limieten',
  'setup.share_limit': 'Grootste zending (GB)',
  'setup.quota': 'Opslaglimiet per account (GB)',
  'setup.unlimited': 'Laat leeg voor geen limiet.',
  'setup.expiry': 'Links verlopen na',
  'setup.expiry_hint': 'Tenzij de afzender iets anders kiest. Laat leeg voor nooit.',
  'setup.unit': 'Eenheid',
  'setup.unit.Hours': 'uren',
  'setup.unit.Days': 'dagen',
  'setup.unit.Weeks': 'weken',
  'setup.unit.Months': 'maanden',
  'setup.mail_title': 'E-mail',
  'setup.mail_text':
    'Met een SMTP-server kan de dienst links mailen, leveringen melden en wachtwoorden opnieuw ' +
    'laten instellen. Je kunt dit ook later instellen.',
  'setup.smtp_host': 'SMTP-server',
  'setup.smtp_port': 'Poort',
  'setup.smtp_security': 'Versleuteling',
  'setup.security.starttls': 'STARTTLS (poort 587)',
  'setup.security.tls': 'TLS (poort 465)',
  'setup.security.none': 'Geen: e-mail is onderweg leesbaar',
  'setup.smtp_user': 'Gebruikersnaam',
  'setup.smtp_user_hint': 'Laat leeg als de server er geen nodig heeft.',
  'setup.smtp_from': 'Afzenderadres',
  'setup.smtp_from_hint': 'Bijvoorbeeld bestanden@example.org',
  'setup.test': 'Opslaan en testmail verzenden',
  'setup.test_sent': 'De server heeft de e-mail aan {email} geaccepteerd. Het antwoord:',
  'setup.test_failed': 'De e-mail is niet verzonden:',
  'setup.skip': 'Overslaan',
  'setup.done_title': 'Je dienst is klaar',
  'setup.done_text':
    'Verzend een bestand om te zien of alles werkt. Voeg daarna accounts toe voor wie de ' +
    'dienst gaat gebruiken.',
  'setup.add_accounts': 'Accounts toevoegen',
  'setup.first_file': 'Je eerste bestand verzenden',
  'setup.sign_in': 'Inloggen',
  'setup.closed_title': 'Deze dienst is al ingesteld',
  'setup.closed_text':
    'Heb je een account, log dan in. Vraag het anders aan de serverbeheerder van deze dienst.',
} satisfies Same<typeof english>
