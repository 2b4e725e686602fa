/** Why a backup cannot be made, read or restored; the message says what to do. */
export class BackupProblem extends Error {
  override readonly name = 'BackupProblem'
}
