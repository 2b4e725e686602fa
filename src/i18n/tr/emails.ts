import { countIn, numberIn } from '../../lib/language.ts'
import type { EmailTexts } from '../en/emails.ts'

// After a number, Turkish nouns are singular.
const files = (count: number) => countIn('tr', count, ['{n} dosya', '{n} dosya'])
const colon = (name: string) => name && `: “${name}”`
const fromAddress = (ip: string) => ip && `, ${ip} IP adresinden`
const aboutFiles = 'Göndereni tanımıyorsanız bağlantıyı açmayın.'
const linkOf = (isRequest: boolean) => (isRequest ? 'Dosya isteğiniz' : 'Paylaşımınız')

export const emails: EmailTexts = {
  files,
  more: (count) => `+${numberIn('tr', count)} daha`,
  expires: (moment) => `bitiş: ${moment}`,
  needsPassword: 'parolalı',
  peopleMax: (count) =>
    count === 1 ? '1 kişi için' : `en fazla ${numberIn('tr', count)} kişi için`,
  upTo: (size) => `en fazla ${size}`,
  askForPassword: (who) =>
    `Bağlantı için parola gerekiyor. Parola için ${who} ile iletişime geçin.`,
  hidden: (hasMessage) =>
    hasMessage
      ? 'Mesaj ve dosyalar parola girildikten sonra gösterilir.'
      : 'Dosyalar parola girildikten sonra gösterilir.',
  orLink: 'Veya bu bağlantıyı açın:',
  guest: 'Bir konuk',
  footer: (appName) => `${appName} tarafından gönderildi.`,
  footerFor: (appName, who) => `${who} adına ${appName} ile gönderildi.`,

  share: {
    subject: (who, name, count) =>
      name ? `${who} size dosya gönderdi: “${name}”` : `${who} size ${files(count)} gönderdi`,
    lead: (who) => `${who} size dosya gönderdi.`,
    button: 'Dosyaları aç',
    why: (who) => `Bu e-postayı, adresiniz ${who} tarafından girildiği için aldınız. ${aboutFiles}`,
  },
  addedFiles: {
    subject: (who, name, count) =>
      name
        ? `${who}, “${name}” paylaşımına ${files(count)} ekledi`
        : `${who}, ${files(count)} ekledi`,
    lead: (who, name, count) =>
      `${who}, ${name ? `“${name}” paylaşımına` : 'önceki bir paylaşıma'} ${files(count)} ekledi.`,
    button: 'Dosyaları aç',
    why: (who) =>
      `Bu e-postayı, ${who} sizinle daha önce dosya paylaştığı için aldınız. ${aboutFiles}`,
  },
  request: {
    subject: (who, name) => `${who} sizden dosya istiyor${colon(name)}`,
    lead: (who) => `${who} sizden dosya göndermenizi istiyor.`,
    noAccount: 'Hesap gerekmez. Dosyalarınızı bağlantının açtığı sayfada seçin.',
    button: 'Dosya gönder',
    why: (who) => `Bu e-postayı, adresiniz ${who} tarafından girildiği için aldınız. ${aboutFiles}`,
  },
  delivery: {
    subject: (who, name, count) =>
      name
        ? `${who}, “${name}” için ${files(count)} gönderdi`
        : `${who} size ${files(count)} gönderdi`,
    lead: (who, name) =>
      name ? `${who}, “${name}” için dosya gönderdi.` : `${who} size dosya gönderdi.`,
    button: 'Dosyaları aç',
    why: 'Bu e-postayı, dosya isteğiniz gelen dosyaları e-postayla bildirdiği için aldınız.',
  },
  deliveries: {
    subject: (name, count) =>
      `${name && `“${name}” için `}${numberIn('tr', count)} yeni gönderim daha`,
    heading: (count) => `${numberIn('tr', count)} yeni gönderim daha`,
    lead: (name, count, size) =>
      `Konuklar ${name && `“${name}” için `}${files(count)} (${size}) gönderdi:`,
  },
  damage: {
    subject: (file, others) =>
      others === 0
        ? `Bir dosya bozuldu: “${file}”`
        : `${numberIn('tr', others + 1)} dosya bozuldu: “${file}” ve ${others} dosya daha`,
    heading: (count) =>
      count === 1 ? 'Bir dosya bozuldu' : `${numberIn('tr', count)} dosya bozuldu`,
    what: (file, others, name, isDelivery) => {
      const share = `${name ? `“${name}” paylaşımınızdaki` : 'Paylaşımınızdaki'}`
      const delivery = `${name ? `“${name}” isteğinize gönderilen` : 'Size gönderilen'}`
      const what = others === 0 ? `“${file}” dosyası` : `“${file}” ve ${others} dosya daha`
      return `${isDelivery ? delivery : share} ${what} hizmetin diskinde bozuldu.`
    },
    advice: (count, isDelivery) =>
      `Artık indirile${count === 1 ? 'mez' : 'mezler'}. Yeniden ` +
      `${isDelivery ? 'isteyin' : 'gönderin'} ve yöneticinize haber verin, çünkü bir disk ` +
      'arızalanıyor olabilir.',
    button: (isDelivery) => (isDelivery ? 'Dosya isteğini görüntüle' : 'Paylaşımı görüntüle'),
    why: 'Bu e-postayı, dosyalar size ait olduğu için aldınız.',
  },
  downloads: {
    subject: (name) => `Dosyalarınız indirildi${colon(name)}`,
    heading: 'Dosyalarınız indirildi',
    what: (name, people) =>
      `${numberIn('tr', people)} kişi ${name ? `“${name}” paylaşımını` : 'dosyalarınızı'} indirdi.`,
    latest: (moment) => `son indirme: ${moment}`,
    button: 'Paylaşımı görüntüle',
    why: 'Bu e-postayı, bu paylaşımın indirmelerinden haberdar olmak istediğiniz için aldınız.',
  },
  invitation: {
    subject: (appName) => `${appName} hesabınız`,
    heading: (appName) => `${appName} hizmetine hoş geldiniz`,
    what: (appName) => `${appName} üzerinde sizin için bir hesap oluşturuldu.`,
    button: 'Parolanızı belirleyin',
    note: (days) => `Bağlantı bir kez kullanılabilir ve süresi ${days} gün sonra dolar.`,
    why: 'Bu daveti beklemiyorsanız bu e-postayı dikkate almayın.',
  },
  linkCode: {
    subject: (code, appName) => `${appName} için kodunuz: ${code}`,
    heading: 'Kodunuz',
    what: 'Size gönderilen dosyaları açmak için bu kodu girin:',
    note: (minutes) => `Kod ${minutes} dakika içinde bir kez kullanılabilir. Kimseyle paylaşmayın.`,
    why: 'Bu kodu siz istemediyseniz bu e-postayı dikkate almayın.',
  },
  reset: {
    subject: (appName) => `${appName} için yeni parola belirleyin`,
    heading: 'Yeni parola belirleyin',
    what: (appName) => `${appName} hesabınız için yeni bir parola istendi.`,
    button: 'Yeni parola belirle',
    note: (minutes) => `Bağlantı bir kez kullanılabilir ve süresi ${minutes} dakika sonra dolar.`,
    why: 'Bunu siz istemediyseniz bu e-postayı dikkate almayın: parolanız aynı kalır.',
  },
  signUp: {
    confirm: (appName) => `${appName} için e-posta adresinizi onaylayın`,
    confirmWhat: (appName) =>
      `Bu adresle ${appName} üzerinde bir hesap istendi. Hesabı oluşturmak için bir ad ve ` +
      'parola seçin.',
    confirmButton: 'Hesap oluştur',
    confirmNote: (hours) => `Bağlantı bir kez çalışır ve ${hours} saat sonra geçersiz olur.`,
    known: (appName) => `${appName} üzerinde zaten bir hesabınız var`,
    knownWhat:
      'Bu adresle yeni bir hesap oluşturulmak istendi. Oturum açın veya yeni bir parola ' +
      'belirleyin.',
    why: 'Bunu siz yapmadıysanız bu e-postayı dikkate almayın.',
    approved: (appName) => `${appName} hesabınız onaylandı`,
    approvedWhat: 'Artık oturum açabilirsiniz.',
    approvedButton: 'Oturum aç',
    declined: (appName) => `${appName} hesabı isteğiniz`,
    declinedWhat: (appName) => `${appName} yöneticisi hesabınızı onaylamadı. Hesap silindi.`,
    waiting: (count, appName) =>
      `${appName}: ` + countIn('tr', count, ['{n} kişi onay bekliyor', '{n} kişi onay bekliyor']),
    waitingWhat:
      'E-posta adresleri doğrulandı. Hesapları “Hesaplar” altında onaylayın veya reddedin.',
    waitingButton: 'Hesapları aç',
  },
  notice: {
    subject: (event, appName) => `${appName}: ${event}`,
    events: {
      account_deleted: 'Hesabınız silindi',
      api_token_created: 'Hesabınız için bir API belirteci oluşturuldu',
      email_changed: 'Hesabınızın e-posta adresi değiştirildi',
      identity_linked: 'Hesabınıza bir sağlayıcıyla giriş bağlandı',
      identity_unlinked: 'Hesabınızdan bir sağlayıcıyla giriş bağlantısı kaldırıldı',
      new_device: 'Hesabınızda yeni bir cihazdan oturum açıldı',
      passkey_added: 'Hesabınıza bir geçiş anahtarı eklendi',
      passkey_refused: 'Hesabınızın bir geçiş anahtarı reddedildi: kopyalanmış olabilir',
      passkey_removed: 'Hesabınızdan bir geçiş anahtarı kaldırıldı',
      password_changed: 'Parolanız değiştirildi',
      recovery_codes_renewed: 'Hesabınızın kurtarma kodları yenilendi',
      second_factor_enabled: 'Hesabınızda iki adımlı doğrulama etkinleştirildi',
      second_factor_disabled: 'Hesabınızda iki adımlı doğrulama kapatıldı',
      sessions_ended: 'Hesabınızın diğer tüm oturumları kapatıldı',
      sign_ins_reset: 'Parolanız değiştirildi ve diğer tüm oturum açma yöntemleri kaldırıldı',
      second_factor_reset: 'Bir yönetici, hesabınızın iki adımlı doğrulamasını sıfırladı',
    },
    what: (moment, ip) =>
      `Bu, ${moment} tarihinde${ip === null ? ', sunucunun kendisinde' : fromAddress(ip)} yapıldı.`,
    nothingToDo: 'Bunu siz yaptıysanız bir şey yapmanız gerekmez.',
    changePassword: 'Siz yapmadıysanız parolanızı şimdi değiştirin ve yöneticinize haber verin.',
    tellAdministrator: 'Siz yapmadıysanız hemen yöneticinize haber verin.',
    button: 'Hesabınızı açın',
    why: (appName) => `Bu e-postayı, ${appName} hesabınızla ilgili olduğu için aldınız.`,
  },
  failures: {
    latest: (moment, ip) => `Son deneme ${moment} tarihinde${fromAddress(ip)} yapıldı.`,
    signIn: {
      subject: (appName) => `${appName} hesabınızda başarısız oturum açma denemeleri`,
      heading: 'Hesabınızda başarısız oturum açma denemeleri',
      what: (appName) =>
        `${appName} hesabınızda birkaç oturum açma denemesi yanlış parola yüzünden başarısız oldu.`,
      advice:
        'Hesabınız kilitlenmedi. Parolanız kısaysa veya başka yerlerde de kullanılıyorsa ' +
        'değiştirin ve iki adımlı doğrulamayı etkinleştirin.',
    },
    code: {
      subject: (appName) => `${appName} hesabınız için yanlış kodlar girildi`,
      heading: 'Hesabınız için yanlış kodlar girildi',
      what: (appName) => `${appName} hesabınız için doğru paroladan sonra yanlış kodlar girildi.`,
      advice:
        'Bunu siz yapmadıysanız parolanızı başka biri biliyor. Şimdi değiştirin ve yöneticinize ' +
        'haber verin.',
    },
    link: {
      subject: (isRequest, name) =>
        `${linkOf(isRequest)} için yanlış parolalar girildi${colon(name)}`,
      heading: (isRequest) => `${linkOf(isRequest)} için yanlış parolalar girildi`,
      what: (isRequest, name, appName) => {
        const link = isRequest ? 'dosya isteğiniz' : 'paylaşımınız'
        return (
          `${appName} üzerindeki ${name && `“${name}” `}${link} için çok sayıda yanlış parola ` +
          'girildi.'
        )
      },
      advice:
        'Bağlantı, doğru parolayla çalışmaya devam ediyor. Parola kısaysa daha uzun bir parola ' +
        'seçin ve alıcılarınıza iletin.',
      button: (isRequest) => (isRequest ? 'Dosya isteklerinizi açın' : 'Paylaşımlarınızı açın'),
    },
  },
  problems: {
    subject: (title, appName) => `${appName}: ${title}`,
    heading: (count) => countIn('tr', count, ['{n} sorun', '{n} sorun']),
    disks: {
      files_full: 'Depolama diski dolu',
      files_low: 'Depolama diski neredeyse dolu',
      database_full: 'Veritabanı diski dolu',
      database_low: 'Veritabanı diski neredeyse dolu',
    },
    space: (free, floor) => `${free} boş alan var. ${floor} altında yüklemeler durur.`,
    emails: (count) => countIn('tr', count, ['{n} e-posta iletilemedi', '{n} e-posta iletilemedi']),
    emailsAdvice: 'Genel bakışta posta sunucusunun yanıtını okuyun, sonra yeniden deneyin.',
    jobs: (count) =>
      countIn('tr', count, [
        '{n} arka plan görevi sürekli başarısız oluyor',
        '{n} arka plan görevi sürekli başarısız oluyor',
      ]),
    jobsAdvice: (names) =>
      `Bir saatten uzun süredir başarısız olanlar: ${names}. Nedeni hizmetin günlüğünde yazar.`,
    damageAdvice:
      'Bozuk dosyaları “transfer verify” komutuyla listeleyin ve bir yedekten geri yükleyin.',
    updated: (appName, version) => `${appName} ${version} sürümüne güncellendi`,
    migrated: 'Veritabanı yeni sürüme geçirildi ve hizmet çalışıyor.',
    button: 'Genel bakışı aç',
    why: (appName) =>
      `Bu e-postayı, ${appName} hizmetini yönettiğiniz için aldınız. E-posta ayarlarından ` +
      'kapatabilirsiniz.',
  },
  test: {
    subject: (appName) => `${appName} test e-postası`,
    heading: 'E-posta çalışıyor',
    what: (appName) => `${appName} e-posta gönderebiliyor. Bu testi bir yönetici istedi.`,
    button: (appName) => `${appName} hizmetini aç`,
  },
}
