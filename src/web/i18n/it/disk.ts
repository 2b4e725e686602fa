import type { Same } from '../../lib/i18n.ts'
import type { disk as english } from '../en/disk.ts'

export const disk = {
  'disk.again': 'Ripeti il test',
  'disk.busy': 'Test del disco in corso…',
  'disk.is.different':
    'Il disco ha restituito byte diversi da quelli scritti. Potrebbe essere difettoso: non ' +
    'archiviarvi file e fallo controllare.',
  'disk.is.failed': 'Il test del disco non è riuscito. Il sistema segnala:',
  'disk.fine':
    'Velocità del disco: {rate}/s, sufficiente per una rete da {network}. {free} liberi su ' +
    '{total}.',
  'disk.is.full':
    'Spazio su disco insufficiente: {free} liberi, meno di quanto serve ai caricamenti. Libera ' +
    'spazio o imposta STORAGE_DIR su una cartella di un altro disco.',
  'disk.is.missing':
    'La cartella di archiviazione è cambiata dopo l’avvio del servizio e non è stato scritto ' +
    'nulla. Controlla che il suo disco sia montato.',
  'disk.is.refused':
    'Il servizio non può scrivere nella sua cartella di archiviazione. Dai al suo utente il ' +
    'permesso di scrittura e controlla che il disco non sia in sola lettura.',
  'disk.slow':
    'Questo disco è lento e i caricamenti dovranno aspettarlo. Se puoi, usane uno più veloce.',
  'disk.slow_sync':
    'Ogni scrittura impiega {ms} ms per arrivare al disco, quindi molti file piccoli richiedono ' +
    'tempo. Se puoi, usa un disco più veloce.',
  'disk.small': 'Resta poco spazio. I caricamenti si fermano a {floor} liberi.',
  'disk.test': 'Testa il disco',
} as const satisfies Same<typeof english>
