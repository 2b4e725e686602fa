import type { Same } from '../../lib/i18n.ts'
import type { uploadTotal as english } from '../en/upload-total.ts'

export const uploadTotal = {
  'picking.empty': [
    'Den här mappen är tom och tas inte med:',
    'De här mapparna är tomma och tas inte med:',
  ],
  'picking.refused': [
    'Det här lades inte till, eftersom det inte kan läsas eller namnet inte är tillåtet:',
    'De här lades inte till, eftersom de inte kan läsas eller namnen inte är tillåtna:',
  ],
  'picking.seen': ['{n} fil hittades…', '{n} filer hittades…'],
  'upload.busy': 'Tjänsten är upptagen',
  'upload.bytes': '{done} av {all}',
  'upload.finishing': 'slutförs',
  'upload.hold.files':
    'Några filer kräver din uppmärksamhet: försök igen, välj dem på nytt eller ta bort dem.',
  'upload.hold.quota': 'Det finns inte plats för filerna. Det som har laddats upp finns kvar.',
  'upload.hold.removed': 'Det här har raderats eller gått ut. Inga fler filer tas emot.',
  'upload.hold.server_full':
    'Tjänstens disk är full. Det som har laddats upp finns kvar, och uppladdningen fortsätter ' +
    'automatiskt.',
  'upload.hold.sign_in':
    'Din session har avslutats, men det som har laddats upp finns kvar. Öppna länken igen.',
  'upload.hold.too_large': 'Det är större än tjänsten tillåter. Ta bort något.',
  'upload.left': '{left} kvar',
  'upload.lost': 'Anslutningen bröts',
  'upload.pause': 'Pausa',
  'upload.paused': 'pausad',
  'upload.progress': 'Uppladdningsförlopp',
  'upload.progress_at': '{percent} skickat',
  'upload.resume': 'Återuppta',
  'upload.seconds': '{seconds} s',
  'upload.speed': '{bytes}/s',
  'upload.tryNow': 'Försök nu',
  'upload.waiting': 'nytt försök om {left}',
} satisfies Same<typeof english>
