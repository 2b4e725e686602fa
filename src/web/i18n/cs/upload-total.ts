import type { Same, Three } from '../../lib/i18n.ts'
import type { uploadTotal as english } from '../en/upload-total.ts'

export const uploadTotal = {
  'picking.empty': [
    'Tato složka je prázdná a vynechá se:',
    'Tyto složky jsou prázdné a vynechají se:',
    'Tyto složky jsou prázdné a vynechají se:',
  ],
  'picking.refused': [
    'Toto nebylo přidáno, protože to nelze přečíst nebo název není povolený:',
    'Toto nebylo přidáno, protože to nelze přečíst nebo názvy nejsou povolené:',
    'Toto nebylo přidáno, protože to nelze přečíst nebo názvy nejsou povolené:',
  ],
  'picking.seen': ['Nalezen {n} soubor…', 'Nalezeny {n} soubory…', 'Nalezeno {n} souborů…'],
  'upload.busy': 'Služba je vytížená',
  'upload.bytes': '{done} z {all}',
  'upload.finishing': 'dokončuje se',
  'upload.hold.files':
    'Některé soubory vyžadují pozornost: zkuste je znovu, vyberte je znovu nebo odeberte.',
  'upload.hold.quota': 'Na tyto soubory není dost místa. Průběh zůstává uložený.',
  'upload.hold.removed': 'Bylo to smazáno nebo to vypršelo. Další soubory se nepřijímají.',
  'upload.hold.server_full':
    'Disk služby je plný. Průběh zůstává uložený a nahrávání bude automaticky pokračovat.',
  'upload.hold.sign_in': 'Vaše relace skončila, ale průběh zůstává uložený. Otevřete odkaz znovu.',
  'upload.hold.too_large': 'To je víc, než služba dovoluje. Něco odeberte.',
  'upload.left': 'zbývá {left}',
  'upload.lost': 'Spojení přerušeno',
  'upload.pause': 'Pozastavit',
  'upload.paused': 'pozastaveno',
  'upload.progress': 'Průběh nahrávání',
  'upload.progress_at': 'Nahráno {percent}',
  'upload.resume': 'Pokračovat',
  'upload.seconds': '{seconds} s',
  'upload.speed': '{bytes}/s',
  'upload.tryNow': 'Zkusit teď',
  'upload.waiting': 'další pokus za {left}',
} satisfies Same<typeof english, Three>
