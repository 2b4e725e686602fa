import { countIn, numberIn } from '../../lib/language.ts'
import type { PageTexts } from '../en/pages.ts'

const sender = 'quem enviou este link'
const ask = (owner: string) => `Peça um novo link a ${owner || sender}.`

export const pages: PageTexts = {
  share: {
    untitled: 'Arquivos para você',
    sent: (owner) => `${owner} enviou para você`,
    sending: (owner) => `${owner} está enviando para você`,
    files: (count) => countIn('pt-BR', count, ['{n} arquivo', '{n} arquivos']),
    from: (owner) => `de ${owner}`,
    until: 'Disponível até',
    endedOn: 'Encerrado em',
    left: (count) =>
      count === 0
        ? 'limite de downloads atingido para outras pessoas'
        : countIn('pt-BR', count, ['mais {n} pessoa pode baixar', 'mais {n} pessoas podem baixar']),
    leftHint: 'Depois de abrir ou baixar um arquivo, você pode baixar tudo durante 24 horas.',
    all: (size) => `Baixar tudo · ${size}`,
    one: (size) => `Baixar · ${size}`,
    more: (count) => {
      const files = countIn('pt-BR', count, ['mais {n} arquivo', 'mais {n} arquivos'])
      return `e ${files}, no ZIP`
    },
    empty: 'Este envio não tem arquivos.',
    damaged: 'Danificado',
    damagedFiles: (count) =>
      count === 1
        ? '1 arquivo está danificado no servidor e não pode ser baixado. ' +
          'Peça ao remetente que o envie novamente.'
        : `${numberIn('pt-BR', count)} arquivos estão danificados no servidor e não podem ser ` +
          'baixados. Peça ao remetente que os envie novamente.',
    locked: 'Estes arquivos estão protegidos com uma senha.',
    lockedBy: (owner) => `${owner} protegeu estes arquivos com uma senha.`,
    qrCode: 'Abrir no celular',
    qrCodeImage: 'Código QR do link desta página',
    report: 'Denunciar este envio',
    password: 'Senha',
    passwordWrong: 'Senha incorreta. Verifique letras maiúsculas e espaços.',
    passwordWait: 'Tentativas demais. Tente de novo em alguns minutos.',
    proofCode: (address) =>
      `Este link é pessoal. Para abri-lo, digite o código que enviaremos para ${address}.`,
    proofAccount: (address) =>
      `Este link é pessoal. Para abri-lo, entre com a conta de ${address}.`,
    codeSend: 'Enviar um código para mim',
    codeSent: (address) => `Enviamos um código para ${address}. Ele vale por dez minutos.`,
    codeField: 'Código',
    codeOpen: 'Abrir',
    codeAgain: 'Enviar outro código',
    codeWrong: 'O código está errado ou não é mais válido. Confira ou peça um novo.',
    codeWait: 'Foram pedidos códigos demais. Tente de novo em alguns minutos.',
    uploading: (percent) =>
      `Upload em andamento${percent}. Os arquivos aparecem aqui quando todos tiverem chegado.`,
    paused: (percent, ago) =>
      `Upload pausado${percent === null ? '' : ` em ${percent}`}, última atividade ${ago}. ` +
      'Os arquivos aparecem aqui quando todos tiverem chegado.',
    abandoned: (owner) =>
      `${owner || 'O remetente'} não concluiu este upload, e há um dia não chega nada. ` +
      'Peça os arquivos novamente.',
    openAgain: 'Sem JavaScript, abra este link novamente mais tarde.',
    notFound: {
      title: 'Link não encontrado',
      text:
        'O link pode estar incompleto, ou os arquivos podem ter sido excluídos. ' +
        'Peça um novo a quem enviou este link.',
    },
    expired: {
      title: 'Este envio foi encerrado',
      text: (owner) => `Peça a ${owner || sender} que envie os arquivos novamente.`,
    },
    usedUp: {
      title: 'Limite de downloads atingido',
      text: ask,
    },
  },
  request: {
    untitled: 'Arquivos',
    asks: (owner) => `${owner} pede a você`,
    locked: 'Digite a senha para enviar arquivos.',
    needsScript: 'Para enviar, é necessário JavaScript ou a API.',
    unlockNeedsScript: 'Para desbloquear, é necessário JavaScript ou a API.',
    notFound: {
      title: 'Link não encontrado',
      text:
        'O link pode estar incompleto ou ter sido excluído. ' +
        'Peça um novo a quem enviou este link.',
    },
    isClosed: 'Esta solicitação está fechada',
    expired: (day, owner) => `Ela está fechada desde ${day}. ${ask(owner)}`,
    closed: (day, owner) => `Só uma entrega era possível, e ela foi feita em ${day}. ${ask(owner)}`,
  },
  notFound: {
    title: 'Página não encontrada',
    text: 'O endereço pode estar incompleto, ou o que havia aqui pode ter sido excluído.',
    home: 'Ir para a página inicial',
  },
  notSetUp: {
    title: 'Ainda não configurado',
    how:
      'Este serviço não tem administrador. Abra o link de configuração que está no log do ' +
      'servidor para criar um.',
    command: 'Ele está na linha que começa com “setup:”. Para encontrá-la:',
    afterwards: 'Depois, recarregue esta página para entrar.',
    again: 'Recarregar',
  },
  home: { title: 'Boas-vindas', signIn: 'Entrar' },
  app: { send: 'Enviar arquivos', requests: 'Solicitações de arquivos' },
  footer: { imprint: 'Aviso legal', privacy: 'Privacidade' },
  unloaded: {
    title: 'Esta página não foi carregada por completo',
    action: 'Carregar novamente',
  },
}
