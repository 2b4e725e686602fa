/** Shares for named people. */
export const people = {
  'people.add': 'Add person',
  'people.anyone': 'People with the link',
  'people.audience': 'Who can open it',
  'people.change_hint': 'A change ends running downloads.',
  'people.devices': ['{n} device', '{n} devices'],
  'people.empty': 'Nobody can open this share yet. Add the people it is for.',
  'people.named': 'Only the people I name',
  'people.named_hint': 'Each person gets a link of their own, which you can revoke.',
  'people.no_address': 'Without an email address, pass the link on yourself.',
  'people.not_opened': 'not opened yet',
  'people.opened': 'Opened',
  'people.proof': 'They prove who they are by',
  'people.proof.account': 'signing in with their email address',
  'people.proof.code': 'a code by email',
  'people.proof.none': 'the link alone',
  'people.revoke': 'Revoke link',
  'people.revoke_text':
    'The link stops working at once, also for downloads that are running. If you add this ' +
    'person again, they get a new link.',
  'people.revoke_title': 'Revoke the link of {name}?',
  'people.revoked': 'revoked',
  'people.revoked_toast': 'Revoked the link of {name}.',
  'people.unsent': 'not sent',
  'people.who': 'Person',
} as const
