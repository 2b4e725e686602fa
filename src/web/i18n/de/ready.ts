import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/ready.ts'

export const texts = {
  'email.is.dead': 'fehlgeschlagen',
  'email.last': 'Letzte E-Mail:',
  'email.is.queued': 'unterwegs',
  'email.resend': 'Noch einmal senden',
  'email.resend_to': 'Noch einmal an {to} senden',
  'email.is.sent': 'gesendet',
  'email.too_soon': 'Warten Sie eine Minute, bevor Sie noch eine E-Mail senden.',
  'email.waiting': 'bekommt den Link, sobald alles hochgeladen ist',
  'ready.again': 'Noch etwas senden',
  'ready.by_email': 'Per E-Mail senden',
  'ready.contacts_add': [
    '{name} zu den Kontakten hinzufügen',
    '{n} Personen zu den Kontakten hinzufügen',
  ],
  'ready.contacts_added': [
    'Zu Ihren Kontakten hinzugefügt.',
    '{n} Personen zu Ihren Kontakten hinzugefügt.',
  ],
  'ready.copied': 'Link kopiert',
  'ready.copy_link': 'Link kopieren',
  'ready.copy_password': 'Passwort kopieren',
  'ready.expires': 'läuft am {day} ab',
  'ready.first': ['nur die erste Person', 'erste {n} Personen'],
  'ready.interrupted': 'Der Upload wurde unterbrochen. Empfänger warten, bis er fortgesetzt wird.',
  'ready.link': 'Link',
  'ready.mail_full':
    'Keine E-Mail gesendet: Die Warteschlange ist voll. Versuchen Sie es später, oder senden ' +
    'Sie den Link selbst.',
  'ready.mail_limit':
    'Keine E-Mail gesendet: Das Download-Limit ist erreicht. Erhöhen Sie es zuerst.',
  'ready.mail_often': 'Es wurde keine E-Mail gesendet: Das Limit pro Stunde ist erreicht.',
  'ready.mail_none':
    'Keine E-Mail gesendet: E-Mail ist nicht eingerichtet. Senden Sie den Link selbst.',
  'ready.mail_queued': 'Wird gesendet an {list}',
  'ready.open': 'Als Empfänger ansehen',
  'ready.password_hint': 'Teilen Sie das Passwort getrennt mit. Es wird nicht noch einmal gezeigt.',
  'ready.protected': 'mit Passwort',
  'ready.qr': 'QR-Code',
  'ready.qr_download': 'QR-Code herunterladen',
  'ready.qr_text': 'QR-Code des Links',
  'ready.sending_to': ['Wird an {n} Person gesendet', 'Wird an {n} Personen gesendet'],
  'ready.sent_to': ['An {n} Person gesendet', 'An {n} Personen gesendet'],
  'ready.share': 'Teilen…',
  'ready.title': 'Ihr Link ist fertig',
  'shared.none':
    'Es ist nichts angekommen. Teilen Sie die Dateien noch einmal, oder wählen Sie sie hier ' +
    'aus.',
  'shared.text': 'Geteilter Text.txt',
} satisfies Same<typeof english>
