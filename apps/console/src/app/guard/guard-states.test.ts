import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { guardEvents, guardStates, guardTable } from './guard-states.ts'

const spec = readFileSync(new URL('../../../../../docs/specs/guard.md', import.meta.url), 'utf8')

/** The cells of the table in docs/specs/guard.md, by state and event. */
function readTable(): Map<string, string> {
  const rows = spec.split('\n').filter((line) => line.startsWith('|'))
  const cells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  const start = rows.findIndex((line) => cells(line)[0] === 'state' && cells(line)[1] === 'to-login')
  const events = cells(rows[start] ?? '').slice(1)
  const found = new Map<string, string>()
  for (const line of rows.slice(start + 2, start + 2 + guardStates.length)) {
    const [state, ...steps] = cells(line)
    for (const [index, step] of steps.entries()) found.set(`${state} ${events[index]}`, step)
  }
  return found
}

test('the table in the specification equals the code, cell by cell', () => {
  const written = readTable()
  expect(written.size).toBe(guardStates.length * guardEvents.length)
  for (const state of guardStates) {
    for (const event of guardEvents) {
      const { to, action } = guardTable[state][event]
      const cell = [...(to === state ? [] : [to]), ...(action === 'none' ? [] : [action])].join(', ') || '·'
      expect(written.get(`${state} ${event}`), `${state} × ${event}`).toBe(cell)
    }
  }
})

test('every test named in the specification exists', () => {
  const tests = ['guard-states', 'create-guard', 'guard-target', 'route-table', 'is-refusal']
    .map((name) => readFileSync(new URL(`./${name}.test.ts`, import.meta.url), 'utf8'))
    .join('\n')
  const names = [...spec.matchAll(/^- (G\d+) /gm)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(5)
  for (const name of names) expect(tests, name).toContain(`'${name}`)
})

test('G3: tokens are cleared only after a refusal of the server', () => {
  const ways = guardStates.flatMap((state) =>
    guardEvents.filter((event) => guardTable[state][event].action === 'end-session'),
  )
  expect(ways).toEqual(['access-refused'])
})

test('G5: an answer that arrives after the end of its session changes nothing', () => {
  for (const state of guardStates.filter((each) => each !== 'loading-access')) {
    for (const event of ['access-loaded', 'access-refused', 'access-unreachable'] as const) {
      expect(guardTable[state][event]).toEqual({ to: state, action: 'none' })
    }
  }
})

test('G6: after sign-out no permitted modules are stored', () => {
  for (const state of guardStates.filter((each) => each !== 'signed-out')) {
    expect(guardTable[state]['signed-out']).toEqual({ to: 'signed-out', action: 'forget-access' })
  }
})
