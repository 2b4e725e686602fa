import { countIn, numberIn } from '../../lib/language.ts'
import type { EmailTexts } from '../en/emails.ts'

const files = (count: number) => countIn('pt-BR', count, ['{n} arquivo', '{n} arquivos'])
const named = (name: string) => name && ` “${name}”`
const fromAddress = (ip: string) => ip && `, do endereço IP ${ip}`
const aboutFiles = 'Se você não conhece o remetente, não abra o link.'
const ofLink = (isRequest: boolean) =>
  isRequest ? 'da sua solicitação de arquivos' : 'do seu envio'

export const emails: EmailTexts = {
  files,
  more: (count) => `e mais ${numberIn('pt-BR', count)}`,
  expires: (moment) => `expira em ${moment}`,
  needsPassword: 'com senha',
  peopleMax: (count) => countIn('pt-BR', count, ['para {n} pessoa', 'para até {n} pessoas']),
  upTo: (size) => `até ${size}`,
  askForPassword: (who) => `O link requer uma senha. Peça a senha a ${who}.`,
  hidden: (hasMessage) =>
    hasMessage
      ? 'A mensagem e os arquivos aparecem depois da senha.'
      : 'Os arquivos aparecem depois da senha.',
  orLink: 'Ou abra este link:',
  guest: 'Um visitante',
  footer: (appName) => `Enviado por ${appName}.`,
  footerFor: (appName, who) => `Enviado com ${appName} em nome de ${who}.`,

  share: {
    subject: (who, name, count) => `${who} enviou ${name ? `“${name}”` : files(count)} para você`,
    lead: (who) => `${who} enviou arquivos para você.`,
    button: 'Abrir os arquivos',
    why: (who) => `Você recebeu este e-mail porque ${who} informou seu endereço. ${aboutFiles}`,
  },
  addedFiles: {
    subject: (who, name, count) => `${who} adicionou ${files(count)}${name && ` a “${name}”`}`,
    lead: (who, name, count) =>
      `${who} adicionou ${files(count)} a ${name ? `“${name}”` : 'um envio anterior'}.`,
    button: 'Abrir os arquivos',
    why: (who) =>
      `Você recebeu este e-mail porque ${who} já enviou arquivos para você. ${aboutFiles}`,
  },
  request: {
    subject: (who, name) => `${who} solicita arquivos a você${name && `: “${name}”`}`,
    lead: (who) => `${who} solicita que você envie arquivos.`,
    noAccount: 'Você não precisa de uma conta. Escolha seus arquivos na página do link.',
    button: 'Enviar arquivos',
    why: (who) => `Você recebeu este e-mail porque ${who} informou seu endereço. ${aboutFiles}`,
  },
  delivery: {
    subject: (who, name, count) =>
      `${who} enviou ${files(count)} para ${name ? `“${name}”` : 'você'}`,
    lead: (who, name) => `${who} enviou arquivos para ${name ? `“${name}”` : 'você'}.`,
    button: 'Abrir os arquivos',
    why:
      'Você recebeu este e-mail porque sua solicitação de arquivos avisa quando chegam ' +
      'arquivos.',
  },
  deliveries: {
    subject: (name, count) =>
      countIn('pt-BR', count, ['Mais {n} entrega', 'Mais {n} entregas']) +
      (name && ` para “${name}”`),
    heading: (count) => countIn('pt-BR', count, ['Mais {n} entrega', 'Mais {n} entregas']),
    lead: (name, count, size) =>
      `Visitantes enviaram ${files(count)} (${size})${name && ` para “${name}”`}:`,
  },
  damage: {
    subject: (file, others) =>
      others === 0
        ? `Um arquivo está danificado: “${file}”`
        : `${numberIn('pt-BR', others + 1)} arquivos estão danificados: “${file}” e mais ` +
          numberIn('pt-BR', others),
    heading: (count) =>
      count === 1
        ? 'Um arquivo está danificado'
        : `${numberIn('pt-BR', count)} arquivos estão danificados`,
    what: (file, others, name, isDelivery) => {
      const sent = others === 0 ? 'enviado' : 'enviados'
      const where = isDelivery
        ? `, ${sent} para ${name ? `“${name}”` : 'você'},`
        : ` do seu envio${named(name)}`
      return others === 0
        ? `O arquivo “${file}”${where} está danificado no disco do serviço.`
        : `“${file}” e mais ${files(others)}${where} estão danificados no disco do serviço.`
    },
    advice: (count, isDelivery) => {
      const isOne = count === 1
      const gone = isOne ? 'Ele não pode mais ser baixado' : 'Eles não podem mais ser baixados'
      const them = isOne ? 'o arquivo' : 'os arquivos'
      return (
        `${gone}. ${isDelivery ? 'Peça' : 'Envie'} ${them} novamente e avise seu administrador, ` +
        'porque um disco pode estar falhando.'
      )
    },
    button: (isDelivery) => (isDelivery ? 'Ver solicitação de arquivos' : 'Ver envio'),
    why: 'Você recebeu este e-mail porque os arquivos são seus.',
  },
  downloads: {
    subject: (name) => `Seus arquivos foram baixados${name && `: “${name}”`}`,
    heading: 'Seus arquivos foram baixados',
    what: (name, people) => {
      const who = countIn('pt-BR', people, ['{n} pessoa baixou', '{n} pessoas baixaram'])
      return `${who} ${name ? `“${name}”` : 'seus arquivos'}.`
    },
    latest: (moment) => `último download: ${moment}`,
    button: 'Ver envio',
    why: 'Você recebeu este e-mail porque pediu avisos sobre os downloads deste envio.',
  },
  invitation: {
    subject: (appName) => `Sua conta em ${appName}`,
    heading: (appName) => `Boas-vindas a ${appName}`,
    what: (appName) => `Uma conta foi criada para você em ${appName}.`,
    button: 'Escolher sua senha',
    note: (days) =>
      'O link funciona uma vez e expira em ' + countIn('pt-BR', days, ['{n} dia.', '{n} dias.']),
    why: 'Se você não esperava este convite, ignore este e-mail.',
  },
  linkCode: {
    subject: (code, appName) => `${code} é seu código para ${appName}`,
    heading: 'Seu código',
    what: 'Digite este código para abrir os arquivos que enviaram a você:',
    note: (minutes) => `Funciona uma vez, por ${minutes} minutos. Não o repasse.`,
    why: 'Se você não pediu este código, ignore este e-mail.',
  },
  reset: {
    subject: (appName) => `Defina uma nova senha para ${appName}`,
    heading: 'Defina uma nova senha',
    what: (appName) => `Foi pedida uma nova senha para sua conta em ${appName}.`,
    button: 'Definir nova senha',
    note: (minutes) =>
      'O link funciona uma vez e expira em ' +
      countIn('pt-BR', minutes, ['{n} minuto.', '{n} minutos.']),
    why: 'Se você não pediu isso, ignore este e-mail: sua senha continua a mesma.',
  },
  signUp: {
    confirm: (appName) => `Confirme seu e-mail para ${appName}`,
    confirmWhat: (appName) =>
      `Uma conta em ${appName} foi solicitada com este endereço. Escolha um nome e uma senha ` +
      'para criá-la.',
    confirmButton: 'Criar conta',
    confirmNote: (hours) => `O link funciona uma vez e expira em ${hours} horas.`,
    known: (appName) => `Você já tem uma conta em ${appName}`,
    knownWhat:
      'Houve uma tentativa de criar uma conta com este endereço. Entre ou defina uma nova senha.',
    why: 'Se não foi você, ignore este e-mail.',
    approved: (appName) => `Sua conta em ${appName} foi aprovada`,
    approvedWhat: 'Você já pode entrar.',
    approvedButton: 'Entrar',
    declined: (appName) => `Sua solicitação de conta em ${appName}`,
    declinedWhat: (appName) =>
      `Um administrador de ${appName} não aprovou sua conta. Ela foi excluída.`,
    waiting: (count, appName) =>
      `${appName}: ` +
      countIn('pt-BR', count, ['{n} pessoa aguarda aprovação', '{n} pessoas aguardam aprovação']),
    waitingWhat:
      'Os endereços de e-mail estão confirmados. Aprove ou recuse as contas em “Contas”.',
    waitingButton: 'Abrir as contas',
  },
  notice: {
    subject: (event, appName) => `${appName}: ${event}`,
    events: {
      account_deleted: 'Sua conta foi excluída',
      api_token_created: 'Um token de API foi criado para sua conta',
      email_changed: 'O endereço de e-mail da sua conta foi alterado',
      identity_linked: 'Um login por provedor foi vinculado à sua conta',
      identity_unlinked: 'Um login por provedor foi desvinculado da sua conta',
      new_device: 'Houve um login na sua conta em um dispositivo novo',
      passkey_added: 'Uma chave de acesso foi adicionada à sua conta',
      passkey_refused: 'Uma chave de acesso da sua conta foi recusada: ela pode ter sido copiada',
      passkey_removed: 'Uma chave de acesso foi removida da sua conta',
      password_changed: 'Sua senha foi alterada',
      recovery_codes_renewed: 'Os códigos de recuperação da sua conta foram substituídos',
      second_factor_enabled: 'A verificação em duas etapas da sua conta foi ativada',
      second_factor_disabled: 'A verificação em duas etapas da sua conta foi desativada',
      sessions_ended: 'Todas as outras sessões da sua conta foram encerradas',
      sign_ins_reset: 'Sua senha foi alterada e todas as outras formas de entrar foram removidas',
      second_factor_reset: 'Um administrador redefiniu a verificação em duas etapas da sua conta',
    },
    what: (moment, ip) =>
      `Isso aconteceu em ${moment}${ip === null ? ', no próprio servidor' : fromAddress(ip)}.`,
    nothingToDo: 'Se foi você, não é preciso fazer nada.',
    changePassword: 'Se não foi, altere sua senha agora e avise seu administrador.',
    tellAdministrator: 'Se não foi, avise seu administrador imediatamente.',
    button: 'Abrir sua conta',
    why: (appName) => `Você recebeu este e-mail porque ele trata da sua conta em ${appName}.`,
  },
  failures: {
    latest: (moment, ip) => `A última tentativa foi em ${moment}${fromAddress(ip)}.`,
    signIn: {
      subject: (appName) => `Falhas de login na sua conta em ${appName}`,
      heading: 'Falhas de login na sua conta',
      what: (appName) =>
        `Várias tentativas de login na sua conta em ${appName} falharam por causa de uma senha ` +
        'incorreta.',
      advice:
        'Sua conta não está bloqueada. Se sua senha é curta ou usada em outros serviços, ' +
        'altere-a e ative a verificação em duas etapas.',
    },
    code: {
      subject: (appName) => `Códigos incorretos na sua conta em ${appName}`,
      heading: 'Códigos incorretos na sua conta',
      what: (appName) =>
        `Códigos incorretos foram digitados na sua conta em ${appName} depois da senha correta.`,
      advice:
        'Se não foi você, outra pessoa sabe sua senha. Altere-a agora e avise seu administrador.',
    },
    link: {
      subject: (isRequest, name) => `Senhas incorretas no link ${ofLink(isRequest)}${named(name)}`,
      heading: (isRequest) => `Senhas incorretas no link ${ofLink(isRequest)}`,
      what: (isRequest, name, appName) =>
        `Muitas senhas incorretas foram digitadas no link ${ofLink(isRequest)}${named(name)} em ` +
        `${appName}.`,
      advice:
        'O link continua funcionando com a senha correta. Se essa senha é curta, escolha uma ' +
        'mais longa e envie-a aos seus destinatários.',
      button: (isRequest) => (isRequest ? 'Abrir suas solicitações' : 'Abrir seus envios'),
    },
  },
  problems: {
    subject: (title, appName) => `${appName}: ${title}`,
    heading: (count) => countIn('pt-BR', count, ['{n} problema', '{n} problemas']),
    disks: {
      files_full: 'O disco de armazenamento está cheio',
      files_low: 'O disco de armazenamento está quase cheio',
      database_full: 'O disco do banco de dados está cheio',
      database_low: 'O disco do banco de dados está quase cheio',
    },
    space: (free, floor) => `${free} livres. Os uploads param abaixo de ${floor}.`,
    emails: (count) =>
      countIn('pt-BR', count, [
        '{n} e-mail não pôde ser entregue',
        '{n} e-mails não puderam ser entregues',
      ]),
    emailsAdvice: 'Leia a resposta do servidor de e-mail na visão geral e tente novamente.',
    jobs: (count) =>
      countIn('pt-BR', count, [
        '{n} tarefa em segundo plano continua falhando',
        '{n} tarefas em segundo plano continuam falhando',
      ]),
    jobsAdvice: (names) =>
      `Falhando há mais de uma hora: ${names}. O log do serviço mostra o motivo.`,
    damageAdvice:
      'Execute “transfer verify” para listar os arquivos danificados e restaure-os de um backup.',
    updated: (appName, version) => `${appName} foi atualizado para a versão ${version}`,
    migrated: 'O banco de dados foi migrado e o serviço está funcionando.',
    button: 'Abrir a visão geral',
    why: (appName) =>
      `Você recebeu este e-mail porque administra ${appName}. Você pode desativá-lo nas ` +
      'configurações de e-mail.',
  },
  test: {
    subject: (appName) => `E-mail de teste de ${appName}`,
    heading: 'O envio de e-mails funciona',
    what: (appName) => `${appName} consegue enviar e-mails. Um administrador pediu este teste.`,
    button: (appName) => `Abrir ${appName}`,
  },
}
