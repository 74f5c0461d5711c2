/** The rules and the dashboard of deploy/ beside the metrics that a running server has. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { reportOnce } from './testing/connect-gateway.testkit.ts'
import { startTestServer, type TestServer } from './testing/server.testkit.ts'

const deploy = join(import.meta.dirname, '../../../deploy')
const RULES = 'prometheus/isotherm.rules.yml'
const DASHBOARD = 'grafana/isotherm.json'
const read = (path: string): string => readFileSync(join(deploy, path), 'utf8')

let server: TestServer
let text: string
beforeAll(async () => {
  server = await startTestServer()
  await reportOnce(server, 'C-b2', { 'V-b2u1': { 'temp.supply': 45 } })
  text = await (await fetch(new URL('/metrics', server.base))).text()
})
afterAll(() => server.stop())

/** Names of the series of a page of metrics; a histogram has three. */
function listSeries(page: string): readonly string[] {
  return [...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['bucket', 'sum', 'count'].map((end) => `${name}_${end}`) : [name],
  )
}

/** Alerts with their expressions, a line each. */
const rules = [...read(RULES).matchAll(/- alert: (\w+)\n(?: +#.*\n)* +expr: (.+)/g)].map(
  ([, alert = '', expr = '']) => ({ alert, expr }),
)
const panels = z
  .object({
    panels: z.array(
      z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) }),
    ),
  })
  .parse(JSON.parse(read(DASHBOARD))).panels

const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
]

test.each(expressions)('%s names only metrics that the server has: %s', (_name, expr) => {
  const named = expr.match(/\bisotherm_\w+/g) ?? []
  const series = listSeries(text)
  expect(named.filter((name) => !series.includes(name))).toEqual([])
  expect(named.length > 0 || expr.includes('up{job="isotherm"}')).toBe(true)
})

test('labels with a fixed value have this value in the code', () => {
  const chosen = expressions.flatMap(([, expr]) => [...expr.matchAll(/(isotherm_\w+)\{(\w+="[^"]+")\}/g)])
  expect(chosen.length).toBeGreaterThan(0)
  for (const [, name = '', label = ''] of chosen)
    expect(text).toMatch(new RegExp(`^${name}\\{.*${label}`, 'm'))
})

test('every metric of the product itself is on the dashboard', () => {
  const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n')
  const own = [...text.matchAll(/^# TYPE (isotherm_(?!process_|nodejs_)\S+)/gm)].map(([, name = '']) => name)
  expect(own.filter((name) => !shown.includes(name))).toEqual([])
})

const hasPromtool = (() => {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

test.runIf(hasPromtool)('promtool accepts the rules, and they fire when they should', () => {
  const run = (...words: readonly string[]) =>
    execFileSync('promtool', words, { cwd: join(deploy, 'prometheus'), encoding: 'utf8' })
  expect(run('check', 'rules', 'isotherm.rules.yml')).toContain(`SUCCESS: ${rules.length} rules found`)
  expect(run('test', 'rules', 'isotherm.rules.test.yml')).toContain('SUCCESS')
})
