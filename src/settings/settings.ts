import type { Database, Sql } from '../db/connect.ts'
import { parseInput } from '../http/schema.ts'
import type { Clock } from '../lib/clock.ts'
import { invalidInput } from '../lib/errors.ts'
import * as rows from './sql.ts'
import {
  defaultSettings,
  isSettingKey,
  settingKeys,
  settingsTable,
  type SettingValues,
} from './table.ts'

const customKeysMax = 100
const customBytesMax = 16 * 1024
const customKeyPattern = /^[A-Za-z][A-Za-z0-9_.-]{0,99}$/

/** What GET shows beside the settings and PUT takes back unchanged. */
const readOnlyKeys = new Set(['version'])

export interface ConfigView {
  readonly [key: string]: unknown
}

/**
 * The settings of the deployment. Reads come from memory; another process's change is seen when
 * `refresh` is next called (a job, every few seconds).
 */
export class Settings {
  readonly #database: Database
  readonly #clock: Clock
  readonly #version: string
  #values: SettingValues = defaultSettings
  #custom: Readonly<Record<string, unknown>> = {}

  constructor(parts: { database: Database; clock: Clock; version: string }) {
    this.#database = parts.database
    this.#clock = parts.clock
    this.#version = parts.version
  }

  get values(): SettingValues {
    return this.#values
  }

  async refresh(): Promise<void> {
    this.#take(await rows.listSettings(this.#database.sql))
  }

  /** What administrators see: every setting, custom values, and what cannot be changed. */
  all(): ConfigView {
    return { ...this.#custom, ...this.#values, version: this.#version }
  }

  /** What everybody sees. */
  branding(): ConfigView {
    const shown = settingKeys.filter((key) => settingsTable[key].isPublic)
    return Object.fromEntries(shown.map((key) => [key, this.#values[key]]))
  }

  /**
   * Changes some settings, all of them or none. Keys nobody knows are kept as custom values.
   * @returns those keys
   * @throws CodedError invalid_input naming the first wrong one
   */
  async update(input: Readonly<Record<string, unknown>>): Promise<string[]> {
    const changes = Object.entries(input).filter(([key]) => !readOnlyKeys.has(key))
    const unknownKeys: string[] = []
    const parsed = changes.map(([key, value]): [string, unknown] => {
      if (isSettingKey(key)) return [key, parseInput(settingsTable[key].schema, value, key)]
      unknownKeys.push(key)
      return [key, checkCustom(key, value)]
    })
    await this.#database.begin(async (sql) => {
      await rows.lockSettings(sql)
      await this.#checkCustomCount(sql, unknownKeys)
      const at = new Date(this.#clock.now())
      for (const [key, value] of parsed) await rows.upsertSetting(sql, key, value, at)
    })
    await this.refresh()
    return unknownKeys
  }

  async #checkCustomCount(sql: Sql, unknownKeys: readonly string[]): Promise<void> {
    const stored = (await rows.listSettings(sql)).map((row) => row.key)
    const custom = new Set([...stored.filter((key) => !isSettingKey(key)), ...unknownKeys])
    if (custom.size > customKeysMax) {
      throw invalidInput(unknownKeys[0] ?? 'body', `there may be ${customKeysMax} custom values`)
    }
  }

  /** A stored value that no longer fits its setting counts as its default. */
  #take(stored: readonly { key: string; value: unknown }[]): void {
    const values: Record<string, unknown> = { ...defaultSettings }
    const custom: Record<string, unknown> = {}
    for (const { key, value } of stored) {
      if (!isSettingKey(key)) {
        custom[key] = value
        continue
      }
      try {
        values[key] = parseInput(settingsTable[key].schema, value)
      } catch {
        values[key] = defaultSettings[key]
      }
    }
    this.#values = values as unknown as SettingValues
    this.#custom = custom
  }
}

/** A value nobody here reads: kept as it is, within bounds. */
function checkCustom(key: string, value: unknown): unknown {
  if (!customKeyPattern.test(key)) {
    throw invalidInput(key.slice(0, 100), 'is no setting, and no name for a custom value')
  }
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > customBytesMax) {
    throw invalidInput(key, `must have at most ${customBytesMax} bytes as JSON`)
  }
  if (!text.isWellFormed() || text.includes('\\u0000') || /\\ud[89a-f]/i.test(text)) {
    throw invalidInput(key, 'must be well-formed Unicode without NUL')
  }
  return value
}
