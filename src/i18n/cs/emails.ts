import { countIn, numberIn } from '../../lib/language.ts'
import type { EmailTexts } from '../en/emails.ts'

const files = (count: number) => countIn('cs', count, ['{n} soubor', '{n} soubory', '{n} souborů'])
const named = (name: string) => name && ` „${name}“`
const fromAddress = (ip: string) => ip && `, IP adresa ${ip}`
const aboutFiles = 'Pokud odesílatele neznáte, odkaz neotevírejte.'
const moreDeliveries = (count: number) =>
  countIn('cs', count, ['{n} další zásilka', '{n} další zásilky', '{n} dalších zásilek'])
const linkOf = (isRequest: boolean) => (isRequest ? 'vaší žádosti o soubory' : 'vašemu sdílení')

export const emails: EmailTexts = {
  files,
  more: (count) => `a ještě ${numberIn('cs', count)}`,
  expires: (moment) => `vyprší ${moment}`,
  needsPassword: 's heslem',
  peopleMax: (count) =>
    countIn('cs', count, ['pro {n} osobu', 'nejvýše pro {n} osoby', 'nejvýše pro {n} osob']),
  upTo: (size) => `nejvýše ${size}`,
  askForPassword: (who) => `K odkazu je potřeba heslo. Zeptejte se na něj odesílatele: ${who}.`,
  hidden: (hasMessage) =>
    hasMessage
      ? 'Zpráva a soubory se zobrazí po zadání hesla.'
      : 'Soubory se zobrazí po zadání hesla.',
  orLink: 'Nebo otevřete tento odkaz:',
  guest: 'Host',
  footer: (appName) => `Odeslala služba ${appName}.`,
  footerFor: (appName, who) => `Odeslala služba ${appName}. Odesílatel: ${who}.`,

  share: {
    subject: (who, name, count) => `${who} vám posílá ${name ? `„${name}“` : files(count)}`,
    lead: (who) => `${who} vám posílá soubory.`,
    button: 'Otevřít soubory',
    why: (who) =>
      `Tento e-mail dostáváte, protože odesílatel (${who}) zadal vaši adresu. ${aboutFiles}`,
  },
  addedFiles: {
    subject: (who, name, count) => `${who} přidává ${files(count)}${name && ` do „${name}“`}`,
    lead: (who, name, count) =>
      `${who} přidává ${files(count)} do ${name ? `„${name}“` : 'dřívějšího sdílení'}.`,
    button: 'Otevřít soubory',
    why: (who) =>
      `Tento e-mail dostáváte, protože s vámi odesílatel (${who}) už dříve sdílel soubory. ` +
      aboutFiles,
  },
  request: {
    subject: (who, name) => `${who} vás žádá o soubory${name && `: „${name}“`}`,
    lead: (who) => `${who} vás žádá o zaslání souborů.`,
    noAccount: 'Účet nepotřebujete. Soubory vyberete na stránce, na kterou vede odkaz.',
    button: 'Poslat soubory',
    why: (who) =>
      `Tento e-mail dostáváte, protože odesílatel (${who}) zadal vaši adresu. ${aboutFiles}`,
  },
  delivery: {
    subject: (who, name, count) =>
      name ? `${who} posílá ${files(count)} do „${name}“` : `${who} vám posílá ${files(count)}`,
    lead: (who, name) =>
      name ? `${who} posílá soubory do „${name}“.` : `${who} vám posílá soubory.`,
    button: 'Otevřít soubory',
    why: 'Tento e-mail dostáváte, protože máte zapnutá upozornění na nové soubory u vaší žádosti.',
  },
  deliveries: {
    subject: (name, count) => `${moreDeliveries(count)}${name && ` do „${name}“`}`,
    heading: moreDeliveries,
    lead: (name, count, size) =>
      `Hosté poslali ${files(count)} (${size})${name && ` do „${name}“`}:`,
  },
  damage: {
    subject: (file, others) =>
      others === 0
        ? `Poškozený soubor: „${file}“`
        : `Poškozené soubory (${numberIn('cs', others + 1)}): „${file}“ a ještě ` +
          numberIn('cs', others),
    heading: (count) =>
      count === 1 ? 'Poškozený soubor' : `Poškozené soubory: ${numberIn('cs', count)}`,
    what: (file, others, name, isDelivery) => {
      const where = isDelivery
        ? `ze zásilky ${name ? `do „${name}“` : 'pro vás'}`
        : `z vašeho sdílení${named(name)}`
      if (others === 0) return `Soubor „${file}“ ${where} je na disku služby poškozený.`
      const more = countIn('cs', others, [
        'ještě {n} soubor',
        'ještě {n} soubory',
        'ještě {n} souborů',
      ])
      return `Na disku služby jsou poškozené soubory ${where}: „${file}“ a ${more}.`
    },
    advice: (count, isDelivery) => {
      const them = count === 1 ? 'ho' : 'je'
      const again = isDelivery
        ? `Požádejte o ${count === 1 ? 'něj' : 'ně'} znovu`
        : `Pošlete ${them} znovu`
      return (
        `Už ${them} nelze stáhnout. ${again} a dejte vědět správci, protože disk možná ` +
        'selhává.'
      )
    },
    button: (isDelivery) => (isDelivery ? 'Zobrazit žádost o soubory' : 'Zobrazit sdílení'),
    why: 'Tento e-mail dostáváte, protože jde o vaše soubory.',
  },
  downloads: {
    subject: (name) => `Vaše soubory byly staženy${name && `: „${name}“`}`,
    heading: 'Vaše soubory byly staženy',
    what: (name, people) => {
      const who = countIn('cs', people, ['{n} osoba stáhla', '{n} osoby stáhly', '{n} osob stáhlo'])
      return `${who} ${name ? `„${name}“` : 'vaše soubory'}.`
    },
    latest: (moment) => `poslední stažení: ${moment}`,
    button: 'Zobrazit sdílení',
    why: 'Tento e-mail dostáváte, protože máte zapnutá upozornění na stažení tohoto sdílení.',
  },
  invitation: {
    subject: (appName) => `Váš účet ve službě ${appName}`,
    heading: (appName) => `Vítejte ve službě ${appName}`,
    what: (appName) => `Ve službě ${appName} byl pro vás vytvořen účet.`,
    button: 'Zvolit heslo',
    note: (days) =>
      'Odkaz funguje jednou a vyprší za ' +
      countIn('cs', days, ['{n} den', '{n} dny', '{n} dnů']) +
      '.',
    why: 'Pokud pozvánku nečekáte, tento e-mail ignorujte.',
  },
  linkCode: {
    subject: (code, appName) => `${code} je váš kód pro ${appName}`,
    heading: 'Váš kód',
    what: 'Zadáním tohoto kódu otevřete soubory, které vám byly poslány:',
    note: (minutes) => `Platí jednou, po dobu ${minutes} minut. Nikomu ho nedávejte.`,
    why: 'Pokud jste o tento kód nežádali, e-mail ignorujte.',
  },
  reset: {
    subject: (appName) => `Nastavte si nové heslo ve službě ${appName}`,
    heading: 'Nastavte si nové heslo',
    what: (appName) => `K vašemu účtu ve službě ${appName} bylo vyžádáno nové heslo.`,
    button: 'Nastavit nové heslo',
    note: (minutes) =>
      'Odkaz funguje jednou a vyprší za ' +
      countIn('cs', minutes, ['{n} minutu', '{n} minuty', '{n} minut']) +
      '.',
    why: 'Pokud žádost není od vás, tento e-mail ignorujte: vaše heslo se nezmění.',
  },
  signUp: {
    confirm: (appName) => `Potvrďte svou e-mailovou adresu pro ${appName}`,
    confirmWhat: (appName) =>
      `Na tuto adresu bylo vyžádáno založení účtu v ${appName}. Zvolte si jméno a heslo a ` +
      'účet vytvořte.',
    confirmButton: 'Vytvořit účet',
    confirmNote: (hours) => `Odkaz funguje jednou a vyprší za ${hours} hodin.`,
    known: (appName) => `V ${appName} už máte účet`,
    knownWhat:
      'Na tuto adresu bylo vyžádáno založení účtu. Přihlaste se, nebo si nastavte nové heslo.',
    why: 'Pokud jste to nebyli vy, tento e-mail ignorujte.',
    approved: (appName) => `Váš účet v ${appName} byl schválen`,
    approvedWhat: 'Nyní se můžete přihlásit.',
    approvedButton: 'Přihlásit se',
    declined: (appName) => `Vaše žádost o účet v ${appName}`,
    declinedWhat: (appName) => `Správce ${appName} váš účet neschválil. Účet byl smazán.`,
    waiting: (count, appName) =>
      `${appName}: ` +
      countIn('cs', count, [
        '{n} osoba čeká na schválení',
        '{n} osoby čekají na schválení',
        '{n} osob čeká na schválení',
      ]),
    waitingWhat:
      'Jejich e-mailové adresy jsou potvrzené. Účty schvalte nebo odmítněte v části „Účty“.',
    waitingButton: 'Otevřít účty',
  },
  notice: {
    subject: (event, appName) => `${appName}: ${event}`,
    events: {
      account_deleted: 'Váš účet byl smazán',
      api_token_created: 'Ve vašem účtu byl vytvořen token API',
      email_changed: 'E-mailová adresa vašeho účtu byla změněna',
      identity_linked: 'S vaším účtem bylo propojeno přihlášení přes poskytovatele',
      identity_unlinked: 'Od vašeho účtu bylo odpojeno přihlášení přes poskytovatele',
      new_device: 'K vašemu účtu se přihlásilo nové zařízení',
      passkey_added: 'K vašemu účtu byl přidán přístupový klíč',
      passkey_refused: 'Přístupový klíč vašeho účtu byl odmítnut: možná ho někdo zkopíroval',
      passkey_removed: 'Z vašeho účtu byl odebrán přístupový klíč',
      password_changed: 'Vaše heslo bylo změněno',
      recovery_codes_renewed: 'Záložní kódy vašeho účtu byly vyměněny',
      second_factor_enabled: 'Ve vašem účtu bylo zapnuto dvoufázové přihlášení',
      second_factor_disabled: 'Ve vašem účtu bylo vypnuto dvoufázové přihlášení',
      sessions_ended: 'Všechny ostatní relace vašeho účtu byly ukončeny',
      sign_ins_reset: 'Vaše heslo bylo změněno a všechny ostatní způsoby přihlášení byly odebrány',
      second_factor_reset: 'Správce resetoval dvoufázové přihlášení vašeho účtu',
    },
    what: (moment, ip) => `Kdy: ${moment}${ip === null ? ', přímo na serveru' : fromAddress(ip)}.`,
    nothingToDo: 'Pokud je to vaše akce, nemusíte nic dělat.',
    changePassword: 'Pokud ne, změňte si hned heslo a dejte vědět správci.',
    tellAdministrator: 'Pokud ne, dejte ihned vědět správci.',
    button: 'Otevřít účet',
    why: (appName) => `Tento e-mail dostáváte, protože se týká vašeho účtu ve službě ${appName}.`,
  },
  failures: {
    latest: (moment, ip) => `Poslední pokus: ${moment}${fromAddress(ip)}.`,
    signIn: {
      subject: (appName) => `Neúspěšná přihlášení k vašemu účtu ve službě ${appName}`,
      heading: 'Neúspěšná přihlášení k vašemu účtu',
      what: (appName) =>
        `Několik přihlášení k vašemu účtu ve službě ${appName} selhalo kvůli nesprávnému heslu.`,
      advice:
        'Váš účet není zablokovaný. Pokud je heslo krátké nebo ho používáte i jinde, změňte ho ' +
        'a zapněte dvoufázové přihlášení.',
    },
    code: {
      subject: (appName) => `Nesprávné kódy k vašemu účtu ve službě ${appName}`,
      heading: 'Nesprávné kódy k vašemu účtu',
      what: (appName) =>
        `U vašeho účtu ve službě ${appName} byly po správném hesle zadány nesprávné kódy.`,
      advice:
        'Pokud to nejsou vaše pokusy, zná vaše heslo někdo jiný. Hned ho změňte a dejte vědět ' +
        'správci.',
    },
    link: {
      subject: (isRequest, name) => `Nesprávná hesla k ${linkOf(isRequest)}${named(name)}`,
      heading: (isRequest) => `Nesprávná hesla k ${linkOf(isRequest)}`,
      what: (isRequest, name, appName) =>
        `Ve službě ${appName} bylo k ${linkOf(isRequest)}${named(name)} zadáno mnoho nesprávných ` +
        'hesel.',
      advice:
        'Se správným heslem odkaz funguje dál. Pokud je to heslo krátké, zvolte delší a pošlete ' +
        'ho příjemcům.',
      button: (isRequest) => (isRequest ? 'Otevřít žádosti o soubory' : 'Otevřít sdílení'),
    },
  },
  problems: {
    subject: (title, appName) => `${appName}: ${title}`,
    heading: (count) => countIn('cs', count, ['{n} problém', '{n} problémy', '{n} problémů']),
    disks: {
      files_full: 'Disk úložiště je plný',
      files_low: 'Disk úložiště je skoro plný',
      database_full: 'Disk databáze je plný',
      database_low: 'Disk databáze je skoro plný',
    },
    space: (free, floor) => `Volné místo: ${free}. Pod ${floor} se nahrávání zastaví.`,
    emails: (count) =>
      countIn('cs', count, [
        '{n} e-mail se nepodařilo doručit',
        '{n} e-maily se nepodařilo doručit',
        '{n} e-mailů se nepodařilo doručit',
      ]),
    emailsAdvice: 'V přehledu si přečtěte odpověď poštovního serveru a zkuste to znovu.',
    jobs: (count) =>
      countIn('cs', count, [
        '{n} úloha na pozadí opakovaně selhává',
        '{n} úlohy na pozadí opakovaně selhávají',
        '{n} úloh na pozadí opakovaně selhává',
      ]),
    jobsAdvice: (names) => `Déle než hodinu selhává: ${names}. Důvod najdete v logu služby.`,
    damageAdvice: 'Příkaz „transfer verify“ vypíše poškozené soubory. Obnovte je ze zálohy.',
    updated: (appName, version) => `Služba ${appName} byla aktualizována na verzi ${version}`,
    migrated: 'Databáze byla převedena a služba běží.',
    button: 'Otevřít přehled',
    why: (appName) =>
      `Tento e-mail dostáváte, protože spravujete službu ${appName}. Můžete ho vypnout v ` +
      'nastavení e-mailu.',
  },
  test: {
    subject: (appName) => `Testovací e-mail ze služby ${appName}`,
    heading: 'E-mail funguje',
    what: (appName) => `Služba ${appName} může posílat e-maily. O tento test požádal správce.`,
    button: (appName) => `Otevřít ${appName}`,
  },
}
