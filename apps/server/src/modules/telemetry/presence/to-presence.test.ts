import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toAllowanceMs, toConcentratorPresence, toPresence } from './to-presence.ts'

const NOW = 1_800_000_000_000
const PERIOD_S = 60
const ALLOWANCE = toAllowanceMs(PERIOD_S)

const spec = readFileSync(new URL('../../../../../../docs/specs/presence.md', import.meta.url), 'utf8')

/** Reads the rows of the table with these columns, without its last column. */
function readTable(columns: readonly string[]): readonly (readonly string[])[] {
  const lines = spec.split('\n')
  const start = lines.indexOf(`| ${columns.join(' | ')} |`)
  expect(start).toBeGreaterThan(0)
  const rest = lines.slice(start + 2)
  const end = rest.findIndex((line) => !line.startsWith('|'))
  return rest.slice(0, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** All combinations of the cells of some columns; the first column varies slowest. */
const product = (columns: readonly (readonly string[])[]): string[][] =>
  columns.reduce<string[][]>(
    (rows, cells) => rows.flatMap((row) => cells.map((cell) => [...row, cell])),
    [[]],
  )

const ages: Readonly<Record<string, number | undefined>> = {
  fresh: NOW - ALLOWANCE,
  overdue: NOW - ALLOWANCE - 1,
  never: undefined,
}
const links = { online: 'online', offline: 'offline', 'not reported': undefined } as const
const linkNames = ['online', 'offline', 'not reported'] as const
const children: Readonly<Record<string, { hasChildren: boolean; isMissed: boolean }>> = {
  none: { hasChildren: false, isMissed: false },
  some: { hasChildren: true, isMissed: false },
  missed: { hasChildren: true, isMissed: true },
}

test('the table of concentrators in docs/specs/presence.md is complete and equals the code', () => {
  const rows = readTable(['link', 'last message', 'devices behind it', 'concentrator'])
  const expected = product([linkNames, Object.keys(ages), Object.keys(children)]).map((cells) => {
    const [link = '', age = '', behind = ''] = cells
    const of = linkNames.find((name) => name === link) ?? 'not reported'
    const facts = { link: links[of], reportedAt: ages[age], ...children[behind] }
    const { hasChildren = false, isMissed = false } = facts
    return [...cells, toConcentratorPresence({ ...facts, hasChildren, isMissed }, PERIOD_S, NOW)]
  })
  expect(rows).toEqual(expected)
})

const concentrators = ['none', 'silent', 'present'] as const
/** Whether the concentrator went on reporting while the device missed its reports. */
const wentOn = ['yes', 'no'] as const
const returns = ['recently', 'no'] as const

test('the table of devices in docs/specs/presence.md is complete and equals the code', () => {
  const rows = readTable(['concentrator', 'last reading', 'went on', 'came back', 'device'])
  const expected = product([concentrators, Object.keys(ages), wentOn, returns]).map((cells) => {
    const [concentrator = '', age = '', went = '', cameBack = ''] = cells
    const reportedAt = ages[age]
    const reportedOnAt = (reportedAt ?? 0) + ALLOWANCE - PERIOD_S * 1_000
    const presence = concentrator === 'silent' ? ('silent' as const) : ('present' as const)
    const concentratorFacts = { presence, reportedAt: went === 'yes' ? reportedOnAt : reportedOnAt - 1 }
    const facts = { reportedAt, graceFrom: cameBack === 'no' ? NOW - ALLOWANCE - 1 : NOW - ALLOWANCE }
    return [
      ...cells,
      toPresence(facts, PERIOD_S, concentrator === 'none' ? undefined : concentratorFacts, NOW),
    ]
  })
  expect(rows).toEqual(expected)
})

const instant = fc.option(fc.integer({ min: NOW - 20 * ALLOWANCE, max: NOW }), { nil: undefined })
const facts = fc.record({ reportedAt: instant, graceFrom: instant })

test('P1 A device behind a silent concentrator is unknown, whatever else is known about it', () => {
  fc.assert(
    fc.property(facts, instant, (device, reportedAt) => {
      expect(toPresence(device, PERIOD_S, { presence: 'silent', reportedAt }, NOW)).toBe('unknown')
    }),
  )
})

test('P2 A device that reported within its allowance is never silent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: ALLOWANCE }), instant, (age, reportedAt) => {
      const device = { reportedAt: NOW - age, graceFrom: undefined }
      expect(toPresence(device, PERIOD_S, { presence: 'present', reportedAt }, NOW)).toBe('present')
    }),
  )
})

test('P3 A device without a concentrator is never unknown', () => {
  fc.assert(
    fc.property(facts, (device) => {
      expect(toPresence(device, PERIOD_S, undefined, NOW)).not.toBe('unknown')
    }),
  )
})

test.each([
  [5, 17_000],
  [60, 186_000],
  [900, 2_760_000],
  [3_600, 10_860_000],
])(
  'a device that reports every %f s has an allowance of %f ms: three periods and its jitter',
  (periodS, allowance) => {
    expect(toAllowanceMs(periodS)).toBe(allowance)
  },
)
