import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/reset.ts'

export const texts = {
  'invited.action': 'Parolayı belirle ve oturum aç',
  'invited.text': 'Sizin için bir hesap oluşturuldu. Oturum açmak için bir parola belirleyin.',
  'invited.title': 'Davet',
  'invited.welcome': 'Hoş geldiniz, {name}',
  'invited.wrong': 'Bu davet artık geçerli değil. Yeni bir davet isteyin.',
  'reset.again': 'Yeni bağlantı iste',
  'reset.ask': 'Bana bağlantı gönder',
  'reset.asked':
    'Bu adrese ait bir hesap varsa birazdan bir e-posta alacaksınız. İçindeki bağlantı bir ' +
    'saat geçerlidir.',
  'reset.done': 'Parola değiştirildi. Diğer tüm oturumlar sona erdi.',
  'reset.new_password': 'Yeni parola',
  'reset.no_mail':
    'Bu hizmet e-posta göndermiyor. İşletmeciden bir parola sıfırlama bağlantısı isteyin.',
  'reset.rule': 'En az 8 karakter. Birkaç kelimeyi hatırlamak kolay, tahmin etmek zordur.',
  'reset.sent': 'E-postanıza bakın',
  'reset.set': 'Parolayı belirle',
  'reset.set_title': 'Yeni bir parola belirleyin',
  'reset.title': 'Parolanızı mı unuttunuz?',
  'reset.to_login': 'Oturum açmaya git',
  'reset.wrong_link': 'Bu bağlantı artık geçerli değil. Yeni bir bağlantı isteyin.',
  'error.wrong_proxy_user': 'Bu hesapla burada oturum açamazsınız. Yöneticinize danışın.',
  'proxy.action': '{name} olarak devam et',
  'proxy.text': 'Kuruluşunuzun oturumu açık.',
  'signup.action': 'Hesap oluştur',
  'signup.asked': 'E-postanıza bakın. İçindeki bağlantı 24 saat geçerlidir.',
  'signup.name': 'Ad',
  'signup.needs_approval': 'Yeni hesapları bir yönetici onaylar.',
  'signup.signed_in': 'Zaten oturum açtınız. Başka bir hesap oluşturmak için önce oturumu kapatın.',
  'signup.to_app': 'Devam et',
  'signup.title': 'Hesap oluştur',
  'signup.waits':
    'Bir yöneticinin hesabınızı onaylaması gerekiyor. Oturum açabildiğinizde bir e-posta ' +
    'alırsınız.',
  'error.sign_up_off': 'Burada kendiniz hesap oluşturamazsınız. Yöneticinize başvurun.',
  'error.sign_up_used': 'Bu adresle bir hesap zaten var. Oturum açın.',
  'error.too_many_sign_ups': 'Çok fazla kişi onay bekliyor. Birkaç gün sonra yeniden deneyin.',
  'error.wrong_sign_up_link': 'Bu bağlantı artık geçerli değil. Yeni bir bağlantı isteyin.',
} satisfies Same<typeof english>
