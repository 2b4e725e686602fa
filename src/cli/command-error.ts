/** A wrong call, or a state that the user has to fix: printed without a stack. */
export class CommandError extends Error {}

/** The command line itself is wrong: exit code 2. */
export class UsageError extends CommandError {}

/** An option has a value that this machine refuses: exit code 78, as for one that is not valid. */
export class WrongOption extends CommandError {}
