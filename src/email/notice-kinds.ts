/** Changes of an account that its holder must know about. */
export type NoticeKind =
  | 'account_deleted'
  | 'api_token_created'
  | 'email_changed'
  | 'passkey_added'
  | 'passkey_refused'
  | 'passkey_removed'
  | 'password_changed'
  | 'recovery_codes_renewed'
  | 'second_factor_enabled'
  | 'second_factor_disabled'
  | 'sessions_ended'
  | 'second_factor_reset'
