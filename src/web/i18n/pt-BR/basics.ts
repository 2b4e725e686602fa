import type { Same } from '../../lib/i18n.ts'
import type { basics as english } from '../en/basics.ts'

export const basics = {
  'common.copied': 'Copiado.',
  'common.copy': 'Copiar',
  'common.copy_by_hand': 'Pressione Ctrl+C para copiar.',
  'common.email': 'E-mail',
  'field.email': 'Digite um endereço de e-mail completo, por exemplo, ada@example.org.',
  'field.missing': 'Preencha este campo.',
  'field.short': 'Use pelo menos {n} caracteres.',
  'common.hide': 'Ocultar',
  'common.imprint': 'Aviso legal',
  'common.loading': 'Carregando…',
  'common.password': 'Senha',
  'common.privacy': 'Privacidade',
  'common.show': 'Mostrar',
  'common.try_again': 'Tentar novamente',
  'connection.back': 'Conexão restabelecida.',
  'connection.lost':
    'Sem conexão. O que você digitou é mantido, e esta página continua automaticamente.',
  'error.cookie_blocked':
    'Os dados estão corretos, mas o navegador bloqueia os cookies deste site. Permita-os e ' +
    'tente de novo.',
  'error.cookie_insecure':
    'Os dados estão corretos, mas o navegador só mantém o acesso em uma página ' +
    'criptografada. Abra esta página no endereço https://.',
  'error.not_found': 'Não há nada aqui. Talvez tenha sido excluído.',
  'error.unauthorized': 'Sua sessão foi encerrada.',
  'error.unavailable': 'O serviço não consegue fazer isso agora. Tente novamente em instantes.',
  'error.unknown':
    'Algo deu errado. Se você alterou algo, verifique se foi salvo antes de tentar novamente.',
  'error.unreachable':
    'Não foi possível acessar o serviço. Se você alterou algo, verifique se foi salvo antes de ' +
    'tentar novamente.',
  'error.wrong_code':
    'Código incorreto. Os códigos mudam a cada 30 segundos: verifique seu relógio.',
  'error.wrong_credentials': 'Endereço de e-mail ou senha incorretos.',
  'left.hours': ['cerca de {n} hora', 'cerca de {n} horas'],
  'left.minutes': ['cerca de {n} minuto', 'cerca de {n} minutos'],
  'left.under_minute': 'menos de um minuto',
  'tries.over': 'Você já pode tentar novamente.',
  'tries.wait': 'Tentativas demais. Tente novamente em {left}.',
} satisfies Same<typeof english>
