import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/guest.ts'
import { common } from './common.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'
import { upload } from './upload.ts'
import { uploadTotal } from './upload-total.ts'

export const texts = {
  ...common,
  ...theme,
  ...unlock,
  ...upload,
  ...uploadTotal,
  'guest.again': 'Enviar mais',
  'guest.arrived': ['{n} arquivo recebido ({size}).', '{n} arquivos recebidos ({size}).'],
  'guest.asks': '{owner} pede a você',
  'guest.is.closed':
    'Só uma entrega era possível, e ela já foi feita. Seus arquivos não foram entregues.',
  'guest.continue': 'Continuar',
  'guest.discard': 'Descartar',
  'guest.elsewhere': 'Outra aba já está enviando estes arquivos.',
  'guest.field.email': 'Seu e-mail',
  'guest.is.expired': 'Esta solicitação já foi fechada. Seus arquivos não foram entregues.',
  'guest.has': ['{owner} recebeu {n} arquivo ({size}).', '{owner} recebeu {n} arquivos ({size}).'],
  'guest.limit': 'até {size}',
  'guest.more': 'Adicionar seu nome ou uma nota',
  'guest.field.name': 'Seu nome',
  'guest.field.note': 'Mensagem',
  'guest.once': 'para uma entrega',
  'guest.only': 'só {kinds}',
  'guest.open':
    'Mantenha esta página aberta. Se você a fechar, abra o link de novo para continuar.',
  'guest.optional': '{name} (opcional)',
  'guest.pick_again': 'Escolha os mesmos arquivos de novo para continuar de onde parou.',
  'guest.quote': 'Informe-a se entrar em contato com {owner}.',
  'guest.reference': 'Sua referência é {reference}.',
  'guest.send': ['Enviar {n} arquivo ({size})', 'Enviar {n} arquivos ({size})'],
  'guest.sending': 'Enviando seus arquivos',
  'guest.sending_to': 'Enviando para {owner}',
  'guest.start_over': 'Recomeçar',
  'guest.stopped':
    'Este upload não pode continuar. Seus arquivos ainda estão selecionados: recomece.',
  'guest.thanks': 'Agradecemos o envio',
  'guest.to': 'Seus arquivos vão só para {owner}.',
  'guest.to_shared': 'Seus arquivos vão para {owner}, que pode compartilhá-los com outras pessoas.',
  'guest.to_whom_shared':
    'Seus arquivos vão para a pessoa que enviou este link, que pode compartilhá-los com outras ' +
    'pessoas.',
  'guest.to_whom': 'Seus arquivos vão só para a pessoa que enviou este link.',
  'guest.too_big': '{size} acima do limite: remova arquivos.',
  'guest.unfinished': 'Upload não concluído ({when}): {files}.',
  'guest.until': 'aberta até {day}',
} satisfies Same<typeof english>
