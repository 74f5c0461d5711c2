import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toAllowanceMs, toConcentratorPresence, toPresence } from './to-presence.ts'

const NOW = 1_800_000_000_000
const PERIOD_S = 60
const ALLOWANCE = toAllowanceMs(PERIOD_S)

const spec = readFileSync(new URL('../../../../../../docs/specs/presence.md', import.meta.url), 'utf8')

/** Rows of the table with these columns, without its last. */
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

/** Every combination of the cells of some columns, the first slowest. */
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
const links = { online: 'online', offline: 'offline', unsaid: undefined } as const
const linkNames = ['online', 'offline', 'unsaid'] as const
const children: Readonly<Record<string, { hasChildren: boolean; isMissed: boolean }>> = {
  none: { hasChildren: false, isMissed: false },
  some: { hasChildren: true, isMissed: false },
  missed: { hasChildren: true, isMissed: true },
}

test('the table of concentrators in docs/specs/presence.md is total and the code', () => {
  const rows = readTable(['link', 'heard', 'devices behind it', 'concentrator'])
  const expected = product([linkNames, Object.keys(ages), Object.keys(children)]).map((cells) => {
    const [link = '', age = '', behind = ''] = cells
    const of = linkNames.find((name) => name === link) ?? 'unsaid'
    const facts = { link: links[of], reportedAt: ages[age], ...children[behind] }
    const { hasChildren = false, isMissed = false } = facts
    return [...cells, toConcentratorPresence({ ...facts, hasChildren, isMissed }, PERIOD_S, NOW)]
  })
  expect(rows).toEqual(expected)
})

const concentrators = ['none', 'silent', 'present'] as const
/** The concentrator spoke on while the device left out its turns, or not. */
const wents = ['on', 'not on'] as const
const graces = ['back just now', 'no'] as const

test('the table of devices in docs/specs/presence.md is total and the code', () => {
  const rows = readTable(['concentrator', 'heard', 'it went', 'its return', 'device'])
  const expected = product([concentrators, Object.keys(ages), wents, graces]).map((cells) => {
    const [concentrator = '', age = '', went = '', grace = ''] = cells
    const reportedAt = ages[age]
    const spokenOn = (reportedAt ?? 0) + ALLOWANCE - PERIOD_S * 1_000
    const presence = concentrator === 'silent' ? ('silent' as const) : ('present' as const)
    const hubFacts = { presence, reportedAt: went === 'on' ? spokenOn : spokenOn - 1 }
    const facts = { reportedAt, graceFrom: grace === 'no' ? NOW - ALLOWANCE - 1 : NOW - ALLOWANCE }
    return [...cells, toPresence(facts, PERIOD_S, concentrator === 'none' ? undefined : hubFacts, NOW)]
  })
  expect(rows).toEqual(expected)
})

const instant = fc.option(fc.integer({ min: NOW - 20 * ALLOWANCE, max: NOW }), { nil: undefined })
const facts = fc.record({ reportedAt: instant, graceFrom: instant })

test('P1 What stands behind a silent concentrator is unknown, whatever else is known of it', () => {
  fc.assert(
    fc.property(facts, instant, (device, reportedAt) => {
      expect(toPresence(device, PERIOD_S, { presence: 'silent', reportedAt }, NOW)).toBe('unknown')
    }),
  )
})

test('P2 A device that was heard within its allowance is never silent', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: ALLOWANCE }), instant, (age, reportedAt) => {
      const device = { reportedAt: NOW - age, graceFrom: undefined }
      expect(toPresence(device, PERIOD_S, { presence: 'present', reportedAt }, NOW)).toBe('present')
    }),
  )
})

test('P3 Without a concentrator nothing is unknown', () => {
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
  'a device that reports every %f s is heard of for %f ms: three periods and its jitter',
  (periodS, allowance) => {
    expect(toAllowanceMs(periodS)).toBe(allowance)
  },
)
