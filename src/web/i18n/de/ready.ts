import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/ready.ts'

export const texts = {
  'email.dead': 'fehlgeschlagen',
  'email.queued': 'unterwegs',
  'email.resend': 'Noch einmal senden',
  'email.resend_to': 'Noch einmal an {to} senden',
  'email.sent': 'gesendet',
  'email.waiting': 'bekommt den Link, sobald alles hochgeladen ist',
  'ready.again': 'Neue Freigabe',
  'ready.complete': 'Vollständig. Mit dem Link kann jetzt jeder herunterladen.',
  'ready.complete_locked': 'Fertig. Wer Link und Passwort hat, kann jetzt herunterladen.',
  'ready.contacts_add': [
    '{name} zu den Kontakten hinzufügen',
    '{n} Personen zu den Kontakten hinzufügen',
  ],
  'ready.contacts_added': [
    'Zu Ihren Kontakten hinzugefügt.',
    '{n} Personen zu Ihren Kontakten hinzugefügt.',
  ],
  'ready.copied': 'Link kopiert.',
  'ready.copied_title': 'Link kopiert. Der Upload läuft weiter: noch {percent}',
  'ready.copy_link': 'Link kopieren',
  'ready.copy_password': 'Passwort kopieren',
  'ready.expires': 'läuft am {day} ab',
  'ready.interrupted': 'Der Upload wurde unterbrochen. Empfänger sehen, dass Dateien fehlen.',
  'ready.link': 'Link',
  'ready.mail_full':
    'Keine E-Mail gesendet: Die Warteschlange ist voll. Versuchen Sie es später, oder senden ' +
    'Sie den Link selbst.',
  'ready.mail_limit':
    'Keine E-Mail gesendet: Das Download-Limit ist erreicht. Erhöhen Sie es zuerst.',
  'ready.mail_none':
    'Keine E-Mail gesendet: E-Mail ist nicht eingerichtet. Senden Sie den Link selbst.',
  'ready.mail_queued': 'Unterwegs an {list}.',
  'ready.no_expiry': 'läuft nie ab',
  'ready.open': 'Als Empfänger öffnen',
  'ready.password_hint': 'Teilen Sie das Passwort getrennt mit. Es wird nicht noch einmal gezeigt.',
  'ready.protected': 'mit Passwort',
  'ready.qr': 'QR-Code',
  'ready.qr_copy': 'QR-Code kopieren',
  'ready.qr_download': 'QR-Code herunterladen',
  'ready.qr_not_copied': 'Der QR-Code lässt sich hier nicht kopieren. Laden Sie ihn herunter.',
  'ready.qr_text': 'QR-Code des Links',
  'ready.send': 'Senden',
  'ready.share': 'Teilen…',
  'ready.title': 'Ihr Link ist fertig',
  'shared.none':
    'Es ist nichts angekommen. Teilen Sie die Dateien noch einmal, oder wählen Sie sie hier ' +
    'aus.',
  'shared.text': 'Geteilter Text.txt',
} satisfies Same<typeof english>
