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
  'reset.set': 'Ange lösenord',
  'reset.set_title': 'Ange ett nytt lösenord',
  'reset.title': 'Glömt lösenordet?',
  'reset.to_login': 'Till inloggningen',
  'reset.wrong_link': 'Länken gäller inte längre. Begär en ny.',
  'error.wrong_proxy_user': 'Du kan inte logga in här med det här kontot. Fråga administratören.',
  'proxy.action': 'Fortsätt som {name}',
  'proxy.text': 'Du är inloggad hos din organisation.',
} satisfies Same<typeof english>
