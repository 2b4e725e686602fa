import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/setup.ts'
import { common } from './common.ts'
import { disk } from './disk.ts'

export const texts = {
  ...common,
  ...disk,
  'setup.account': 'Konto',
  'setup.address': 'Name und Adresse',
  'setup.limits': 'Speicher und Grenzen',
  'setup.mail': 'E-Mail',
  'setup.done': 'Fertig',
  'setup.account_title': 'Legen Sie das Konto für die Verwaltung an',
  'setup.account_text': 'Das erste Konto verwaltet diesen Dienst. Andere kommen später dazu.',
  'setup.account_action': 'Konto anlegen',
  'setup.password_hint':
    'Mindestens 8 Zeichen; einige Wörter sind leicht zu merken und schwer zu raten.',
  'setup.token': 'Einrichtungscode',
  'setup.token_hint':
    'Er steht im Log des Dienstes: der Teil hinter „token=“ in der Zeile, die mit „setup:“ ' +
    'beginnt.',
  'setup.no_token':
    'In dieser Adresse fehlt der Einrichtungscode; so könnte jeder sie geöffnet haben.',
  'setup.wrong_token':
    'Der Einrichtungscode stimmt nicht. Bei jedem Start des Dienstes entsteht ein neuer: ' +
    'Nehmen Sie ihn aus der neuesten Zeile „setup:“ im Log.',
  'setup.taken':
    'Inzwischen hat jemand diesen Dienst eingerichtet. Von Ihren Angaben wurde nichts gespeichert.',
  'setup.address_title': 'Name und Adresse',
  'setup.app_name': 'Name dieses Dienstes',
  'setup.app_name_hint': 'Er steht auf jeder Seite und in jeder Mail.',
  'setup.links': 'Links beginnen mit {address}.',
  'setup.other_address':
    'Sie haben diese Seite unter {here} geöffnet, aber Links beginnen mit {address}. Wenn ' +
    'das nicht erreichbar ist, setzen Sie BASE_URL auf die richtige Adresse und starten Sie ' +
    'den Dienst neu.',
  'setup.plain_http':
    'Diese Adresse ist nicht verschlüsselt: Unterwegs kann jeder Dateien und Passwörter ' +
    'lesen. In einem Netz, dem Sie vertrauen, ist das in Ordnung. Sonst gehört ein Proxy ' +
    'mit Zertifikat davor, und BASE_URL auf dessen https-Adresse gesetzt.',
  'setup.no_cookie':
    'BASE_URL beginnt mit https; darum behalten Browser die Anmeldung nur unter jener ' +
    'Adresse. Sie können hier fertig einrichten; danach melden Sie sich unter {address} an.',
  'setup.proxy_believed': 'Vor dem Dienst steht ein Proxy, dem geglaubt wird: Sie kommen von {ip}.',
  'setup.proxy_ignored':
    'Vor dem Dienst steht ein Proxy, aber TRUST_PROXY nennt ihn nicht. So zählen alle als ' +
    '{ip}: Wer sich zu oft beim Passwort vertippt, sperrt alle aus. Setzen Sie TRUST_PROXY ' +
    'auf die Adresse des Proxys, und starten Sie den Dienst neu.',
  'setup.proxy_silent':
    'TRUST_PROXY ist gesetzt, aber diese Anfrage kam ohne X-Forwarded-For, von {ip}. Falls ' +
    'es einen Proxy gibt, soll er diesen Header senden.',
  'setup.limits_title': 'Speicher und Grenzen',
  'setup.share_limit': 'Größte Freigabe, in GB',
  'setup.quota': 'Speicherplatz eines Kontos, in GB',
  'setup.unlimited': 'Leer heißt unbegrenzt.',
  'setup.expiry': 'Links enden nach',
  'setup.expiry_hint': 'Wenn beim Senden nichts gewählt wird. 0 heißt nie.',
  'setup.unit': 'Einheit',
  'setup.unit.Hours': 'Stunden',
  'setup.unit.Days': 'Tagen',
  'setup.unit.Weeks': 'Wochen',
  'setup.unit.Months': 'Monaten',
  'setup.mail_title': 'E-Mail',
  'setup.mail_text':
    'Mit einem Mailserver verschickt der Dienst Links, meldet Eingänge und setzt Passwörter ' +
    'zurück. Das lässt sich auch später einrichten.',
  'setup.smtp_host': 'Mailserver',
  'setup.smtp_port': 'Port',
  'setup.smtp_security': 'Verschlüsselung',
  'setup.security.starttls': 'STARTTLS (Port 587)',
  'setup.security.tls': 'TLS (Port 465)',
  'setup.security.none': 'Keine: Unterwegs kann jeder mitlesen',
  'setup.smtp_user': 'Benutzername',
  'setup.smtp_user_hint': 'Leer, wenn der Server keinen verlangt.',
  'setup.smtp_from': 'Absender',
  'setup.smtp_from_hint': 'Zum Beispiel dateien@example.org',
  'setup.test': 'Speichern und Testmail senden',
  'setup.test_sent': 'Der Server hat eine Mail an {email} angenommen. Er sagte:',
  'setup.test_failed': 'Die Mail wurde nicht angenommen. Was geschah:',
  'setup.skip': 'Überspringen',
  'setup.done_title': 'Ihr Dienst ist bereit',
  'setup.done_text':
    'Alles, was Sie gewählt haben, ist gespeichert und lässt sich unter „Verwaltung“ ' +
    'ändern. Dort bekommen auch andere ein Konto.',
  'setup.first_file': 'Die erste Datei senden',
  'setup.sign_in': 'Anmelden',
  'setup.closed_title': 'Dieser Dienst ist eingerichtet',
  'setup.closed_text':
    'Er hat schon jemanden, der ihn verwaltet. Wenn Sie hier ein Konto haben, melden Sie ' +
    'sich an. Sonst fragen Sie, wer diesen Dienst betreibt.',
} satisfies Same<typeof english>
