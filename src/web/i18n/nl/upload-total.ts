import type { Same } from '../../lib/i18n.ts'
import type { uploadTotal as english } from '../en/upload-total.ts'

export const uploadTotal = {
  'picking.empty': [
    'Deze map is leeg en wordt weggelaten:',
    'Deze mappen zijn leeg en worden weggelaten:',
  ],
  'picking.refused': [
    'Dit is niet toegevoegd, omdat het niet leesbaar is of de naam niet is toegestaan:',
    'Deze zijn niet toegevoegd, omdat ze niet leesbaar zijn of de namen niet zijn toegestaan:',
  ],
  'picking.seen': ['{n} bestand gevonden…', '{n} bestanden gevonden…'],
  'upload.busy': 'Dienst is druk',
  'upload.bytes': '{done} van {all}',
  'upload.finishing': 'wordt afgerond',
  'upload.hold.files':
    'Sommige bestanden vragen je aandacht: probeer ze opnieuw, kies ze opnieuw of verwijder ze.',
  'upload.hold.quota': 'Niet genoeg ruimte voor deze bestanden. Je voortgang blijft bewaard.',
  'upload.hold.removed': 'Dit is verwijderd of verlopen. Er worden geen bestanden meer aangenomen.',
  'upload.hold.server_full':
    'De schijf van de dienst is vol. Je voortgang blijft bewaard en de upload gaat automatisch ' +
    'verder.',
  'upload.hold.sign_in':
    'Je sessie is beëindigd, maar je voortgang blijft bewaard. Open de link opnieuw.',
  'upload.hold.too_large': 'Dit is groter dan de dienst toestaat. Verwijder iets.',
  'upload.left': 'nog {left}',
  'upload.lost': 'Verbinding verbroken',
  'upload.pause': 'Pauzeren',
  'upload.paused': 'gepauzeerd',
  'upload.progress': 'Voortgang van de upload',
  'upload.progress_at': '{percent} verzonden',
  'upload.resume': 'Hervatten',
  'upload.seconds': '{seconds} s',
  'upload.speed': '{bytes}/s',
  'upload.tryNow': 'Nu proberen',
  'upload.waiting': 'nieuwe poging over {left}',
} satisfies Same<typeof english>
