import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/ready.ts'

export const texts = {
  'email.dead': 'gescheitert',
  'email.queued': 'unterwegs',
  'email.resend': 'Noch einmal senden',
  'email.resend_to': 'Noch einmal an {to} senden',
  'email.sent': 'gesendet',
  'email.waiting': 'bekommt den Link, sobald alles übertragen ist',
  'ready.again': 'Neue Übertragung',
  'ready.complete': 'Vollständig. Wer den Link öffnet, kann nun herunterladen.',
  'ready.contacts_add': [
    '{name} zu den Kontakten hinzufügen',
    '{n} Personen zu den Kontakten hinzufügen',
  ],
  'ready.contacts_added': [
    'Zu Ihren Kontakten hinzugefügt.',
    '{n} Personen zu Ihren Kontakten hinzugefügt.',
  ],
  'ready.copied': 'Link kopiert.',
  'ready.copied_title': 'Link kopiert. Es wird weiter übertragen: noch {percent}',
  'ready.copy_link': 'Link kopieren',
  'ready.copy_password': 'Passwort kopieren',
  'ready.expires': 'läuft am {day} ab',
  'ready.interrupted': 'Die Übertragung wurde unterbrochen. Besucher sehen, dass Dateien fehlen.',
  'ready.link': 'Link',
  'ready.mail_full':
    'Keine Mail gesendet: Es warten schon zu viele andere. Versuchen Sie es später noch einmal, ' +
    'oder senden Sie den Link selbst.',
  'ready.mail_limit':
    'Keine Mail gesendet: Alle Downloads des Links sind verbraucht. Erhöhen Sie zuerst sein Limit.',
  'ready.mail_none': 'Keine Mail gesendet: Es gibt keinen Mailserver. Senden Sie den Link selbst.',
  'ready.mail_queued': 'Unterwegs an {list}.',
  'ready.no_expiry': 'läuft nie ab',
  'ready.open': 'Als Empfänger öffnen',
  'ready.password_hint':
    'Senden Sie es auf einem anderen Weg als den Link. Es wird nicht noch einmal gezeigt.',
  'ready.protected': 'mit Passwort',
  'ready.qr': 'QR-Code',
  'ready.qr_copy': 'QR-Code kopieren',
  'ready.qr_download': 'QR-Code herunterladen',
  'ready.qr_not_copied': 'Kopieren geht hier nicht. Laden Sie ihn stattdessen herunter.',
  'ready.qr_text': 'QR-Code des Links',
  'ready.send': 'Senden',
  'ready.share': 'Teilen…',
  'ready.title': 'Ihr Link ist fertig',
} satisfies Same<typeof english>
