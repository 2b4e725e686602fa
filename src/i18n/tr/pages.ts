import { countIn, numberIn } from '../../lib/language.ts'
import type { PageTexts } from '../en/pages.ts'

// After a number, Turkish nouns are singular.
const files = (count: number) => countIn('tr', count, ['{n} dosya', '{n} dosya'])
const askSender = (owner: string, what: string) =>
  `${owner ? `${owner} ile iletişime geçip` : 'Gönderenden'} ${what} isteyin.`
const askOwner = (owner: string) =>
  `${owner ? `${owner} ile iletişime geçip` : 'Bağlantıyı gönderenden'} yenisini isteyin.`

export const pages: PageTexts = {
  share: {
    untitled: 'Size gönderilen dosyalar',
    sent: (owner) => `${owner} size gönderdi`,
    sending: (owner) => `${owner} size gönderiyor`,
    files,
    from: (owner) => `gönderen: ${owner}`,
    until: 'Bitiş:',
    endedOn: 'Bitiş:',
    left: (count) =>
      count === 0
        ? 'başkaları için indirme sınırına ulaşıldı'
        : `${numberIn('tr', count)} kişi daha indirebilir`,
    leftHint:
      'Bir dosyayı açtıktan veya indirdikten sonra 24 saat boyunca her şeyi indirebilirsiniz.',
    all: (size) => `Tümünü indir · ${size}`,
    one: (size) => `İndir · ${size}`,
    more: (count) => `ve ZIP içinde ${numberIn('tr', count)} dosya daha`,
    empty: 'Bu paylaşımda dosya yok.',
    damaged: 'Bozuk',
    damagedFiles: (count) =>
      `${files(count)} sunucuda bozuk ve indirilemiyor. Gönderenden yeniden göndermesini isteyin.`,
    locked: 'Bu dosyalar parolayla korunuyor.',
    lockedBy: (owner) => `${owner} bu dosyaları parolayla korudu.`,
    qrCode: 'Telefonda aç',
    qrCodeImage: 'Bu sayfanın bağlantısının QR kodu',
    report: 'Bu paylaşımı bildir',
    password: 'Parola',
    passwordWrong: 'Parola yanlış. Büyük harflere ve boşluklara dikkat edin.',
    passwordWait: 'Çok fazla deneme yapıldı. Birkaç dakika sonra yeniden deneyin.',
    proofCode: (address) =>
      `Bu bağlantı kişiseldir. Açmak için ${address} adresine göndereceğimiz kodu girin.`,
    proofAccount: (address) =>
      `Bu bağlantı kişiseldir. Açmak için ${address} hesabıyla oturum açın.`,
    codeSend: 'Bana kod gönder',
    codeSent: (address) => `${address} adresine bir kod gönderdik. Kod on dakika geçerlidir.`,
    codeField: 'Kod',
    codeOpen: 'Aç',
    codeAgain: 'Başka bir kod gönder',
    codeWrong: 'Kod yanlış veya artık geçerli değil. Kontrol edin ya da yenisini isteyin.',
    codeWait: 'Çok fazla kod istendi. Birkaç dakika sonra yeniden deneyin.',
    uploading: (percent) =>
      `Yükleme sürüyor${percent}. Dosyalar, tamamı yüklenince burada görünür.`,
    paused: (percent, ago) =>
      `Yükleme duraklatıldı${percent === null ? '' : ` (${percent})`}, son etkinlik ${ago}. ` +
      'Dosyalar, tamamı yüklenince burada görünür.',
    abandoned: (owner) =>
      `${owner || 'Gönderen'} bu yüklemeyi tamamlamadı ve bir gündür hiçbir şey ulaşmadı. ` +
      'Dosyaları yeniden isteyin.',
    openAgain: 'JavaScript kullanmıyorsanız bu bağlantıyı daha sonra yeniden açın.',
    notFound: {
      title: 'Bağlantı bulunamadı',
      text:
        'Bağlantı eksik olabilir veya dosyaları silinmiş olabilir. ' +
        'Gönderenden yeni bir bağlantı isteyin.',
    },
    expired: {
      title: 'Bu paylaşım sona erdi',
      text: (owner) => askSender(owner, 'dosyaları yeniden paylaşmasını'),
    },
    usedUp: {
      title: 'İndirme sınırına ulaşıldı',
      text: (owner) => askSender(owner, 'yeni bir bağlantı'),
    },
  },
  request: {
    untitled: 'Dosyalar',
    asks: (owner) => `${owner} sizden istiyor`,
    locked: 'Dosya göndermek için parolayı girin.',
    needsScript: 'Göndermek için JavaScript veya API gerekir.',
    unlockNeedsScript: 'Kilidi açmak için JavaScript veya API gerekir.',
    notFound: {
      title: 'Bağlantı bulunamadı',
      text:
        'Bağlantı eksik olabilir veya silinmiş olabilir. ' +
        'Gönderenden yeni bir bağlantı isteyin.',
    },
    isClosed: 'Bu istek kapalı',
    expired: (day, owner) => `${day} gününden beri kapalı. ${askOwner(owner)}`,
    closed: (day, owner) =>
      `Yalnızca bir gönderim mümkündü ve ${day} günü yapıldı. ` + askOwner(owner),
  },
  notFound: {
    title: 'Sayfa bulunamadı',
    text: 'Adres eksik olabilir veya buradaki içerik silinmiş olabilir.',
    home: 'Ana sayfaya git',
  },
  notSetUp: {
    title: 'Henüz kurulmadı',
    how:
      'Bu hizmetin yöneticisi yok. Oluşturmak için sunucu günlüğündeki kurulum bağlantısını ' +
      'açın.',
    command: '“setup:” ile başlayan satırdadır. Bulmak için:',
    afterwards: 'Ardından oturum açmak için bu sayfayı yenileyin.',
    again: 'Yenile',
  },
  home: { title: 'Hoş geldiniz', signIn: 'Oturum aç' },
  app: { send: 'Dosya gönder', requests: 'Dosya istekleri' },
  footer: { imprint: 'Künye', privacy: 'Gizlilik' },
  unloaded: { title: 'Bu sayfa tam olarak yüklenmedi', action: 'Yeniden yükle' },
}
