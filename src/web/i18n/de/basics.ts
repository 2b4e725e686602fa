import type { Same } from '../../lib/i18n.ts'
import type { basics as english } from '../en/basics.ts'

export const basics = {
  'common.copied': 'Kopiert.',
  'common.copy': 'Kopieren',
  'common.copy_by_hand': 'Zum Kopieren Strg+C drücken.',
  'common.email': 'E-Mail',
  'field.email': 'Geben Sie eine vollständige E-Mail-Adresse ein, etwa ada@example.org.',
  'field.missing': 'Füllen Sie dieses Feld aus.',
  'field.short': 'Verwenden Sie mindestens {n} Zeichen.',
  'common.hide': 'Verbergen',
  'common.imprint': 'Impressum',
  'common.loading': 'Wird geladen…',
  'common.password': 'Passwort',
  'common.privacy': 'Datenschutz',
  'common.show': 'Zeigen',
  'common.try_again': 'Noch einmal versuchen',
  'connection.back': 'Wieder verbunden.',
  'connection.lost':
    'Keine Verbindung. Ihre Eingaben bleiben erhalten, und diese Seite macht automatisch weiter.',
  'error.cookie_blocked':
    'Die Angaben stimmen, aber Ihr Browser blockiert Cookies für diese Seite. Erlauben Sie ' +
    'sie und versuchen Sie es noch einmal.',
  'error.cookie_insecure':
    'Die Angaben stimmen, aber der Zugang bleibt nur auf einer verschlüsselten Seite ' +
    'erhalten. Öffnen Sie diese Seite unter ihrer https://-Adresse.',
  'error.not_found': 'Hier ist nichts. Vielleicht wurde es gelöscht.',
  'error.unauthorized': 'Sie sind abgemeldet.',
  'error.unavailable': 'Das ist gerade nicht möglich. Versuchen Sie es gleich noch einmal.',
  'error.unknown':
    'Etwas ist schiefgegangen. Falls Sie etwas geändert haben, prüfen Sie vor dem nächsten ' +
    'Versuch, ob es gespeichert ist.',
  'error.unreachable':
    'Der Dienst ist nicht erreichbar. Falls Sie etwas geändert haben, prüfen Sie vor dem ' +
    'nächsten Versuch, ob es gespeichert ist.',
  'error.wrong_code': 'Falscher Code. Codes wechseln alle 30 Sekunden: Prüfen Sie Ihre Uhr.',
  'error.wrong_credentials': 'E-Mail-Adresse oder Passwort ist falsch.',
  'left.hours': ['etwa {n} Stunde', 'etwa {n} Stunden'],
  'left.minutes': ['etwa {n} Minute', 'etwa {n} Minuten'],
  'left.under_minute': 'weniger als eine Minute',
  'tries.over': 'Sie können es jetzt wieder versuchen.',
  'tries.wait': 'Zu viele Versuche. Versuchen Sie es in {left} wieder.',
} satisfies Same<typeof english>
