import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/ready.ts'

export const texts = {
  'email.dead': 'falhou',
  'email.queued': 'a caminho',
  'email.resend': 'Enviar de novo',
  'email.resend_to': 'Enviar de novo para {to}',
  'email.sent': 'enviado',
  'email.waiting': 'recebe o link quando o upload terminar',
  'ready.again': 'Novo envio',
  'ready.complete': 'Concluído. Qualquer pessoa com o link já pode baixar.',
  'ready.complete_locked': 'Concluído. Qualquer pessoa com o link e a senha já pode baixar.',
  'ready.contacts_add': ['Adicionar {name} aos contatos', 'Adicionar {n} pessoas aos contatos'],
  'ready.contacts_added': ['Contato adicionado.', '{n} contatos adicionados.'],
  'ready.copied': 'Link copiado.',
  'ready.copied_title': 'Link copiado. O upload continua: faltam {percent}',
  'ready.copy_link': 'Copiar link',
  'ready.copy_password': 'Copiar senha',
  'ready.expires': 'expira em {day}',
  'ready.interrupted': 'O upload foi interrompido. Os destinatários veem que faltam arquivos.',
  'ready.link': 'Link',
  'ready.mail_full':
    'Nenhum e-mail foi enviado: a fila está cheia. Tente mais tarde ou envie o link por outro ' +
    'meio.',
  'ready.mail_limit':
    'Nenhum e-mail foi enviado: o limite de downloads foi atingido. Aumente-o primeiro.',
  'ready.mail_none':
    'Nenhum e-mail foi enviado: o e-mail não está configurado. Envie o link por outro meio.',
  'ready.mail_queued': 'A caminho de {list}.',
  'ready.no_expiry': 'nunca expira',
  'ready.open': 'Abrir como destinatário',
  'ready.password_hint': 'Compartilhe a senha separadamente. Ela não será mostrada de novo.',
  'ready.protected': 'com senha',
  'ready.qr': 'Código QR',
  'ready.qr_copy': 'Copiar código QR',
  'ready.qr_download': 'Baixar código QR',
  'ready.qr_not_copied': 'Não é possível copiar o código QR aqui. Baixe-o.',
  'ready.qr_text': 'Código QR do link',
  'ready.send': 'Enviar',
  'ready.share': 'Compartilhar…',
  'ready.title': 'Seu link está pronto',
  'shared.none': 'Nada chegou. Compartilhe os arquivos de novo ou escolha-os aqui.',
  'shared.text': 'Texto compartilhado.txt',
} satisfies Same<typeof english>
