import type { Same, Three } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'
import { passkey } from './passkey.ts'
import { provider } from './provider.ts'

export const texts = {
  ...provider,
  ...basics,
  ...passkey,
  'login.action': 'Přihlásit se',
  'login.code': '6místný kód',
  'login.code_title': 'Zadejte 6místný kód',
  'login.forgot': 'Zapomenuté heslo?',
  'login.other_account': 'Použít jiný účet',
  'login.passkey': 'Přihlásit se přístupovým klíčem',
  'login.passkey_title': 'Potvrďte přístupovým klíčem',
  'login.recovery_code': 'Záložní kód',
  'login.recovery_title': 'Zadejte záložní kód',
  'login.remember': 'Neodhlašovat',
  'login.remember_hint': 'Na sdíleném počítači vypněte: odhlášení pak proběhne po 12 hodinách.',
  'login.title': 'Přihlášení',
  'login.use_code': 'Použít 6místný kód',
  'login.use_recovery': 'Použít záložní kód',
  'error.account_disabled': 'Tento účet je zakázaný. Obraťte se na správce.',
  'error.account_exists':
    'Váš účet není s tímto poskytovatelem propojen. Přihlaste se jinak a propojte ho v části ' +
    'Účet.',
  'error.email_not_verified': 'Poskytovatel nezná žádnou vaši ověřenou e-mailovou adresu.',
  'error.no_account': 'Nemáte tu účet. Požádejte o něj správce.',
  'error.password_sign_in_off': 'Tato služba nepřijímá hesla. Použijte tlačítko níže.',
  'login.provider': 'Pokračovat přes {name}',
  'login.sign_up': 'Vytvořit účet',
  'error.account_waiting': 'Správce musí váš účet nejdřív schválit.',
} satisfies Same<typeof english, Three>
