import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/ready.ts'

export const texts = {
  'email.is.dead': 'misslyckades',
  'email.last': 'Senaste e-post:',
  'email.is.queued': 'på väg',
  'email.resend': 'Skicka igen',
  'email.resend_to': 'Skicka igen till {to}',
  'email.is.sent': 'skickat',
  'email.too_soon': 'Vänta en minut innan du skickar mer e-post.',
  'email.waiting': 'får länken när uppladdningen är klar',
  'ready.again': 'Skicka fler',
  'ready.by_email': 'Skicka med e-post',
  'ready.contacts_add': ['Lägg till {name} i kontakter', 'Lägg till {n} personer i kontakter'],
  'ready.contacts_added': ['Tillagd i dina kontakter.', '{n} personer tillagda i dina kontakter.'],
  'ready.copied': 'Länken har kopierats',
  'ready.copy_link': 'Kopiera länk',
  'ready.copy_password': 'Kopiera lösenord',
  'ready.expires': 'går ut {day}',
  'ready.first': ['bara den första personen', 'de {n} första'],
  'ready.interrupted': 'Uppladdningen avbröts. Mottagarna väntar tills den fortsätter.',
  'ready.link': 'Länk',
  'ready.mail_full':
    'Inget mejl skickades: kön är full. Försök igen senare eller skicka länken själv.',
  'ready.mail_limit': 'Inget mejl skickades: nedladdningsgränsen är nådd. Höj den först.',
  'ready.mail_often':
    'Filerna lades till, men inget mejl skickades: gränsen per timme är nådd. Skicka länken ' +
    'senare.',
  'ready.mail_none': 'Inget mejl skickades: e-post är inte konfigurerad. Skicka länken själv.',
  'ready.mail_queued': 'Skickas till {list}',
  'ready.open': 'Visa som mottagare',
  'ready.password_hint': 'Dela lösenordet separat. Det visas inte igen.',
  'ready.protected': 'med lösenord',
  'ready.qr': 'QR-kod',
  'ready.qr_download': 'Ladda ner QR-kod',
  'ready.qr_text': 'QR-kod för länken',
  'ready.sending_to': ['Skickas till {n} person', 'Skickas till {n} personer'],
  'ready.sent_to': ['Skickat till {n} person', 'Skickat till {n} personer'],
  'ready.share': 'Dela…',
  'ready.title': 'Din länk är klar',
  'shared.none': 'Inget kom fram. Dela filerna igen eller välj dem här.',
  'shared.text': 'Delad text.txt',
} satisfies Same<typeof english>
