import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'
import { passkey } from './passkey.ts'
import { provider } from './provider.ts'

export const texts = {
  ...provider,
  ...basics,
  ...passkey,
  'login.action': 'Oturum aç',
  'login.code': '6 haneli kod',
  'login.code_title': '6 haneli kodunuzu girin',
  'login.forgot': 'Parolanızı mı unuttunuz?',
  'login.other_account': 'Başka bir hesap kullan',
  'login.passkey': 'Geçiş anahtarıyla oturum aç',
  'login.passkey_title': 'Geçiş anahtarınızla onaylayın',
  'login.recovery_code': 'Kurtarma kodu',
  'login.recovery_title': 'Bir kurtarma kodu girin',
  'login.remember': 'Oturumum açık kalsın',
  'login.remember_hint': 'Ortak bilgisayarlarda kapatırsanız oturumunuz 12 saat sonra kapanır.',
  'login.title': 'Oturum açın',
  'login.use_code': '6 haneli kodu kullan',
  'login.use_recovery': 'Kurtarma kodu kullan',
  'error.account_disabled': 'Bu hesap devre dışı. Yöneticinize başvurun.',
  'error.account_exists':
    'Hesabınız bu sağlayıcıya bağlı değil. Başka bir yolla giriş yapıp Hesap bölümünde ' +
    'bağlayın.',
  'error.email_not_verified': 'Sağlayıcı size ait doğrulanmış bir e-posta adresi bilmiyor.',
  'error.no_account': 'Burada hesabınız yok. Yöneticinizden isteyin.',
  'error.password_sign_in_off': 'Bu hizmet parola kabul etmiyor. Aşağıdaki bir düğmeyi kullanın.',
  'login.provider': '{name} ile devam et',
  'login.sign_up': 'Hesap oluştur',
  'error.account_waiting': 'Önce bir yöneticinin hesabınızı onaylaması gerekiyor.',
} satisfies Same<typeof english>
