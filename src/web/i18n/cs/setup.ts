import type { Same, Three } from '../../lib/i18n.ts'
import type { texts as english } from '../en/setup.ts'
import { common } from './common.ts'
import { disk } from './disk.ts'

export const texts = {
  ...common,
  ...disk,
  'setup.account_title': 'Vytvořte účet správce',
  'common.step': 'Krok {n} z {all}',
  'setup.account_text': 'První účet spravuje tuto službu.',
  'setup.account_action': 'Vytvořit účet',
  'setup.password_hint':
    'Nejméně 8 znaků. Několik slov si snadno zapamatujete a těžko je někdo uhodne.',
  'setup.token': 'Token pro nastavení',
  'setup.token_hint': 'Najdete ho v logu služby, za „token=“ na řádku, který začíná „setup:“.',
  'setup.no_token':
    'V této adrese chybí token pro nastavení. Zkopírujte z logu celou adresu nebo token zadejte.',
  'setup.wrong_token':
    'Nesprávný token pro nastavení. Při každém spuštění služby se vytvoří nový: použijte ' +
    'poslední řádek „setup:“ v logu.',
  'setup.taken': 'Tato služba byla mezitím nastavena. Zadané údaje se neuložily.',
  'setup.address_title': 'Název a adresa',
  'setup.app_name': 'Název služby',
  'setup.app_name_hint': 'Zobrazuje se na každé stránce a v každém e-mailu.',
  'setup.other_address':
    'Tato stránka je otevřená na {here}, ale odkazy budou začínat {address}. Pokud se na tuto ' +
    'adresu příjemci nedostanou, opravte BASE_URL a službu restartujte.',
  'setup.links_begin': 'Odkazy začínají na {address}.',
  'setup.plain_http':
    'Tato adresa není šifrovaná: soubory a hesla lze cestou přečíst. V síti, které nevěříte, ' +
    'dejte před službu HTTPS proxy server a nastavte BASE_URL na jeho adresu https.',
  'setup.no_cookie':
    'BASE_URL začíná https, takže prohlížeče udrží přihlášení jen na této adrese. ' +
    'Dokončete nastavení tady a potom se přihlaste na {address}.',
  'setup.proxy_believed': 'Služba je za důvěryhodným proxy serverem. Vaše adresa je {ip}.',
  'setup.proxy_ignored':
    'Služba je za proxy serverem, který TRUST_PROXY neuvádí. Všichni proto mají adresu {ip} a ' +
    'nesprávná hesla jedné osoby zablokují všechny. Nastavte TRUST_PROXY na adresu proxy serveru ' +
    'a službu restartujte.',
  'setup.proxy_silent':
    'TRUST_PROXY je nastavené, ale tento požadavek z {ip} nemá hlavičku X-Forwarded-For. Pokud ' +
    'tu proxy server je, nastavte ho, aby tuto hlavičku posílal.',
  'setup.limits_title': 'Úložiště a limity',
  'setup.share_limit': 'Největší sdílení (GB)',
  'setup.quota': 'Limit místa na účet (GB)',
  'setup.unlimited': 'Když nevyplníte, limit nebude.',
  'setup.expiry': 'Platnost odkazů',
  'setup.expiry_hint': 'Pokud odesílatel nezvolí jinak. Když nevyplníte, odkazy nikdy nevyprší.',
  'setup.unit': 'Jednotka',
  'setup.unit.Hours': 'hodiny',
  'setup.unit.Days': 'dny',
  'setup.unit.Weeks': 'týdny',
  'setup.unit.Months': 'měsíce',
  'setup.mail_title': 'E-mail',
  'setup.mail_text':
    'Se serverem SMTP může služba posílat odkazy, oznamovat zásilky a obnovovat hesla. Můžete ho ' +
    'nastavit i později.',
  'setup.smtp_host': 'Server SMTP',
  'setup.smtp_port': 'Port',
  'setup.smtp_security': 'Šifrování',
  'setup.security.starttls': 'STARTTLS (port 587)',
  'setup.security.tls': 'TLS (port 465)',
  'setup.security.none': 'Žádné: e-maily lze cestou přečíst',
  'setup.smtp_user': 'Uživatelské jméno',
  'setup.smtp_user_hint': 'Když ho server nevyžaduje, nevyplňujte.',
  'setup.smtp_from': 'Adresa odesílatele',
  'setup.smtp_from_hint': 'Například soubory@example.org',
  'setup.test': 'Uložit a poslat testovací e-mail',
  'setup.test_sent': 'Server přijal e-mail na adresu {email}. Jeho odpověď:',
  'setup.test_failed': 'E-mail se neodeslal:',
  'setup.skip': 'Přeskočit',
  'setup.done_title': 'Služba je připravená',
  'setup.done_text':
    'Pošlete soubor a ověřte, že vše funguje. Potom přidejte účty pro lidi, kteří budou ' +
    'službu používat.',
  'setup.add_accounts': 'Přidat účty',
  'setup.first_file': 'Poslat první soubor',
  'setup.sign_in': 'Přihlásit se',
  'setup.closed_title': 'Tato služba už je nastavená',
  'setup.closed_text': 'Pokud máte účet, přihlaste se. Jinak se zeptejte provozovatele služby.',
} satisfies Same<typeof english, Three>
