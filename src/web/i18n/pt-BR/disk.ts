import type { Same } from '../../lib/i18n.ts'
import type { disk as english } from '../en/disk.ts'

export const disk = {
  'disk.again': 'Testar novamente',
  'disk.busy': 'Testando o disco…',
  'disk.is.different':
    'O disco devolveu bytes diferentes dos gravados. Ele pode estar falhando: não armazene ' +
    'arquivos nele e mande verificá-lo.',
  'disk.is.failed': 'O teste do disco falhou. O sistema informa:',
  'disk.fine':
    'Velocidade do disco: {rate}/s, suficiente para uma rede de {network}. {free} de {total} ' +
    'livres.',
  'disk.is.full':
    'Espaço em disco insuficiente: {free} livres, menos do que os uploads precisam. Libere ' +
    'espaço ou defina STORAGE_DIR como uma pasta em outro disco.',
  'disk.is.missing':
    'A pasta de armazenamento mudou desde que o serviço iniciou, e nada foi gravado. Verifique ' +
    'se o disco dela está montado.',
  'disk.is.refused':
    'O serviço não consegue gravar na pasta de armazenamento. Dê permissão de gravação ao ' +
    'usuário dele e verifique se o disco não é somente leitura.',
  'disk.slow':
    'Este disco é lento, e os uploads terão que esperar por ele. Se puder, use um mais rápido.',
  'disk.slow_sync':
    'Cada gravação leva {ms} ms para chegar ao disco, por isso muitos arquivos pequenos demoram. ' +
    'Se puder, use um disco mais rápido.',
  'disk.small': 'Resta pouco espaço. Os uploads param com {floor} livres.',
  'disk.test': 'Testar o disco',
} as const satisfies Same<typeof english>
