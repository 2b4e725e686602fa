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
  'error.already_complete': 'Uppladdningen är redan klar. Ladda om sidan för att se den.',
  'error.confirmation_required': 'Inget har ändrats: bekräfta först att det är du.',
  'error.last_administrator': 'Tjänsten behöver minst en administratör.',
  'error.too_many_contacts':
    'Din kontaktlista är full. Ta bort en kontakt för att lägga till en annan.',
  'error.wrong_current_password': 'Det nuvarande lösenordet är fel.',
  'error.wrong_second_factor': 'Koden är fel eller har redan använts.',
  'links.local': 'Länkar börjar med {base} och leder alla till den egna datorn.',
  'links.local_advice':
    'Ställ in BASE_URL på adressen som öppnas, till exempel {address}, och starta om tjänsten.',
  'common.more': 'Visa fler',
  'nav.account': 'Konto',
  'nav.account_settings': 'Kontoinställningar',
  'nav.admin': 'Admin',
  'nav.main': 'Huvudmeny',
  'nav.new': 'sedan sist',
  'nav.requests': 'Förfrågningar',
  'nav.send': 'Skicka',
  'nav.shares': 'Delningar',
  'nav.sign_out': 'Logga ut',
  'no_mail.text': 'E-post är av: ingen e-postserver är konfigurerad.',
  'no_mail.action': 'Konfigurera e-post',
  'missing.title': 'Sidan hittades inte',
  'missing.text': 'Adressen kan vara fel, eller så har sidan raderats.',
  'common.unopened': 'Sidan kunde inte öppnas',
  'confirm.title': 'Bekräfta att det är du',
  'confirm.text': 'Sedan tillfrågas du inte på 10 minuter.',
  'confirm.either': 'Det räcker med lösenordet eller en kod.',
  'confirm.action': 'Bekräfta',
  'session.title': 'Logga in igen',
  'session.text': 'Din session har avslutats. Logga in för att fortsätta där du slutade.',
  'session.sign_in': 'Logga in',
  'session.code': '6-siffrig kod eller återställningskod',
  'common.just_now': 'just nu',
  'session.other_way': 'Logga in på ett annat sätt',
} satisfies Same<typeof english>
