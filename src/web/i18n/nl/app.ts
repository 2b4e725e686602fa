import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/app.ts'
import { common } from './common.ts'
import { passkey } from './passkey.ts'
import { send } from './send.ts'
import { states } from './states.ts'
import { uploadTotal } from './upload-total.ts'
import { upload } from './upload.ts'

export const texts = {
  ...common,
  ...passkey,
  ...send,
  ...states,
  ...upload,
  ...uploadTotal,
  'error.already_complete': 'Deze upload is al voltooid. Laad de pagina opnieuw om hem te zien.',
  'error.confirmation_required': 'Er is niets gewijzigd: bevestig eerst dat jij het bent.',
  'error.last_administrator': 'De dienst heeft minstens één beheerder nodig.',
  'error.too_many_contacts':
    'Je contactenlijst is vol. Verwijder een contact om een ander toe te voegen.',
  'error.wrong_current_password': 'Het huidige wachtwoord is onjuist.',
  'error.wrong_second_factor': 'Deze code is onjuist of al gebruikt.',
  'links.local': 'Links beginnen met {base} en leiden iedereen naar de eigen computer.',
  'links.local_advice':
    'Stel BASE_URL in op het adres dat mensen openen, zoals {address}, en herstart de service.',
  'common.more': 'Meer tonen',
  'nav.account': 'Account',
  'nav.account_settings': 'Accountinstellingen',
  'nav.admin': 'Beheer',
  'nav.main': 'Hoofdmenu',
  'nav.new': 'nieuw',
  'nav.requests': 'Verzoeken',
  'nav.send': 'Verzenden',
  'nav.shares': 'Zendingen',
  'nav.sign_out': 'Uitloggen',
  'no_mail.text': 'E-mail staat uit: er is geen mailserver ingesteld.',
  'no_mail.action': 'E-mail instellen',
  'missing.title': 'Pagina niet gevonden',
  'missing.text': 'Misschien klopt het adres niet, of is de pagina verwijderd.',
  'common.unopened': 'Deze pagina kon niet worden geopend',
  'confirm.title': 'Bevestig dat jij het bent',
  'confirm.text': 'Daarna wordt er 10 minuten niet meer om gevraagd.',
  'confirm.either': 'Je wachtwoord of een code is genoeg.',
  'confirm.action': 'Bevestigen',
  'session.title': 'Log opnieuw in',
  'session.text': 'Je sessie is beëindigd. Log in om verder te gaan waar je was gebleven.',
  'session.sign_in': 'Inloggen',
  'session.code': '6-cijferige code of herstelcode',
  'common.just_now': 'zojuist',
  'session.other_way': 'Op een andere manier inloggen',
} satisfies Same<typeof english>
