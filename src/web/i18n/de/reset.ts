import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/reset.ts'

export const texts = {
  'invited.action': 'Passwort setzen und anmelden',
  'invited.text': 'Für Sie gibt es hier ein Konto. Wählen Sie das Passwort, und Sie sind drin.',
  'invited.title': 'Einladung',
  'invited.welcome': 'Willkommen, {name}',
  'invited.wrong':
    'Diese Einladung wurde benutzt, durch eine neuere ersetzt oder ist über 7 Tage alt. Bitten ' +
    'Sie die Person, die Sie eingeladen hat, um eine neue.',
  'reset.again': 'Einen neuen Link anfordern',
  'reset.ask': 'Link zusenden',
  'reset.asked':
    'Wenn die Adresse hier bekannt ist, ist eine Mail unterwegs. Ihr Link gilt eine Stunde.',
  'reset.done': 'Ihr neues Passwort gilt. Alle anderen Anmeldungen wurden beendet.',
  'reset.new_password': 'Neues Passwort',
  'reset.no_mail':
    'Dieser Dienst verschickt keine Mails. Bitten Sie den Betreiber um einen Link für ein neues ' +
    'Passwort.',
  'reset.rule': 'Mindestens 8 Zeichen; einige Wörter sind leicht zu merken und schwer zu raten.',
  'reset.set': 'Passwort setzen',
  'reset.set_title': 'Setzen Sie ein neues Passwort',
  'reset.title': 'Passwort vergessen?',
  'reset.to_login': 'Zur Anmeldung',
  'reset.wrong_link':
    'Dieser Link wurde benutzt oder ist über eine Stunde alt. Fordern Sie einen neuen an.',
} satisfies Same<typeof english>
