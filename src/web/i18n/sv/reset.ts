import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/reset.ts'

export const texts = {
  'invited.action': 'Ange lösenord och logga in',
  'invited.text': 'Ett konto har skapats åt dig. Välj ett lösenord för att logga in.',
  'invited.title': 'Inbjudan',
  'invited.welcome': 'Välkommen, {name}',
  'invited.wrong': 'Inbjudan gäller inte längre. Be om en ny.',
  'reset.again': 'Begär en ny länk',
  'reset.ask': 'Mejla mig en länk',
  'reset.asked':
    'Om ett konto har den här adressen är ett mejl på väg. Länken i det gäller i en timme.',
  'reset.done': 'Lösenordet har bytts. Alla andra sessioner har avslutats.',
  'reset.new_password': 'Nytt lösenord',
  'reset.no_mail':
    'Tjänsten skickar inte mejl. Be den driftansvariga om en länk för lösenordsåterställning.',
  'reset.rule': 'Minst 8 tecken. Några ord är lätta att minnas och svåra att gissa.',
  'reset.sent': 'Läs din e-post',
  'reset.set': 'Ange lösenord',
  'reset.set_title': 'Ange ett nytt lösenord',
  'reset.title': 'Glömt lösenordet?',
  'reset.to_login': 'Till inloggningen',
  'reset.wrong_link': 'Länken gäller inte längre. Begär en ny.',
  'error.wrong_proxy_user': 'Du kan inte logga in här med det här kontot. Fråga administratören.',
  'proxy.action': 'Fortsätt som {name}',
  'proxy.text': 'Du är inloggad hos din organisation.',
  'signup.action': 'Skapa konto',
  'signup.asked': 'Läs din e-post. Länken i mejlet gäller i 24 timmar.',
  'signup.name': 'Namn',
  'signup.needs_approval': 'En administratör godkänner nya konton.',
  'signup.signed_in': 'Du är redan inloggad. Logga ut först för att skapa ett till konto.',
  'signup.to_app': 'Fortsätt',
  'signup.title': 'Skapa ett konto',
  'signup.waits':
    'En administratör måste godkänna ditt konto. Du får ett mejl när du kan logga in.',
  'error.sign_up_off': 'Du kan inte skapa ett konto här själv. Fråga administratören.',
  'error.sign_up_used': 'Det finns redan ett konto med den här adressen. Logga in.',
  'error.too_many_sign_ups': 'För många väntar på godkännande. Försök igen om några dagar.',
  'error.wrong_sign_up_link': 'Länken gäller inte längre. Begär en ny.',
} satisfies Same<typeof english>
