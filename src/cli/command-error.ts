/** A mistake in the call, or a state that the person at the terminal must mend: no stack. */
export class CommandError extends Error {}

/** The command line itself is wrong: exit code 2. */
export class UsageError extends CommandError {}
