import type { Same, Three } from '../../lib/i18n.ts'
import type { texts as english } from '../en/reset.ts'

export const texts = {
  'invited.action': 'Nastavit heslo a přihlásit se',
  'invited.text': 'Byl pro vás vytvořen účet. Zvolte si heslo a přihlaste se.',
  'invited.title': 'Pozvánka',
  'invited.welcome': 'Vítejte, {name}',
  'invited.wrong': 'Tato pozvánka už neplatí. Požádejte o novou.',
  'reset.again': 'Vyžádat nový odkaz',
  'reset.ask': 'Poslat mi odkaz e-mailem',
  'reset.asked': 'Pokud má některý účet tuto adresu, je e-mail na cestě. Odkaz v něm platí hodinu.',
  'reset.done': 'Heslo bylo změněno. Všechny ostatní relace skončily.',
  'reset.new_password': 'Nové heslo',
  'reset.no_mail':
    'Tato služba neposílá e-maily. O odkaz pro obnovení hesla požádejte jejího provozovatele.',
  'reset.rule': 'Nejméně 8 znaků. Několik slov si snadno zapamatujete a těžko je někdo uhodne.',
  'reset.set': 'Nastavit heslo',
  'reset.set_title': 'Nastavte si nové heslo',
  'reset.title': 'Zapomenuté heslo?',
  'reset.to_login': 'Přejít na přihlášení',
  'reset.wrong_link': 'Tento odkaz už neplatí. Vyžádejte si nový.',
  'error.wrong_proxy_user': 'S tímto účtem se zde nelze přihlásit. Obraťte se na správce.',
  'proxy.action': 'Pokračovat jako {name}',
  'proxy.text': 'Jste přihlášeni u své organizace.',
} satisfies Same<typeof english, Three>
