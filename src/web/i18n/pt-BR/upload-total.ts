import type { Same } from '../../lib/i18n.ts'
import type { uploadTotal as english } from '../en/upload-total.ts'

export const uploadTotal = {
  'picking.empty': [
    'Esta pasta está vazia e fica de fora:',
    'Estas pastas estão vazias e ficam de fora:',
  ],
  'picking.refused': [
    'Isto não foi adicionado, porque não pode ser lido ou o nome não é permitido:',
    'Estes itens não foram adicionados, porque não podem ser lidos ou os nomes não são permitidos:',
  ],
  'picking.seen': ['{n} arquivo encontrado…', '{n} arquivos encontrados…'],
  'upload.busy': 'Serviço ocupado',
  'upload.bytes': '{done} de {all}',
  'upload.finishing': 'finalizando',
  'upload.hold.files':
    'Alguns arquivos precisam de atenção: tente de novo, escolha-os novamente ou remova-os.',
  'upload.hold.quota': 'Não há espaço suficiente para estes arquivos. Seu progresso é mantido.',
  'upload.hold.removed': 'Isto foi excluído ou expirou. Não são aceitos mais arquivos.',
  'upload.hold.server_full':
    'O disco do serviço está cheio. Seu progresso é mantido, e o upload continua automaticamente.',
  'upload.hold.sign_in': 'Sua sessão terminou, mas seu progresso é mantido. Abra o link de novo.',
  'upload.hold.too_large': 'Isto é maior do que o serviço permite. Remova arquivos.',
  'upload.left': 'termina em {left}',
  'upload.lost': 'Conexão perdida',
  'upload.pause': 'Pausar',
  'upload.paused': 'pausado',
  'upload.progress': 'Progresso do upload',
  'upload.progress_at': '{percent} enviados',
  'upload.resume': 'Retomar',
  'upload.seconds': '{seconds} s',
  'upload.speed': '{bytes}/s',
  'upload.tryNow': 'Tentar agora',
  'upload.waiting': 'nova tentativa em {left}',
} satisfies Same<typeof english>
