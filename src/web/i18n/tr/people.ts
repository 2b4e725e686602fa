import type { Same } from '../../lib/i18n.ts'
import type { people as english } from '../en/people.ts'

export const people = {
  'people.add': 'Kişi ekle',
  'people.anyone': 'Bağlantıyı bilenler',
  'people.audience': 'Kimler açabilir',
  'people.change_hint': 'Değişiklik, süren indirmeleri sonlandırır.',
  'people.devices': ['{n} cihaz', '{n} cihaz'],
  'people.empty': 'Bu paylaşımı açabilecek kişileri ekleyin.',
  'people.named': 'Yalnızca belirttiğim kişiler',
  'people.named_hint': 'Herkes, iptal edebileceğiniz kendi bağlantısını alır.',
  'people.no_address': 'E-posta adresi yoksa bağlantıyı kendiniz iletin.',
  'people.not_opened': 'henüz açılmadı',
  'people.opened': 'Açıldı',
  'people.proof': 'Kimlik doğrulama yöntemi',
  'people.proof.account': 'e-posta adresiyle oturum açma',
  'people.proof.code': 'e-postayla gelen kod',
  'people.proof.none': 'yalnızca bağlantı',
  'people.revoke': 'Bağlantıyı iptal et',
  'people.revoke_text':
    'Bağlantı, süren indirmeler için de hemen geçersiz olur. Bu kişiyi yeniden eklerseniz yeni ' +
    'bir bağlantı alır.',
  'people.revoke_title': 'Bağlantı iptal edilsin mi: {name}?',
  'people.revoked': 'iptal edildi',
  'people.revoked_toast': 'Bağlantı iptal edildi: {name}.',
  'people.unsent': 'gönderilmedi',
  'people.who': 'Kişi',
} satisfies Same<typeof english>
