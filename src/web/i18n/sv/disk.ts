import type { Same } from '../../lib/i18n.ts'
import type { disk as english } from '../en/disk.ts'

export const disk = {
  'disk.again': 'Testa igen',
  'disk.busy': 'Testar disken…',
  'disk.is.different':
    'Disken lämnade tillbaka andra byte än de som skrevs. Den kan vara på väg att gå sönder: ' +
    'lagra inga filer på den och låt någon kontrollera den.',
  'disk.is.failed': 'Disktestet misslyckades. Systemet rapporterar:',
  'disk.fine':
    'Diskens hastighet: {rate}/s, snabb nog för ett nätverk på {network}. {free} av {total} ' +
    'ledigt.',
  'disk.is.full':
    'För lite diskutrymme: {free} ledigt, mindre än uppladdningar behöver. Frigör utrymme eller ' +
    'ange en mapp på en annan disk i STORAGE_DIR.',
  'disk.is.missing':
    'Lagringsmappen har ändrats sedan tjänsten startade, och inget skrevs. Kontrollera att dess ' +
    'disk är monterad.',
  'disk.is.refused':
    'Tjänsten kan inte skriva i sin lagringsmapp. Ge dess användare skrivrättigheter och ' +
    'kontrollera att disken inte är skrivskyddad.',
  'disk.slow':
    'Disken är långsam och uppladdningar får vänta på den. Använd en snabbare om du kan.',
  'disk.slow_sync':
    'Varje skrivning tar {ms} ms att nå disken, så många små filer tar lång tid. Använd en ' +
    'snabbare disk om du kan.',
  'disk.small': 'Det är lite utrymme kvar. Uppladdningar stoppas vid {floor} ledigt.',
  'disk.test': 'Testa disken',
} as const satisfies Same<typeof english>
