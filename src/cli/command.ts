/** One option of a command, as help shows it. */
export interface OptionSpec {
  /** What its value is, such as `NAME`; null for an option without one. */
  readonly value: string | null
  readonly doc: string
}

/** A command as declared: parsing, checks and help all read it. */
export interface Command {
  /** What follows its words, such as `<user>`. */
  readonly operands: string
  readonly operandsMin: number
  readonly operandsMax: number
  readonly options: Readonly<Record<string, OptionSpec>>
  /** One line for the list of commands, at most 44 characters. */
  readonly doc: string
  /** What else `help <command>` says. */
  readonly more?: string
  /** Whether it can answer in JSON; one that cannot writes by itself. */
  readonly hasJson: boolean
  readonly run: (call: Call) => Promise<Report | void>
}

/** What a command was called with. */
export interface Call {
  readonly operands: readonly string[]
  /** The value of an option; null when it was not given. */
  text(option: string): string | null
  has(option: string): boolean
  /** Whether one JSON document is wanted, and nothing beside it. */
  readonly wantsJson: boolean
}

/** What a command has to say: main.ts writes one of the two. */
export interface Report {
  /** One document, with the field names of the API. */
  readonly json: unknown
  /** For people, without the last line end. */
  readonly text: string
  /** Set when some of what was asked for could not be done. */
  readonly isFailure?: boolean
}
