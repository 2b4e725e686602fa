import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/setup.ts'
import { common } from './common.ts'
import { disk } from './disk.ts'

export const texts = {
  ...common,
  ...disk,
  'setup.account_title': 'Administratorkonto anlegen',
  'common.step': 'Schritt {n} von {all}',
  'setup.account_text': 'Das erste Konto verwaltet diesen Dienst.',
  'setup.account_action': 'Konto anlegen',
  'setup.password_hint':
    'Mindestens 8 Zeichen. Ein paar Wörter sind leicht zu merken und schwer zu erraten.',
  'setup.token': 'Einrichtungscode',
  'setup.token_hint':
    'Sie finden ihn im Log des Dienstes, hinter „token=“ in der Zeile, die mit „setup:“ beginnt.',
  'setup.no_token':
    'In dieser Adresse fehlt der Einrichtungscode. Kopieren Sie die ganze Adresse aus dem ' +
    'Log, oder geben Sie den Code ein.',
  'setup.wrong_token':
    'Falscher Einrichtungscode. Jeder Start des Dienstes erzeugt einen neuen: Nehmen Sie ihn ' +
    'aus der neuesten Zeile „setup:“ im Log.',
  'setup.taken':
    'Dieser Dienst wurde inzwischen eingerichtet. Von Ihren Eingaben wurde nichts gespeichert.',
  'setup.address_title': 'Name und Adresse',
  'setup.app_name': 'Name dieses Dienstes',
  'setup.app_name_hint': 'Erscheint auf jeder Seite und in jeder E-Mail.',
  'setup.other_address':
    'Sie haben diese Seite unter {here} geöffnet, aber Links beginnen mit {address}. Falls ' +
    'Empfänger diese Adresse nicht erreichen, korrigieren Sie BASE_URL und starten Sie den ' +
    'Dienst neu.',
  'setup.links_begin': 'Links beginnen mit {address}.',
  'setup.plain_http':
    'Diese Adresse ist nicht verschlüsselt: Dateien und Passwörter sind unterwegs lesbar. In ' +
    'einem Netz, dem Sie nicht vertrauen, setzen Sie einen HTTPS-Proxy vor den Dienst und ' +
    'BASE_URL auf dessen https-Adresse.',
  'setup.no_cookie':
    'BASE_URL beginnt mit https, daher bleiben Sie nur unter dieser Adresse angemeldet. ' +
    'Schließen Sie die Einrichtung hier ab, und melden Sie sich dann unter {address} an.',
  'setup.proxy_believed':
    'Der Dienst steht hinter einem vertrauenswürdigen Proxy. Ihre Adresse ist {ip}.',
  'setup.proxy_ignored':
    'Der Dienst steht hinter einem Proxy, den TRUST_PROXY nicht nennt. Daher haben alle die ' +
    'Adresse {ip}, und falsche Passwörter einer Person sperren alle aus. Setzen Sie ' +
    'TRUST_PROXY auf die Adresse des Proxys und starten Sie den Dienst neu.',
  'setup.proxy_silent':
    'TRUST_PROXY ist gesetzt, aber diese Anfrage von {ip} hat keinen Header X-Forwarded-For. ' +
    'Falls es einen Proxy gibt, muss er diesen Header senden.',
  'setup.limits_title': 'Speicher und Grenzen',
  'setup.share_limit': 'Größte Freigabe (GB)',
  'setup.quota': 'Speicherplatz pro Konto (GB)',
  'setup.unlimited': 'Leer lassen für keine Grenze.',
  'setup.expiry': 'Links laufen ab nach',
  'setup.expiry_hint': 'Wenn beim Senden nichts anderes gewählt wird. Leer lassen für nie.',
  'setup.unit': 'Einheit',
  'setup.unit.Hours': 'Stunden',
  'setup.unit.Days': 'Tagen',
  'setup.unit.Weeks': 'Wochen',
  'setup.unit.Months': 'Monaten',
  'setup.mail_title': 'E-Mail',
  'setup.mail_text':
    'Mit einem SMTP-Server kann der Dienst Links senden, Lieferungen melden und Passwörter ' +
    'zurücksetzen. Sie können ihn auch später einrichten.',
  'setup.smtp_host': 'SMTP-Server',
  'setup.smtp_port': 'Port',
  'setup.smtp_security': 'Verschlüsselung',
  'setup.security.starttls': 'STARTTLS (Port 587)',
  'setup.security.tls': 'TLS (Port 465)',
  'setup.security.none': 'Keine: E-Mails sind unterwegs lesbar',
  'setup.smtp_user': 'Benutzername',
  'setup.smtp_user_hint': 'Leer lassen, wenn der Server keinen verlangt.',
  'setup.smtp_from': 'Absenderadresse',
  'setup.smtp_from_hint': 'Zum Beispiel dateien@example.org',
  'setup.test': 'Speichern und Test-E-Mail senden',
  'setup.test_sent': 'Der Server hat die E-Mail an {email} angenommen. Seine Antwort:',
  'setup.test_failed': 'Die E-Mail wurde nicht gesendet:',
  'setup.skip': 'Überspringen',
  'setup.done_title': 'Ihr Dienst ist bereit',
  'setup.done_text':
    'Senden Sie eine Datei, um zu sehen, dass alles funktioniert. Legen Sie danach Konten ' +
    'für alle an, die den Dienst nutzen.',
  'setup.add_accounts': 'Konten anlegen',
  'setup.first_file': 'Die erste Datei senden',
  'setup.sign_in': 'Anmelden',
  'setup.closed_title': 'Dieser Dienst ist schon eingerichtet',
  'setup.closed_text':
    'Wenn Sie ein Konto haben, melden Sie sich an. Sonst fragen Sie den Betreiber dieses Dienstes.',
} satisfies Same<typeof english>
