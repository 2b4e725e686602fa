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
  'guest.again': 'Meer verzenden',
  'guest.arrived': ['{n} bestand ontvangen ({size}).', '{n} bestanden ontvangen ({size}).'],
  'guest.asks': '{owner} vraagt je om',
  'guest.is.closed':
    'Er was maar één levering mogelijk, en die is gedaan. Je bestanden zijn niet bezorgd.',
  'guest.continue': 'Doorgaan',
  'guest.discard': 'Weggooien',
  'guest.elsewhere': 'Een ander tabblad verzendt deze bestanden al.',
  'guest.field.email': 'Je e-mailadres',
  'guest.is.expired': 'Dit verzoek is nu gesloten. Je bestanden zijn niet bezorgd.',
  'guest.has': [
    '{owner} heeft {n} bestand ontvangen ({size}).',
    '{owner} heeft {n} bestanden ontvangen ({size}).',
  ],
  'guest.limit': 'tot {size}',
  'guest.more': 'Je naam of een notitie toevoegen',
  'guest.field.name': 'Je naam',
  'guest.field.note': 'Bericht',
  'guest.once': 'voor één levering',
  'guest.only': 'alleen {kinds}',
  'guest.open':
    'Houd deze pagina open. Als je de pagina sluit, open je de link opnieuw om verder te gaan.',
  'guest.optional': '{name} (optioneel)',
  'guest.pick_again': 'Kies dezelfde bestanden opnieuw om verder te gaan waar je was gebleven.',
  'guest.quote': 'Vermeld die als je contact opneemt met {owner}.',
  'guest.reference': 'Je referentie is {reference}.',
  'guest.send': ['{n} bestand verzenden ({size})', '{n} bestanden verzenden ({size})'],
  'guest.sending': 'Je bestanden worden verzonden',
  'guest.sending_to': 'Verzenden naar {owner}',
  'guest.start_over': 'Opnieuw beginnen',
  'guest.stopped':
    'Deze upload kan niet verdergaan. Je bestanden zijn nog geselecteerd: begin opnieuw.',
  'guest.thanks': 'Bedankt',
  'guest.to': 'Je bestanden gaan alleen naar {owner}.',
  'guest.to_shared': 'Je bestanden gaan naar {owner}, die ze met anderen mag delen.',
  'guest.to_whom_shared':
    'Je bestanden gaan naar degene van wie je deze link hebt. Die mag ze met anderen delen.',
  'guest.to_whom': 'Je bestanden gaan alleen naar degene van wie je deze link hebt.',
  'guest.too_big': '{size} te groot: verwijder iets.',
  'guest.unfinished': 'Onvoltooide upload van {when}: {files}.',
  'guest.until': 'open tot {day}',
} satisfies Same<typeof english>
