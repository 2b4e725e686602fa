import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/ready.ts'

export const texts = {
  'email.dead': 'mislukt',
  'email.queued': 'onderweg',
  'email.resend': 'Opnieuw verzenden',
  'email.resend_to': 'Opnieuw verzenden aan {to}',
  'email.sent': 'verzonden',
  'email.waiting': 'krijgt de link als de upload voltooid is',
  'ready.again': 'Nieuwe zending',
  'ready.complete': 'Voltooid. Iedereen met de link kan nu downloaden.',
  'ready.complete_locked': 'Voltooid. Iedereen met de link en het wachtwoord kan nu downloaden.',
  'ready.contacts_add': ['{name} aan contacten toevoegen', '{n} personen aan contacten toevoegen'],
  'ready.contacts_added': [
    'Toegevoegd aan je contacten.',
    '{n} personen toegevoegd aan je contacten.',
  ],
  'ready.copied': 'Link gekopieerd.',
  'ready.copied_title': 'Link gekopieerd. Het uploaden gaat door: nog {percent}',
  'ready.copy_link': 'Link kopiëren',
  'ready.copy_password': 'Wachtwoord kopiëren',
  'ready.expires': 'verloopt op {day}',
  'ready.interrupted': 'De upload is onderbroken. Ontvangers zien dat er bestanden ontbreken.',
  'ready.link': 'Link',
  'ready.mail_full':
    'Er is geen e-mail verzonden: de wachtrij is vol. Probeer het later opnieuw of stuur de link ' +
    'zelf.',
  'ready.mail_limit':
    'Er is geen e-mail verzonden: de downloadlimiet is bereikt. Verhoog die eerst.',
  'ready.mail_none': 'Er is geen e-mail verzonden: e-mail is niet ingesteld. Stuur de link zelf.',
  'ready.mail_queued': 'Onderweg naar {list}.',
  'ready.no_expiry': 'verloopt nooit',
  'ready.open': 'Openen als ontvanger',
  'ready.password_hint': 'Deel het wachtwoord apart. Het wordt niet opnieuw getoond.',
  'ready.protected': 'met wachtwoord',
  'ready.qr': 'QR-code',
  'ready.qr_copy': 'QR-code kopiëren',
  'ready.qr_download': 'QR-code downloaden',
  'ready.qr_not_copied':
    'De QR-code kan hier niet worden gekopieerd. Download hem in plaats daarvan.',
  'ready.qr_text': 'QR-code van de link',
  'ready.send': 'Verzenden',
  'ready.share': 'Delen…',
  'ready.title': 'Je link is klaar',
  'shared.none': 'Er is niets aangekomen. Deel de bestanden opnieuw of kies ze hier.',
  'shared.text': 'Gedeelde tekst.txt',
} satisfies Same<typeof english>
