import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/reset.ts'

export const texts = {
  'invited.action': 'Passwort setzen und anmelden',
  'invited.text': 'Für Sie wurde ein Konto angelegt. Wählen Sie ein Passwort, um sich anzumelden.',
  'invited.title': 'Einladung',
  'invited.welcome': 'Willkommen, {name}',
  'invited.wrong': 'Diese Einladung gilt nicht mehr. Bitten Sie um eine neue.',
  'reset.again': 'Einen neuen Link anfordern',
  'reset.ask': 'Link per E-Mail senden',
  'reset.asked':
    'Falls ein Konto diese Adresse hat, ist eine E-Mail unterwegs. Ihr Link gilt eine Stunde.',
  'reset.done': 'Passwort geändert. Alle anderen Sitzungen wurden beendet.',
  'reset.new_password': 'Neues Passwort',
  'reset.no_mail':
    'Dieser Dienst sendet keine E-Mails. Bitten Sie den Betreiber um einen Link zum ' +
    'Zurücksetzen des Passworts.',
  'reset.rule': 'Mindestens 8 Zeichen. Ein paar Wörter sind leicht zu merken und schwer zu raten.',
  'reset.set': 'Passwort setzen',
  'reset.set_title': 'Setzen Sie ein neues Passwort',
  'reset.title': 'Passwort vergessen?',
  'reset.to_login': 'Zur Anmeldung',
  'reset.wrong_link': 'Dieser Link gilt nicht mehr. Fordern Sie einen neuen an.',
  'error.wrong_proxy_user':
    'Mit diesem Konto können Sie sich hier nicht anmelden. Wenden Sie sich an Ihren ' +
    'Administrator.',
  'proxy.action': 'Weiter als {name}',
  'proxy.text': 'Sie sind bei Ihrer Organisation angemeldet.',
} satisfies Same<typeof english>
