import type { Same } from '../../lib/i18n.ts'
import type { send as english } from '../en/send.ts'

export const send = {
  'expiry.date': 'Data…',
  'expiry.day': 'Expira no fim do dia',
  'expiry.never': 'nunca',
  'send.add_title': 'Adicionar um título',
  'send.all_in': 'Upload concluído. Privado até você obter o link.',
  'send.before_done': 'Você pode compartilhar o link antes do fim do upload.',
  'send.biggest': '{size} acima do limite. Remova arquivos; os maiores são:',
  'send.cancel': 'Cancelar upload',
  'send.cancel_text': 'Os dados já recebidos são excluídos. A lista de arquivos permanece.',
  'send.cancel_title': 'Cancelar este upload?',
  'send.choose': 'Escolher arquivos',
  'send.discard': 'Descartar',
  'send.discard_title': 'Descartar este upload?',
  'send.dock': 'Uploads',
  'send.dock_files': ['{done} de {n} arquivo', '{done} de {n} arquivos'],
  'send.expires': 'Expira em {day}',
  'send.get_link': 'Obter link',
  'send.get_links': 'Obter links',
  'send.held': 'O upload começa quando você obtiver o link.',
  'send.keep': 'Continuar upload',
  'send.keep_open':
    'Mantenha esta página aberta. O upload pausa enquanto o dispositivo está em repouso e ' +
    'continua depois.',
  'send.kept_both': ['Ambos mantidos: {name}', '{n} arquivos renomeados; um agora é {name}'],
  'send.life': 'guardados por {time}',
  'send.limit': 'Até {size}',
  'send.link_instead': 'Obter um link em vez disso',
  'send.link_received': 'Criar o link com o que já chegou',
  'send.never_expires': 'Nunca expira',
  'send.not_begun': 'Faltam na lista {size} de arquivos cujo upload não tinha começado.',
  'send.open': 'Abrir',
  'send.other_open':
    'Outro upload está aberto aqui. Primeiro, obtenha o link dele ou remova os arquivos.',
  'send.pick_again':
    'Este upload foi interrompido. Escolha os mesmos arquivos ou pastas de novo para continuar.',
  'send.recipients': 'Para',
  'send.recipients_hint':
    'Pressione Enter, vírgula ou espaço para adicionar um endereço. Você pode colar vários de ' +
    'uma vez.',
  'send.removed': 'Removido: {name}.',
  'send.send_to': ['Enviar para {n} pessoa', 'Enviar para {n} pessoas'],
  'send.slug_taken': 'Este link já está em uso. Escolha outro.',
  'send.start_over': 'Recomeçar com estes arquivos',
  'send.stopped':
    'Este upload foi excluído ou concluído em outro lugar. Seus arquivos continuam na lista.',
  'send.title': 'Enviar arquivos',
  'send.title_field': 'Título',
  'send.uploaded': 'Upload de “{name}” concluído.',
  'recipients.added': 'Adicionado: {list}',
  'recipients.list': 'Destinatários',
  'recipients.removed': 'Removido: {name}',
  'ready.change': 'Editar',
  'ready.ignored': 'Não é um endereço de e-mail: {list}',
} satisfies Same<typeof english>
