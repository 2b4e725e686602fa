export interface OptionSpec {
  /** Placeholder of its value, for example `NAME`; null for an option without one. */
  readonly value: string | null
  readonly doc: string
}

/** Declaration of a command: parsing, checks and help all read it. */
export interface Command {
  /** Operands after its words, for example `<user>`. */
  readonly operands: string
  readonly operandsMin: number
  readonly operandsMax: number
  readonly options: Readonly<Record<string, OptionSpec>>
  /** One line for the list of commands, at most 44 characters. */
  readonly doc: string
  /** Further text for `help <command>`. */
  readonly more?: string
  /** Whether it supports JSON output; a command without it writes its own output. */
  readonly hasJson: boolean
  /** Set when it does not open the data of the service, or is the service. */
  readonly isWithoutData?: boolean
  readonly run: (call: Call) => Promise<Report | void>
}

export interface Call {
  readonly operands: readonly string[]
  /** The value of an option; null without the option. */
  text(option: string): string | null
  has(option: string): boolean
  /** Whether the output is a single JSON document. */
  readonly wantsJson: boolean
}

/** Output of a command; main.ts writes one of the two forms. */
export interface Report {
  /** One document, with the field names of the API. */
  readonly json: unknown
  /** For people, without the last line end. */
  readonly text: string
  /** What failed, for people on standard error; the command ends with status 1. */
  readonly problems?: readonly string[]
  /** The same where the text says what failed. */
  readonly isFailure?: boolean
}

/** A wrong call, or a state that the user has to fix: printed without a stack. */
export class CommandError extends Error {}

/** The command line itself is wrong: exit code 2. */
export class UsageError extends CommandError {}

/** An option has a value that this machine refuses: exit code 78, as for one that is not valid. */
export class WrongOption extends CommandError {}
