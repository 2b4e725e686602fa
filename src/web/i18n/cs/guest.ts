import type { Same, Three } from '../../lib/i18n.ts'
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
  'guest.again': 'Poslat další',
  'guest.arrived': [
    'Přijat {n} soubor ({size}).',
    'Přijaty {n} soubory ({size}).',
    'Přijato {n} souborů ({size}).',
  ],
  'guest.asks': '{owner} vás žádá o',
  'guest.is.closed':
    'Bylo možné odeslat jen jednu zásilku a ta už dorazila. Vaše soubory nebyly doručeny.',
  'guest.continue': 'Pokračovat',
  'guest.discard': 'Zahodit',
  'guest.elsewhere': 'Tyto soubory už posílá jiná karta.',
  'guest.field.email': 'Váš e-mail',
  'guest.is.expired': 'Tato žádost už je uzavřená. Vaše soubory nebyly doručeny.',
  'guest.has': [
    '{owner} má {n} soubor ({size}).',
    '{owner} má {n} soubory ({size}).',
    '{owner} má {n} souborů ({size}).',
  ],
  'guest.limit': 'nejvýše {size}',
  'guest.more': 'Přidat jméno nebo poznámku',
  'guest.field.name': 'Vaše jméno',
  'guest.field.note': 'Zpráva',
  'guest.once': 'pro jednu zásilku',
  'guest.only': 'jen {kinds}',
  'guest.open':
    'Nechte tuto stránku otevřenou. Když ji zavřete, pokračujte novým otevřením odkazu.',
  'guest.optional': '{name} (nepovinné)',
  'guest.pick_again': 'Chcete-li pokračovat, vyberte znovu stejné soubory.',
  'guest.quote': 'Uveďte ho, když budete kontaktovat odesílatele žádosti ({owner}).',
  'guest.reference': 'Číslo zásilky: {reference}.',
  'guest.send': [
    'Poslat {n} soubor ({size})',
    'Poslat {n} soubory ({size})',
    'Poslat {n} souborů ({size})',
  ],
  'guest.sending': 'Soubory se posílají',
  'guest.sending_to': 'Odesílá se (příjemce: {owner})',
  'guest.start_over': 'Začít znovu',
  'guest.stopped': 'V tomto nahrávání nelze pokračovat. Soubory jsou stále vybrané: začněte znovu.',
  'guest.thanks': 'Děkujeme',
  'guest.to': 'Vaše soubory dostane jen {owner}.',
  'guest.to_shared': 'Vaše soubory dostane {owner} a může je sdílet s ostatními.',
  'guest.to_whom_shared':
    'Vaše soubory dostane osoba, od které máte tento odkaz, a může je sdílet s ostatními.',
  'guest.to_whom': 'Vaše soubory dostane jen osoba, od které máte tento odkaz.',
  'guest.too_big': 'Limit překročen o {size}: něco odeberte.',
  'guest.unfinished': 'Nedokončené nahrávání ({when}): {files}.',
  'guest.until': 'otevřená do {day}',
} satisfies Same<typeof english, Three>
