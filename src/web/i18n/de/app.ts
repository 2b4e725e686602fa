import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/app.ts'
import { common } from './common.ts'
import { send } from './send.ts'
import { uploadTotal } from './upload-total.ts'
import { upload } from './upload.ts'

export const texts = {
  ...common,
  ...send,
  ...upload,
  ...uploadTotal,
  'error.already_complete':
    'Diese Übertragung ist schon fertig. Laden Sie die Seite neu, um sie zu sehen.',
  'error.confirmation_required': 'Nichts ist geschehen: Dafür wird Ihr Passwort gebraucht.',
  'error.last_administrator': 'Der letzte Administrator muss einer bleiben.',
  'error.too_many_contacts':
    'Ihre Kontaktliste ist voll. Entfernen Sie Kontakte, um andere hinzuzufügen.',
  'error.wrong_current_password': 'Das jetzige Passwort stimmt nicht.',
  'error.wrong_second_factor': 'Der Code stimmt nicht oder wurde schon benutzt.',
  'nav.account': 'Konto',
  'nav.account_settings': 'Kontoeinstellungen',
  'nav.admin': 'Verwaltung',
  'nav.main': 'Hauptmenü',
  'nav.new': 'neu',
  'nav.requests': 'Anfragen',
  'nav.send': 'Senden',
  'nav.shares': 'Freigaben',
  'nav.sign_out': 'Abmelden',
  'missing.title': 'Hier ist nichts',
  'missing.text': 'Die Adresse stimmt nicht, oder was hier war, wurde gelöscht.',
  'missing.action': 'Dateien senden',
  unopened: 'Das ließ sich nicht öffnen',
  'confirm.title': 'Bitte bestätigen Sie, dass Sie es sind',
  'confirm.text':
    'Änderungen an Konten oder Sicherheit brauchen Ihr Passwort. Es gilt dann eine Stunde lang.',
  'confirm.action': 'Bestätigen',
  'session.title': 'Bitte melden Sie sich wieder an',
  'session.text':
    'Ihre Anmeldung ist abgelaufen. Nichts ist verloren: Nach der Anmeldung geht alles weiter.',
  'session.sign_in': 'Anmelden',
  'session.code': '6-stelliger Code oder Notfallcode',
} satisfies Same<typeof english>
