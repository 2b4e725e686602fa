import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/share.ts'
import { common } from './common.ts'
import { preview } from './preview.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'

export const texts = {
  ...common,
  ...preview,
  ...theme,
  ...unlock,
  'share.as_grid': 'Mostrar em grade',
  'share.as_list': 'Mostrar em lista',
  'share.is.busy': 'O serviço está ocupado. Seu download começa automaticamente em instantes.',
  'share.download_chosen': 'Baixar {count} ({size})',
  'share.found': ['{n} arquivo encontrado', '{n} arquivos encontrados'],
  'share.left': ['mais {n} pessoa pode baixar', 'mais {n} pessoas podem baixar'],
  'share.left_none': 'limite de downloads atingido para outras pessoas',
  'share.is.offline':
    'Sem conexão. Seu download começa automaticamente quando você voltar a ficar on-line.',
  'share.search': 'Buscar arquivos',
  'share.is.started': 'Seu navegador está baixando. Se o download parar, use Retomar no navegador.',
  'share.is.started_all':
    'Seu navegador está baixando. Se o download parar, use Retomar no navegador ou baixe os ' +
    'arquivos um a um.',
  'share.too_scattered':
    'Arquivos separados demais para um download. Selecione menos arquivos ou pastas inteiras.',
  'share.is.used_up': 'Você já usou o seu download. Fale com o remetente.',
  'common.show_more': 'Mostrar mais (restam {left})',
} satisfies Same<typeof english>
