/** Kinds of things that something is done to. */
type TargetKind =
  | 'user'
  | 'session'
  | 'api_token'
  | 'contact'
  | 'settings'
  | 'mail'
  | 'share'
  | 'reverse_share'
  | 'delivery'

type Declared = readonly [target: TargetKind, doc: string, result?: 'refused']

/**
 * Every act that leaves a row in the audit log: its name, which stays as it is for ever, what kind
 * of thing it is done to, and what it says; those that came to nothing are `refused`. Reading
 * leaves none: downloads are in the activity log of their share.
 */
const table = {
  'setup.completed': ['user', 'The first administrator was created.'],
  'login.succeeded': ['user', 'Somebody logged in. `second_factor`: how, if there is one.'],
  'login.second_step': ['user', 'The password was right; a second factor was asked for.'],
  'login.failed': [
    'user',
    'Somebody did not get in; the name is the address tried. `more` counts further failures ' +
      'until `more_until` that got no row of their own.',
    'refused',
  ],
  'session.logged_out': ['session', 'A login ended itself.'],
  'session.confirmed': ['session', 'The password was given again for a login.'],
  'session.ended': ['session', 'A login was ended from another one.'],
  'session.others_ended': ['user', 'Every login of an account but one was ended. `sessions`.'],
  'session.all_ended': ['user', 'Every login of an account was ended by others. `sessions`.'],
  'password.changed': ['user', 'An account got another password from its holder.'],
  'password.set': ['user', 'An account got another password from whoever manages accounts.'],
  'password.link_made': [
    'user',
    'A link for a new password was made by whoever manages accounts. `mailed`, or handed over.',
  ],
  'password.reset_requested': ['user', 'A link for a new password was mailed.'],
  'password.reset_completed': ['user', 'A new password was set with such a link.'],
  'second_factor.enabled': ['user', 'A second factor was turned on.'],
  'second_factor.disabled': ['user', 'A second factor was turned off by its holder.'],
  'second_factor.reset': ['user', 'A second factor was taken away by an administrator.'],
  'second_factor.recovery_codes_renewed': ['user', 'New recovery codes took the place of the old.'],
  'second_factor.recovery_code_used': ['user', 'A recovery code was used up. `left`.'],
  'api_token.created': ['api_token', 'An API token was made.'],
  'api_token.revoked': ['api_token', 'An API token was ended.'],
  'account.changed': ['user', 'Somebody changed their own account. `fields`.'],
  'account.deleted': ['user', 'Somebody deleted their own account.'],
  'contact.added': ['contact', 'Somebody added a contact to their own; whom is not told.'],
  'contact.changed': ['contact', 'A contact was changed. `fields`.'],
  'contact.removed': ['contact', 'A contact was removed.'],
  'user.created': ['user', 'An account was created. `is_admin`.'],
  'user.invited': [
    'user',
    'An account was made whose holder sets the password. `is_admin`, `mailed`.',
  ],
  'user.invited_again': ['user', 'Its invitation was replaced by a new one. `mailed`.'],
  'user.invitation_accepted': ['user', 'Its holder has set the password.'],
  'user.changed': ['user', 'An account was changed by somebody else. `fields`.'],
  'user.disabled': ['user', 'An account was disabled; its logins ended.'],
  'user.enabled': ['user', 'An account was enabled again.'],
  'user.deleted': ['user', 'An account was deleted. `transferred_to`: who got what it owned.'],
  'settings.changed': ['settings', 'Settings were changed. `keys`: which.'],
  'mail.tested': ['mail', 'A test mail was asked for; the name is its recipient.'],
  'mail.retried': ['mail', 'A mail was queued again; the name is its recipient.'],
  'share.created': ['share', 'A share was started, as a draft.'],
  'share.finalized': ['share', 'A draft was completed. `files`, `bytes`, `mails` to recipients.'],
  'share.changed': ['share', 'A share was changed by its owner. `fields`.'],
  'share.additions_started': ['share', 'A complete share was opened for more files.'],
  'share.files_added': [
    'share',
    'Files were added to a complete share. `files`, `bytes`, `mails` if any.',
  ],
  'share.additions_dropped': ['share', 'Files that were being added were given up.'],
  'share.file_removed': ['share', 'A file was removed from a complete share. `bytes`.'],
  'share.resent': ['share', 'Its link was mailed to its recipients again. `mails`.'],
  'share.deleted': ['share', 'A share was deleted with its files, or with its account.'],
  'share.expired': ['share', 'The time of a share was over; its files were removed.'],
  'share.draft_removed': ['share', 'A draft that was left lying was removed.'],
  'reverse_share.created': ['reverse_share', 'A link for guests was made.'],
  'reverse_share.changed': ['reverse_share', 'A link for guests was changed. `fields`.'],
  'reverse_share.deleted': [
    'reverse_share',
    'A link for guests was deleted with what they delivered, or with its account.',
  ],
  'delivery.finalized': ['delivery', 'A guest completed a delivery. `files`, `bytes`.'],
  'delivery.deleted': ['delivery', 'A delivery was deleted with its files.'],
  'delivery.draft_removed': ['delivery', 'A delivery that a guest left unfinished was removed.'],
} as const satisfies Record<string, Declared>

export type AuditEvent = keyof typeof table

export const events = Object.keys(table) as AuditEvent[]

/** What somebody tried in vain. */
export const refusedEvents = events.filter((event) => (table[event] as Declared)[2] === 'refused')

export function targetKindOf(event: AuditEvent): TargetKind {
  return table[event][0]
}

/** What the act means, and which details its rows have. */
export function docOf(event: AuditEvent): string {
  return table[event][1]
}
