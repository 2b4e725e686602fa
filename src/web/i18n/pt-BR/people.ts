import type { Same } from '../../lib/i18n.ts'
import type { people as english } from '../en/people.ts'

export const people = {
  'people.add': 'Adicionar pessoa',
  'people.anyone': 'Pessoas com o link',
  'people.audience': 'Quem pode abrir',
  'people.change_hint': 'Uma mudança encerra os downloads em andamento.',
  'people.devices': ['{n} dispositivo', '{n} dispositivos'],
  'people.empty': 'Adicione as pessoas que podem abrir este envio.',
  'people.named': 'Só as pessoas que eu indicar',
  'people.named_hint': 'Cada pessoa recebe um link próprio, que você pode revogar.',
  'people.no_address': 'Sem endereço de e-mail, passe o link você mesmo.',
  'people.not_opened': 'ainda não aberto',
  'people.opened': 'Aberto',
  'people.proof': 'Elas provam quem são com',
  'people.proof.account': 'login com o próprio e-mail',
  'people.proof.code': 'um código por e-mail',
  'people.proof.none': 'só o link',
  'people.revoke': 'Revogar link',
  'people.revoke_text':
    'O link para de funcionar na hora, também para downloads em andamento. Se você adicionar ' +
    'esta pessoa de novo, ela receberá um novo link.',
  'people.revoke_title': 'Revogar o link de {name}?',
  'people.revoked': 'revogado',
  'people.revoked_toast': 'Link de {name} revogado.',
  'people.unsent': 'não enviado',
  'people.who': 'Pessoa',
} satisfies Same<typeof english>
