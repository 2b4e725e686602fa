import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/guest.ts'
import { common } from './common.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'
import { upload } from './upload.ts'
import { uploadTotal } from './upload-total.ts'

export const texts = {
  ...common,
  ...theme,
  ...unlock,
  ...upload,
  ...uploadTotal,
  'guest.again': 'Skicka fler',
  'guest.arrived': ['{n} fil mottagen ({size}).', '{n} filer mottagna ({size}).'],
  'guest.asks': '{owner} ber dig om',
  'guest.is.closed':
    'Bara en leverans var möjlig, och den har gjorts. Dina filer levererades inte.',
  'guest.continue': 'Fortsätt',
  'guest.discard': 'Kassera',
  'guest.elsewhere': 'En annan flik skickar redan de här filerna.',
  'guest.field.email': 'Din e-postadress',
  'guest.is.expired': 'Förfrågan är nu stängd. Dina filer levererades inte.',
  'guest.has': ['{owner} har fått {n} fil ({size}).', '{owner} har fått {n} filer ({size}).'],
  'guest.limit': 'upp till {size}',
  'guest.more': 'Lägg till ditt namn eller en anteckning',
  'guest.field.name': 'Ditt namn',
  'guest.field.note': 'Meddelande',
  'guest.once': 'för en leverans',
  'guest.only': 'bara {kinds}',
  'guest.open': 'Håll sidan öppen. Om du stänger den öppnar du länken igen för att fortsätta.',
  'guest.optional': '{name} (valfritt)',
  'guest.pick_again': 'Välj samma filer igen för att fortsätta där du slutade.',
  'guest.quote': 'Uppge den om du kontaktar {owner}.',
  'guest.reference': 'Din referens är {reference}.',
  'guest.send': ['Skicka {n} fil ({size})', 'Skicka {n} filer ({size})'],
  'guest.sending': 'Dina filer skickas',
  'guest.sending_to': 'Skickar till {owner}',
  'guest.start_over': 'Börja om',
  'guest.stopped': 'Uppladdningen kan inte fortsätta. Dina filer är fortfarande valda: börja om.',
  'guest.thanks': 'Tack',
  'guest.to': 'Dina filer går bara till {owner}.',
  'guest.to_shared': 'Dina filer går till {owner}, som får dela dem med andra.',
  'guest.to_whom_shared':
    'Dina filer går till den som skickade länken till dig. Den personen får dela dem med andra.',
  'guest.to_whom': 'Dina filer går bara till den som skickade länken till dig.',
  'guest.too_big': '{size} för stort: ta bort något.',
  'guest.unfinished': 'Ofullständig uppladdning ({when}): {files}.',
  'guest.until': 'öppen till {day}',
} satisfies Same<typeof english>
