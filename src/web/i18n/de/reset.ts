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
  'reset.rule':
    'Mindestens 8 Zeichen. Ein paar Wörter sind leicht zu merken und schwer zu erraten.',
  'reset.sent': 'Sehen Sie in Ihre E-Mails',
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
  'signup.action': 'Konto anlegen',
  'signup.asked': 'Sehen Sie in Ihre E-Mails. Der Link darin gilt 24 Stunden.',
  'signup.name': 'Name',
  'signup.needs_approval': 'Ein Administrator gibt neue Konten frei.',
  'signup.signed_in':
    'Sie sind schon angemeldet. Melden Sie sich erst ab, um ein weiteres Konto anzulegen.',
  'signup.to_app': 'Weiter',
  'signup.title': 'Konto anlegen',
  'signup.waits':
    'Ein Administrator muss Ihr Konto freigeben. Sie erhalten eine E-Mail, sobald Sie sich ' +
    'anmelden können.',
  'error.sign_up_off': 'Sie können hier kein Konto selbst anlegen. Fragen Sie Ihren Administrator.',
  'error.sign_up_used': 'Ein Konto mit dieser Adresse gibt es schon. Melden Sie sich an.',
  'error.too_many_sign_ups':
    'Zu viele Personen warten auf Freigabe. Versuchen Sie es in einigen Tagen erneut.',
  'error.wrong_sign_up_link': 'Dieser Link gilt nicht mehr. Fordern Sie einen neuen an.',
} satisfies Same<typeof english>
