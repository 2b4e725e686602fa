import type { Same, Three } from '../../lib/i18n.ts'
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
  'error.already_complete': 'Toto nahrávání už je dokončené. Uvidíte ho po novém načtení stránky.',
  'error.confirmation_required': 'Nic se nezměnilo: nejdřív potvrďte, že jste to vy.',
  'error.last_administrator': 'Služba potřebuje aspoň jednoho správce.',
  'error.too_many_contacts': 'Seznam kontaktů je plný. Než přidáte další, některý odeberte.',
  'error.wrong_current_password': 'Současné heslo není správné.',
  'error.wrong_second_factor': 'Tento kód není správný nebo už byl použit.',
  'links.local': 'Odkazy začínají na {base}, a tak každého vedou na jeho vlastní počítač.',
  'links.local_advice':
    'Nastavte BASE_URL na adresu, kterou lidé otevírají, například {address}, a službu ' +
    'restartujte.',
  'common.more': 'Zobrazit další',
  'nav.account': 'Účet',
  'nav.account_settings': 'Nastavení účtu',
  'nav.admin': 'Správa',
  'nav.main': 'Hlavní nabídka',
  'nav.new': 'k prohlédnutí',
  'nav.requests': 'Žádosti',
  'nav.send': 'Poslat',
  'nav.shares': 'Sdílení',
  'nav.sign_out': 'Odhlásit se',
  'no_mail.text': 'E-mail je vypnutý: není nastavený poštovní server.',
  'no_mail.action': 'Nastavit e-mail',
  'missing.title': 'Stránka nenalezena',
  'missing.text': 'Adresa možná není správná nebo byla stránka smazána.',
  'common.unopened': 'Tuto stránku se nepodařilo otevřít',
  'confirm.title': 'Potvrďte, že jste to vy',
  'confirm.text': 'Dalších 10 minut to nebude potřeba znovu.',
  'confirm.either': 'Stačí heslo nebo kód.',
  'confirm.action': 'Potvrdit',
  'session.title': 'Přihlaste se znovu',
  'session.text': 'Vaše relace skončila. Po přihlášení můžete pokračovat.',
  'session.sign_in': 'Přihlásit se',
  'session.code': '6místný nebo záložní kód',
  'common.just_now': 'právě teď',
  'session.other_way': 'Přihlásit se jinak',
} satisfies Same<typeof english, Three>
