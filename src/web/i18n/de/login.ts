import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'
import { passkey } from './passkey.ts'
import { provider } from './provider.ts'

export const texts = {
  ...provider,
  ...basics,
  ...passkey,
  'login.action': 'Anmelden',
  'login.code': '6-stelliger Code',
  'login.code_title': 'Geben Sie Ihren 6-stelligen Code ein',
  'login.forgot': 'Passwort vergessen?',
  'login.other_account': 'Ein anderes Konto verwenden',
  'login.passkey': 'Mit einem Passkey anmelden',
  'login.passkey_title': 'Bestätigen Sie mit Ihrem Passkey',
  'login.recovery_code': 'Notfallcode',
  'login.recovery_title': 'Geben Sie einen Notfallcode ein',
  'login.remember': 'Angemeldet bleiben',
  'login.remember_hint':
    'Auf gemeinsam genutzten Geräten ausschalten. Dann werden Sie nach 12 Stunden abgemeldet.',
  'login.title': 'Anmelden',
  'login.use_code': 'Den 6-stelligen Code verwenden',
  'login.use_recovery': 'Einen Notfallcode verwenden',
  'error.account_disabled': 'Dieses Konto ist gesperrt. Fragen Sie Ihren Administrator.',
  'error.account_exists':
    'Ihr Konto ist nicht mit diesem Anbieter verknüpft. Melden Sie sich anders an und ' +
    'verknüpfen Sie es unter „Konto“.',
  'error.email_not_verified': 'Der Anbieter kennt keine bestätigte E-Mail-Adresse von Ihnen.',
  'error.no_account': 'Sie haben hier kein Konto. Bitten Sie Ihren Administrator um eines.',
  'error.password_sign_in_off':
    'Dieser Dienst nimmt keine Passwörter an. Nutzen Sie eine Taste unten.',
  'login.provider': 'Weiter mit {name}',
  'login.sign_up': 'Konto anlegen',
  'error.account_waiting': 'Ein Administrator muss Ihr Konto erst freigeben.',
} satisfies Same<typeof english>
