import type { Same } from '../../lib/i18n.ts'
import type { send as english } from '../en/send.ts'

export const send = {
  'expiry.date': 'Datum…',
  'expiry.day': 'Går ut vid slutet av',
  'expiry.never': 'aldrig',
  'send.add_title': 'Lägg till en titel',
  'send.all_in': 'Uppladdat. Privat tills du hämtar länken.',
  'send.before_done': 'Du kan dela länken innan uppladdningen är klar.',
  'send.biggest': '{size} för stort. Ta bort något; de största är:',
  'send.cancel': 'Avbryt uppladdning',
  'send.cancel_text': 'Uppladdade data raderas. Listan med filer finns kvar.',
  'send.cancel_title': 'Avbryta den här uppladdningen?',
  'send.choose': 'Välj filer',
  'send.dock': 'Uppladdningar',
  'send.dock_files': ['{done} av {n} fil', '{done} av {n} filer'],
  'send.expires': 'Går ut {day}',
  'send.get_link': 'Hämta länk',
  'send.get_links': 'Hämta länkar',
  'send.held': 'Uppladdningen startar när du hämtar länken.',
  'send.keep': 'Fortsätt ladda upp',
  'send.keep_open':
    'Håll sidan öppen. Uppladdningen pausas när enheten är i viloläge och fortsätter sedan.',
  'send.kept_both': ['Båda behölls: {name}', '{n} filer fick nya namn; en heter nu {name}'],
  'send.life': 'sparas {time}',
  'send.limit': 'Upp till {size}',
  'send.link_instead': 'Hämta en länk i stället',
  'send.link_received': 'Skapa länken med det som har kommit fram',
  'send.never_expires': 'Går aldrig ut',
  'send.not_begun': 'I listan saknas {size} filer vars uppladdning inte hade börjat.',
  'send.open': 'Öppna',
  'send.other_open':
    'En annan uppladdning är öppen här. Hämta dess länk eller ta bort dess filer först.',
  'send.pick_again': 'Uppladdningen avbröts. Välj samma filer eller mappar igen för att fortsätta.',
  'send.recipients': 'Till',
  'send.recipients_hint':
    'Tryck på Enter, komma eller blanksteg för att lägga till en adress. Du kan klistra in flera ' +
    'på en gång.',
  'send.removed': '{name} har tagits bort.',
  'send.send_to': ['Skicka till {n} person', 'Skicka till {n} personer'],
  'send.slug_taken': 'Länken är redan upptagen. Välj en annan.',
  'send.start_over': 'Börja om med de här filerna',
  'send.stopped':
    'Uppladdningen har raderats eller slutförts någon annanstans. Dina filer finns kvar i listan.',
  'send.title': 'Skicka filer',
  'send.title_field': 'Titel',
  'send.uploaded': '”{name}” är helt uppladdad.',
  'recipients.added': 'Tillagda: {list}',
  'recipients.list': 'Mottagare',
  'recipients.removed': 'Borttagen: {name}',
  'ready.change': 'Redigera',
  'ready.ignored': 'Inte en e-postadress: {list}',
} satisfies Same<typeof english>
