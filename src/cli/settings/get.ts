import type { ConfigView } from '../../settings/settings.ts'
import { CodedError } from '../../lib/errors.ts'
import type { Call, Report } from '../command.ts'
import { withApp } from '../open-app.ts'
import { didYouMean } from '../suggest.ts'
import { formatTable, outputWidth, printable, type Column } from '../table.ts'

const columns: Column<[key: string, value: unknown]>[] = [
  { title: 'KEY', text: ([key]) => key },
  { title: 'VALUE', text: ([, value]) => shown(value), isFlexible: true },
]

export function getSettings(call: Call): Promise<Report> {
  return withApp({ bytes: false }, async ({ services }) => {
    const all = services.settings.all()
    const keys = call.operands
    if (keys.length === 0) {
      return { json: all, text: formatTable(Object.entries(all), columns, outputWidth()) }
    }
    const chosen = keys.map((key): [string, unknown] => [key, valueOf(all, key)])
    const isOne = chosen.length === 1
    return {
      json: Object.fromEntries(chosen),
      text: isOne ? printable(shown(chosen[0]![1])) : formatTable(chosen, columns, Infinity),
    }
  })
}

function valueOf(all: ConfigView, key: string): unknown {
  if (Object.hasOwn(all, key)) return all[key]
  const meant = didYouMean(key, Object.keys(all))
  throw new CodedError('not_found', { message: `There is no setting "${key}"${meant}` })
}

/** In the form that `settings set` accepts. */
function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
