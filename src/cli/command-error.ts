/** A mistake in the call, or a state that the person at the terminal must mend: no stack. */
export class CommandError extends Error {}
