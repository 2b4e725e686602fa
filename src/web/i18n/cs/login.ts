import type { Same, Three } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'
import { passkey } from './passkey.ts'

export const texts = {
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
} satisfies Same<typeof english, Three>
