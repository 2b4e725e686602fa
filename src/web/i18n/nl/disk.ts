import type { Same } from '../../lib/i18n.ts'
import type { disk as english } from '../en/disk.ts'

export const disk = {
  'disk.again': 'Opnieuw testen',
  'disk.busy': 'De schijf wordt getest…',
  'disk.is.different':
    'De schijf gaf andere bytes terug dan er zijn geschreven. Misschien is de schijf defect: ' +
    'bewaar er geen bestanden op en laat de schijf nakijken.',
  'disk.is.failed': 'De schijftest is mislukt. Het systeem meldt:',
  'disk.fine':
    'Schijfsnelheid: {rate}/s, snel genoeg voor een netwerk van {network}. {free} van {total} ' +
    'vrij.',
  'disk.is.full':
    'Te weinig schijfruimte: {free} vrij, minder dan uploads nodig hebben. Maak ruimte vrij of ' +
    'stel STORAGE_DIR in op een map op een andere schijf.',
  'disk.is.missing':
    'De opslagmap is veranderd sinds de dienst is gestart en er is niets geschreven. Controleer ' +
    'of de schijf ervan is gekoppeld.',
  'disk.is.refused':
    'De dienst kan niet in de opslagmap schrijven. Geef de gebruiker van de dienst ' +
    'schrijfrechten en controleer of de schijf niet alleen-lezen is.',
  'disk.slow':
    'Deze schijf is traag en uploads moeten erop wachten. Gebruik als het kan een snellere.',
  'disk.slow_sync':
    'Elke schrijfbewerking duurt {ms} ms, dus veel kleine bestanden duren lang. Gebruik ' +
    'als het kan een snellere schijf.',
  'disk.small': 'Er is weinig ruimte over. Uploads stoppen bij {floor} vrij.',
  'disk.test': 'Schijf testen',
} as const satisfies Same<typeof english>
