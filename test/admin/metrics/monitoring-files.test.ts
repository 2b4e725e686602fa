// Alert rules and dashboard, as operators load them, against the metrics that exist.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { metrics } from '../../../src/admin/metrics/table.ts'
import { packageRoot } from '../../../src/lib/package-root.ts'
import { run } from '../../helpers/unpack.ts'

const files = suite('metrics: alert rules and dashboard')
const folder = path.join(packageRoot, 'static/monitoring')
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8')
const table = Object.values(metrics)

/** Names of metrics in expressions; histograms are named by their series. */
function namesIn(text: string): Set<string> {
  const found = text.match(/\b(transfer|process)_[a-z_]+/g) ?? []
  const histograms = new Set(table.filter(({ kind }) => kind === 'histogram').map((m) => m.name))
  return new Set(
    found.map((name) => {
      const base = name.replace(/_(bucket|sum|count)$/, '')
      return histograms.has(base) ? base : name
    }),
  )
}

interface Panel {
  readonly title: string
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[]
}

const panels = (JSON.parse(read('grafana-dashboard.json')) as { panels: Panel[] }).panels
const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

files('should name only metrics that exist', () => {
  const known = new Set<string>(table.map(({ name }) => name))
  const rules = read('alerts.yml').replaceAll(/^ *#.*$/gm, '')
  for (const text of [rules, read('alerts.test.yml'), ...expressions]) {
    for (const name of namesIn(text)) assert.ok(known.has(name), name)
  }
})

files('should show every metric in a panel or an alert, except limits and parts', () => {
  const shown = namesIn([read('alerts.yml'), ...expressions].join('\n'))
  const elsewhere = new Set<string>([
    metrics.openFilesMax.name,
    metrics.diskSize.name,
    metrics.jobRuns.name,
    metrics.jobFailures.name,
    metrics.verifyFindings.name,
  ])
  for (const { name } of table) assert.ok(shown.has(name) || elsewhere.has(name), name)
})

files('should use only labels that the metrics have', () => {
  for (const text of [read('alerts.yml'), ...expressions]) {
    for (const [, name = '', inside = ''] of text.matchAll(/\b(transfer_[a-z_]+)\{([^}]*)\}/g)) {
      const base = name.replace(/_bucket$/, '')
      const labels = table.find((one) => one.name === base || one.name === name)?.labels ?? []
      const own = new Set([...labels, 'job', 'instance'])
      for (const [, label = ''] of inside.matchAll(/([a-z_]+)(?:=~|!~|!=|=)"/g)) {
        assert.ok(own.has(label), `${name} has no label ${label}`)
      }
    }
  }
})

files('should use no label of Prometheus for anything else', () => {
  for (const { name, labels } of table) {
    for (const label of ['job', 'instance', 'le', 'quantile']) {
      assert.not.ok(labels.includes(label), name)
    }
  }
})

files('should test every alert', () => {
  const alerts = [...read('alerts.yml').matchAll(/alert: (\w+)/g)].map(([, name]) => name!)
  assert.ok(alerts.length > 10)
  for (const alert of alerts) assert.match(read('alerts.test.yml'), `alertname: ${alert}\n`)
})

files('should pass the tests of promtool', async () => {
  const rules = await run(['promtool', 'check', 'rules', path.join(folder, 'alerts.yml')], 'rules')
  if (rules) assert.is(rules.code, 0, rules.output)
  const tests = path.join(folder, 'alerts.test.yml')
  const tested = await run(['promtool', 'test', 'rules', tests], 'tests of alert rules')
  if (tested) assert.is(tested.code, 0, tested.output)
})
