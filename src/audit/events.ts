type TargetKind =
  | 'user'
  | 'session'
  | 'api_token'
  | 'passkey'
  | 'identity'
  | 'provider'
  | 'contact'
  | 'settings'
  | 'mail'
  | 'audit'
  | 'storage'
  | 'share'
  | 'reverse_share'
  | 'delivery'

type Declared = readonly [target: TargetKind, doc: string, result?: 'refused']

/**
 * Every event of the audit log: its permanent name, the kind of its target, and its description;
 * failed attempts are `refused`. Reading is not recorded, except for exports of this log:
 * downloads are in the activity log of their share.
 */
const table = {
  'setup.completed': ['user', 'The first administrator was created.'],
  'login.succeeded': [
    'user',
    'A user signed in. `second_factor`: method, if one was used; `provider`: its id, if one was.',
  ],
  'login.second_step': ['user', 'The password was correct; a second factor was required.'],
  'login.failed': [
    'user',
    'A sign-in failed; the name is the email address entered, or the provider. `more` counts ' +
      'further failures until `more_until` that have no row.',
    'refused',
  ],
  'session.logged_out': ['session', 'A user signed out.'],
  'session.confirmed': ['session', 'The password was confirmed for a session.'],
  'session.ended': ['session', 'A session was ended from another session.'],
  'session.others_ended': ['user', 'All other sessions of an account were ended. `sessions`.'],
  'session.all_ended': [
    'user',
    'All sessions of an account were ended by an administrator. `sessions`.',
  ],
  'session.ended_by_provider': ['user', 'A sign-in provider ended a session. `provider`.'],
  'password.changed': ['user', 'A user changed their password.'],
  'password.set': ['user', 'An administrator set the password of an account.'],
  'password.link_made': [
    'user',
    'An administrator created a password reset link. `mailed`: whether it was emailed.',
  ],
  'password.reset_requested': ['user', 'A password reset link was emailed.'],
  'password.reset_completed': [
    'user',
    'A password was reset through a link. `others_removed`: so were all other ways to sign in.',
  ],
  'second_factor.enabled': ['user', 'A second factor was turned on.'],
  'second_factor.disabled': ['user', 'A user turned off their second factor.'],
  'second_factor.reset': ['user', 'An administrator reset a second factor.'],
  'second_factor.recovery_codes_renewed': [
    'user',
    'The recovery codes of an account were replaced.',
  ],
  'second_factor.recovery_code_used': ['user', 'A recovery code was used. `left`.'],
  'passkey.added': ['passkey', 'A passkey was added to an account.'],
  'passkey.changed': ['passkey', 'A passkey was renamed.'],
  'passkey.removed': ['passkey', 'A passkey was removed.'],
  'passkey.refused': [
    'passkey',
    'A passkey was refused because its signature counter did not grow: it may have been copied.',
    'refused',
  ],
  'identity.linked': ['identity', 'A sign-in with a provider was linked to an account.'],
  'identity.unlinked': ['identity', 'A sign-in with a provider was unlinked from an account.'],
  'provider.added': ['provider', 'A sign-in provider was added.'],
  'provider.changed': ['provider', 'A sign-in provider was changed. `fields`.'],
  'provider.removed': ['provider', 'A sign-in provider was removed, and its sessions ended.'],
  'api_token.created': ['api_token', 'An API token was created.'],
  'api_token.revoked': ['api_token', 'An API token was revoked.'],
  'account.changed': ['user', 'A user changed their own account. `fields`.'],
  'account.deleted': ['user', 'A user deleted their own account.'],
  'contact.added': ['contact', 'A contact was added; the address is not recorded.'],
  'contact.changed': ['contact', 'A contact was changed. `fields`.'],
  'contact.removed': ['contact', 'A contact was removed.'],
  'user.created': [
    'user',
    'An account was created. `is_admin`; `provider`, if it was at a first sign-in with one.',
  ],
  'user.signed_up': [
    'user',
    'A person signed up and confirmed the address. `waiting`: whether the account needs approval.',
  ],
  'user.approved': ['user', 'An account that waited for approval was approved.'],
  'user.declined': [
    'user',
    'An account that waited for approval was declined and deleted, or had waited 30 days.',
  ],
  'user.invited': ['user', 'An account was created by invitation. `is_admin`, `mailed`.'],
  'user.invited_again': ['user', 'An invitation was replaced by a new one. `mailed`.'],
  'user.invitation_accepted': ['user', 'An invited user set their password.'],
  'user.changed': ['user', 'An administrator changed an account. `fields`.'],
  'user.disabled': ['user', 'An account was disabled and its sessions ended.'],
  'user.enabled': ['user', 'An account was enabled again.'],
  'user.deleted': [
    'user',
    'An account was deleted. `transferred_to`: the account that received its shares.',
  ],
  'settings.changed': ['settings', 'Settings were changed. `keys`: the changed settings.'],
  'mail.tested': ['mail', 'A test email was sent; the name is its recipient.'],
  'mail.retried': ['mail', 'An email was queued again; the name is its recipient.'],
  'audit.exported': ['audit', 'The audit log was exported. `format`.'],
  'storage.tested': ['storage', 'The storage disk was tested. `success`.'],
  'verify.started': ['storage', 'A check of all stored bytes was started or resumed.'],
  'share.created': ['share', 'A share was started as a draft.'],
  'share.finalized': [
    'share',
    'A draft was completed. `files`, `bytes`, `mails` (emails to recipients).',
  ],
  'share.changed': ['share', 'A share with a link was changed or ended (`stopped`). `fields`.'],
  'share.additions_started': ['share', 'A complete share was opened for more files.'],
  'share.files_added': [
    'share',
    'Files were added to a complete share. `files`, `bytes`, `mails` (emails to ' +
      'recipients), if any.',
  ],
  'share.additions_dropped': ['share', 'Adding files to a share was cancelled.'],
  'share.file_removed': ['share', 'Files were removed from a complete share. `files`, `bytes`.'],
  'share.resent': ['share', 'The link of a share was emailed to its recipients again. `mails`.'],
  'share.person_added': ['share', 'A share was opened for one more person. `person`.'],
  'share.person_removed': ['share', 'The personal link of a person was revoked. `person`.'],
  'share.code_failed': [
    'share',
    'A wrong code was entered for a personal link. `person`.',
    'refused',
  ],
  'share.deleted': ['share', 'A share and its files were deleted, or its account was.'],
  'share.expired': ['share', 'A share expired and its files were removed.'],
  'share.draft_removed': ['share', 'An abandoned draft was removed.'],
  'reverse_share.created': ['reverse_share', 'A reverse share was created.'],
  'reverse_share.changed': ['reverse_share', 'A reverse share was changed. `fields`.'],
  'reverse_share.deleted': [
    'reverse_share',
    'A reverse share and its deliveries were deleted, or its account was.',
  ],
  'delivery.finalized': ['delivery', 'A guest completed a delivery. `files`, `bytes`.'],
  'delivery.deleted': ['delivery', 'A delivery and its files were deleted.'],
  'delivery.draft_removed': [
    'delivery',
    'An unfinished delivery was given up by its guest, or abandoned, and removed.',
  ],
} as const satisfies Record<string, Declared>

export type AuditEvent = keyof typeof table

export const events = Object.keys(table) as AuditEvent[]

/** Failed attempts. */
export const refusedEvents = events.filter((event) => (table[event] as Declared)[2] === 'refused')

export function targetKindOf(event: AuditEvent): TargetKind {
  return table[event][0]
}

/** Description of the event, and the details in its rows. */
export function docOf(event: AuditEvent): string {
  return table[event][1]
}
