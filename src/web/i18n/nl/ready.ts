import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/ready.ts'

export const texts = {
  'email.is.dead': 'mislukt',
  'email.last': 'Laatste e-mail:',
  'email.is.queued': 'onderweg',
  'email.resend': 'Opnieuw verzenden',
  'email.resend_to': 'Opnieuw verzenden aan {to}',
  'email.is.sent': 'verzonden',
  'email.too_soon': 'Wacht een minuut voordat je nog een e-mail verzendt.',
  'email.waiting': 'krijgt de link als de upload voltooid is',
  'ready.again': 'Nog iets verzenden',
  'ready.by_email': 'Per e-mail verzenden',
  'ready.contacts_add': ['{name} aan contacten toevoegen', '{n} personen aan contacten toevoegen'],
  'ready.contacts_added': [
    'Toegevoegd aan je contacten.',
    '{n} personen toegevoegd aan je contacten.',
  ],
  'ready.copied': 'Link gekopieerd',
  'ready.copy_link': 'Link kopiëren',
  'ready.copy_password': 'Wachtwoord kopiëren',
  'ready.expires': 'verloopt op {day}',
  'ready.first': ['alleen de eerste persoon', 'eerste {n} personen'],
  'ready.interrupted': 'De upload is onderbroken. Ontvangers wachten tot hij verdergaat.',
  'ready.link': 'Link',
  'ready.mail_full':
    'Er is geen e-mail verzonden: de wachtrij is vol. Probeer het later opnieuw of stuur de link ' +
    'zelf.',
  'ready.mail_limit':
    'Er is geen e-mail verzonden: de downloadlimiet is bereikt. Verhoog die eerst.',
  'ready.mail_often': 'Er is geen e-mail verzonden: de limiet per uur is bereikt.',
  'ready.mail_none': 'Er is geen e-mail verzonden: e-mail is niet ingesteld. Stuur de link zelf.',
  'ready.mail_queued': 'Wordt verzonden aan {list}',
  'ready.open': 'Bekijken als ontvanger',
  'ready.password_hint': 'Deel het wachtwoord apart. Het wordt niet opnieuw getoond.',
  'ready.protected': 'met wachtwoord',
  'ready.qr': 'QR-code',
  'ready.qr_download': 'QR-code downloaden',
  'ready.qr_text': 'QR-code van de link',
  'ready.sending_to': ['Wordt verzonden aan {n} persoon', 'Wordt verzonden aan {n} personen'],
  'ready.sent_to': ['Verzonden aan {n} persoon', 'Verzonden aan {n} personen'],
  'ready.share': 'Delen…',
  'ready.title': 'Je link is klaar',
  'shared.none': 'Er is niets aangekomen. Deel de bestanden opnieuw of kies ze hier.',
  'shared.text': 'Gedeelde tekst.txt',
} satisfies Same<typeof english>
