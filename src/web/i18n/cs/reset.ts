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
  'signup.action': 'Vytvořit účet',
  'signup.asked': 'Zkontrolujte svůj e-mail. Odkaz v něm platí 24 hodin.',
  'signup.name': 'Jméno',
  'signup.needs_approval': 'Nové účty schvaluje správce.',
  'signup.signed_in':
    'Už máte otevřené přihlášení. Chcete-li vytvořit další účet, nejdřív se odhlaste.',
  'signup.to_app': 'Pokračovat',
  'signup.title': 'Vytvořit účet',
  'signup.waits': 'Správce musí váš účet schválit. Až se budete moci přihlásit, dostanete e-mail.',
  'error.sign_up_off': 'Účet si tu sami vytvořit nemůžete. Obraťte se na správce.',
  'error.sign_up_used': 'Účet s touto adresou už existuje. Přihlaste se.',
  'error.too_many_sign_ups': 'Na schválení čeká příliš mnoho osob. Zkuste to znovu za několik dní.',
  'error.wrong_sign_up_link': 'Tento odkaz už neplatí. Vyžádejte si nový.',
} satisfies Same<typeof english, Three>
