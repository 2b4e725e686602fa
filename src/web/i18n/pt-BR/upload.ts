import type { Same } from '../../lib/i18n.ts'
import type { upload as english } from '../en/upload.ts'

export const upload = {
  'drop.add_files': 'Adicionar arquivos',
  'drop.add_folder': 'Adicionar pasta',
  'drop.or_folder': 'ou uma pasta',
  'drop.text_name': 'Texto colado.txt',
  'drop.title': 'Solte-os aqui ou cole',
  'error.file_too_large': 'Este arquivo é maior do que o serviço permite.',
  'error.share_too_large': 'Juntos, os arquivos são maiores do que o serviço permite.',
  'file.is.changed': 'alterado',
  'file.is.done': 'enviado',
  'file.is.failed': 'não enviado',
  'file.is.missing': 'ainda não escolhido',
  'file.problem.blocked_extension': 'Arquivos como {kind} não são aceitos aqui.',
  'file.problem.changed':
    'O arquivo mudou desde o início do upload. Tente novamente para enviar a nova versão.',
  'file.problem.extension_not_allowed': 'Arquivos como {kind} não são aceitos aqui.',
  'file.problem.file_too_large': 'Este arquivo é maior do que o serviço permite.',
  'file.problem.refused_name': 'Este nome de arquivo não é permitido. Renomeie o arquivo primeiro.',
  'file.problem.restarted':
    'O arquivo mudou desde o início do envio, por isso está sendo enviado de novo desde o começo.',
  'file.problem.unreadable': 'Este arquivo não pode ser lido. Os outros continuam.',
  'file.clear': 'Limpar lista',
  'file.remove_n': ['Remover {n} arquivo', 'Remover {n} arquivos'],
  'file.remove_some': 'Remover arquivos…',
  'file.removed_n': ['{n} arquivo removido.', '{n} arquivos removidos.'],
  'file.remove': 'Remover {name}',
  'file.retry': 'Tentar {name} novamente',
  'file.is.skipped': 'ignorado',
  'file.skipped_count': [
    '{n} arquivo é ignorado. A lista mostra o motivo.',
    '{n} arquivos são ignorados. A lista mostra o motivo.',
  ],
  'common.show_more': 'Mostrar mais (restam {left})',
} satisfies Same<typeof english>
