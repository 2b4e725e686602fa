import type { Same, Three } from '../../lib/i18n.ts'
import type { texts as english } from '../en/ready.ts'

export const texts = {
  'email.is.dead': 'nedoručeno',
  'email.last': 'Poslední e-mail:',
  'email.is.queued': 'na cestě',
  'email.resend': 'Poslat znovu',
  'email.resend_to': 'Poslat znovu na adresu {to}',
  'email.is.sent': 'odesláno',
  'email.too_soon': 'Před odesláním dalšího e-mailu minutu počkejte.',
  'email.waiting': 'dostane odkaz po dokončení nahrávání',
  'ready.again': 'Poslat další',
  'ready.by_email': 'Poslat e-mailem',
  'ready.contacts_add': [
    'Přidat do kontaktů: {name}',
    'Přidat {n} osoby do kontaktů',
    'Přidat {n} osob do kontaktů',
  ],
  'ready.contacts_added': [
    'Přidáno do kontaktů.',
    'Do kontaktů přidány {n} osoby.',
    'Do kontaktů přidáno {n} osob.',
  ],
  'ready.copied': 'Odkaz zkopírován',
  'ready.copy_link': 'Kopírovat odkaz',
  'ready.copy_password': 'Kopírovat heslo',
  'ready.expires': 'vyprší {day}',
  'ready.first': ['jen první osoba', 'první {n} osoby', 'prvních {n} osob'],
  'ready.interrupted': 'Nahrávání bylo přerušeno. Příjemci čekají, než bude pokračovat.',
  'ready.link': 'Odkaz',
  'ready.mail_full':
    'E-mail se neodeslal: fronta je plná. Zkuste to později nebo pošlete odkaz jinak.',
  'ready.mail_limit': 'E-mail se neodeslal: limit stažení je vyčerpaný. Nejdřív ho zvyšte.',
  'ready.mail_often':
    'Soubory byly přidány, ale e-mail se neodeslal: hodinový limit je vyčerpaný. Pošlete odkaz ' +
    'později.',
  'ready.mail_none': 'E-mail se neodeslal: e-mail není nastavený. Pošlete odkaz jinak.',
  'ready.mail_queued': 'Odesílá se: {list}',
  'ready.open': 'Zobrazit jako příjemce',
  'ready.password_hint': 'Heslo předejte zvlášť. Znovu se nezobrazí.',
  'ready.protected': 's heslem',
  'ready.qr': 'QR kód',
  'ready.qr_download': 'Stáhnout QR kód',
  'ready.qr_text': 'QR kód odkazu',
  'ready.sending_to': ['Odesílá se {n} osobě', 'Odesílá se {n} osobám', 'Odesílá se {n} osobám'],
  'ready.sent_to': ['Odesláno {n} osobě', 'Odesláno {n} osobám', 'Odesláno {n} osobám'],
  'ready.share': 'Sdílet…',
  'ready.title': 'Odkaz je připravený',
  'shared.none': 'Nic nedorazilo. Sdílejte soubory znovu nebo je vyberte tady.',
  'shared.text': 'Sdílený text.txt',
} satisfies Same<typeof english, Three>
