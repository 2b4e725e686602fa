import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/setup.ts'
import { common } from './common.ts'
import { disk } from './disk.ts'

export const texts = {
  ...common,
  ...disk,
  'setup.account_title': 'Yönetici hesabını oluşturun',
  'common.step': 'Adım {n} / {all}',
  'setup.account_text': 'İlk hesap bu hizmeti yönetir.',
  'setup.account_action': 'Hesap oluştur',
  'setup.password_hint': 'En az 8 karakter. Birkaç kelimeyi hatırlamak kolay, tahmin etmek zordur.',
  'setup.token': 'Kurulum kodu',
  'setup.token_hint':
    'Hizmetin günlüğünde, “setup:” ile başlayan satırda “token=” ifadesinden sonra bulunur.',
  'setup.no_token':
    'Bu adreste kurulum kodu eksik. Günlükteki adresin tamamını kopyalayın veya kodu girin.',
  'setup.wrong_token':
    'Kurulum kodu yanlış. Hizmet her başladığında yeni bir kod oluşturur: günlükteki en yeni ' +
    '“setup:” satırını kullanın.',
  'setup.taken': 'Bu hizmet bu arada kuruldu. Girdiklerinizin hiçbiri kaydedilmedi.',
  'setup.address_title': 'Ad ve adres',
  'setup.app_name': 'Hizmetin adı',
  'setup.app_name_hint': 'Her sayfada ve her e-postada görünür.',
  'setup.other_address':
    'Bu sayfayı {here} adresinde açtınız ama bağlantılar {address} ile başlayacak. Alıcılar bu ' +
    'adrese ulaşamıyorsa BASE_URL seçeneğini düzeltin ve hizmeti yeniden başlatın.',
  'setup.links_begin': 'Bağlantılar {address} ile başlar.',
  'setup.plain_http':
    'Bu adres şifrelenmemiş: dosyalar ve parolalar iletim sırasında okunabilir. Güvenmediğiniz ' +
    'bir ağda hizmetin önüne bir HTTPS vekil sunucusu koyun ve BASE_URL seçeneğini onun https ' +
    'adresine ayarlayın.',
  'setup.no_cookie':
    'BASE_URL https ile başladığı için tarayıcılar oturumunuzu yalnızca o adreste açık tutar. ' +
    'Kurulumu burada bitirin, sonra {address} adresinde oturum açın.',
  'setup.proxy_believed': 'Hizmet, güvenilen bir vekil sunucunun arkasında. Adresiniz: {ip}.',
  'setup.proxy_ignored':
    'Hizmet, TRUST_PROXY içinde yer almayan bir vekil sunucunun arkasında. Bu yüzden herkesin ' +
    'adresi {ip} ve bir kişinin yanlış parolaları herkesi engeller. TRUST_PROXY seçeneğini vekil ' +
    'sunucunun adresine ayarlayın ve hizmeti yeniden başlatın.',
  'setup.proxy_silent':
    'TRUST_PROXY ayarlanmış ama {ip} adresinden gelen bu istekte X-Forwarded-For başlığı yok. ' +
    'Bir vekil sunucu varsa bu başlığı gönderecek şekilde yapılandırın.',
  'setup.limits_title': 'Depolama ve sınırlar',
  'setup.share_limit': 'En büyük paylaşım (GB)',
  'setup.quota': 'Hesap başına depolama kotası (GB)',
  'setup.unlimited': 'Sınırsız olması için boş bırakın.',
  'setup.expiry': 'Bağlantıların geçerlilik süresi',
  'setup.expiry_hint': 'Gönderen başka bir süre seçmezse. Süresiz olması için boş bırakın.',
  'setup.unit': 'Birim',
  'setup.unit.Hours': 'saat',
  'setup.unit.Days': 'gün',
  'setup.unit.Weeks': 'hafta',
  'setup.unit.Months': 'ay',
  'setup.mail_title': 'E-posta',
  'setup.mail_text':
    'Bir SMTP sunucusuyla hizmet, bağlantıları e-postayla gönderebilir, yeni gönderimleri ' +
    'bildirebilir ve parolaları sıfırlayabilir. Bunu daha sonra da ayarlayabilirsiniz.',
  'setup.smtp_host': 'SMTP sunucusu',
  'setup.smtp_port': 'Port',
  'setup.smtp_security': 'Şifreleme',
  'setup.security.starttls': 'STARTTLS (port 587)',
  'setup.security.tls': 'TLS (port 465)',
  'setup.security.none': 'Yok: e-postalar iletim sırasında okunabilir',
  'setup.smtp_user': 'Kullanıcı adı',
  'setup.smtp_user_hint': 'Sunucu istemiyorsa boş bırakın.',
  'setup.smtp_from': 'Gönderen adresi',
  'setup.smtp_from_hint': 'Örneğin dosyalar@example.org',
  'setup.test': 'Kaydet ve test e-postası gönder',
  'setup.test_sent': 'Sunucu, {email} adresine giden e-postayı kabul etti. Yanıtı:',
  'setup.test_failed': 'E-posta gönderilmedi:',
  'setup.skip': 'Atla',
  'setup.done_title': 'Hizmetiniz hazır',
  'setup.done_text':
    'Her şeyin çalıştığını görmek için bir dosya gönderin. Ardından hizmeti kullanacak ' +
    'kişiler için hesap ekleyin.',
  'setup.add_accounts': 'Hesap ekle',
  'setup.first_file': 'İlk dosyanızı gönderin',
  'setup.sign_in': 'Oturum aç',
  'setup.closed_title': 'Bu hizmet zaten kurulmuş',
  'setup.closed_text': 'Hesabınız varsa oturum açın. Yoksa bu hizmetin işletmecisine başvurun.',
} satisfies Same<typeof english>
