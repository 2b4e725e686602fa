import type { Same, Three } from '../../lib/i18n.ts'
import type { disk as english } from '../en/disk.ts'

export const disk = {
  'disk.again': 'Otestovat znovu',
  'disk.busy': 'Disk se testuje…',
  'disk.is.different':
    'Disk vrátil jiné bajty, než byly zapsány. Možná selhává: neukládejte na něj soubory a ' +
    'nechte ho zkontrolovat.',
  'disk.is.failed': 'Test disku se nezdařil. Systém hlásí:',
  'disk.fine': 'Rychlost disku: {rate}/s, stačí pro síť {network}. Volných {free} z {total}.',
  'disk.is.full':
    'Málo místa na disku: volných {free}, méně, než potřebuje nahrávání. Uvolněte místo nebo ' +
    'nastavte v STORAGE_DIR složku na jiném disku.',
  'disk.is.missing':
    'Složka úložiště se od spuštění služby změnila a nic nebylo zapsáno. Ověřte, že je její disk ' +
    'připojený.',
  'disk.is.refused':
    'Služba nemůže zapisovat do složky úložiště. Dejte jejímu uživateli právo zápisu a ověřte, ' +
    'že disk není jen pro čtení.',
  'disk.slow':
    'Tento disk je pomalý a nahrávání na něj bude čekat. Pokud můžete, použijte rychlejší.',
  'disk.slow_sync':
    'Každý zápis se na disk dostane až za {ms} ms, takže mnoho malých souborů trvá dlouho. ' +
    'Pokud můžete, použijte rychlejší disk.',
  'disk.small': 'Zbývá málo místa. Nahrávání se zastaví, až bude volných jen {floor}.',
  'disk.test': 'Otestovat disk',
} as const satisfies Same<typeof english, Three>
