import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/app.ts'
import { common } from './common.ts'
import { passkey } from './passkey.ts'
import { send } from './send.ts'
import { states } from './states.ts'
import { uploadTotal } from './upload-total.ts'
import { upload } from './upload.ts'

export const texts = {
  ...common,
  ...passkey,
  ...send,
  ...states,
  ...upload,
  ...uploadTotal,
  'error.already_complete':
    'Dieser Upload ist schon fertig. Laden Sie die Seite neu, um ihn zu sehen.',
  'error.confirmation_required':
    'Es wurde nichts geändert: Bestätigen Sie dafür, dass Sie es sind.',
  'error.last_administrator': 'Der Dienst braucht mindestens einen Administrator.',
  'error.too_many_contacts':
    'Ihre Kontaktliste ist voll. Entfernen Sie einen Kontakt, um einen anderen hinzuzufügen.',
  'error.wrong_current_password': 'Das aktuelle Passwort ist falsch.',
  'error.wrong_second_factor': 'Dieser Code ist falsch oder wurde schon benutzt.',
  'links.local': 'Links beginnen mit {base} und führen damit alle auf den eigenen Rechner.',
  'links.local_advice':
    'Setzen Sie BASE_URL auf die Adresse, die sie öffnen, etwa {address}, und starten Sie ' +
    'den Dienst neu.',
  'common.more': 'Mehr anzeigen',
  'nav.account': 'Konto',
  'nav.account_settings': 'Kontoeinstellungen',
  'nav.admin': 'Verwaltung',
  'nav.main': 'Hauptmenü',
  'nav.new': 'neu',
  'nav.requests': 'Anfragen',
  'nav.send': 'Senden',
  'nav.shares': 'Freigaben',
  'nav.sign_out': 'Abmelden',
  'no_mail.text': 'E-Mail ist aus: Es ist kein Mailserver eingerichtet.',
  'no_mail.action': 'E-Mail einrichten',
  'missing.title': 'Seite nicht gefunden',
  'missing.text': 'Vielleicht ist die Adresse falsch, oder die Seite wurde gelöscht.',
  'common.unopened': 'Diese Seite ließ sich nicht öffnen',
  'confirm.title': 'Bestätigen Sie, dass Sie es sind',
  'confirm.text': 'Danach werden Sie zehn Minuten lang nicht gefragt.',
  'confirm.either': 'Ihr Passwort oder ein Code genügt.',
  'confirm.action': 'Bestätigen',
  'session.title': 'Bitte melden Sie sich wieder an',
  'session.text': 'Ihre Sitzung ist abgelaufen. Melden Sie sich an, um fortzufahren.',
  'session.sign_in': 'Anmelden',
  'session.code': '6-stelliger Code oder Notfallcode',
  'common.just_now': 'gerade eben',
  'session.other_way': 'Anders anmelden',
} satisfies Same<typeof english>
