/** The page docs/reference/asvs.md beside the numbers of the standard, and the tests that the security pages name. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The level of each requirement of a section of OWASP ASVS 5.0.0, in its order. */
const levels: Readonly<Record<string, string>> = {
  '1.1': '22',
  '1.2': '1111122223',
  '1.3': '112222222223',
  '1.4': '222',
  '1.5': '123',
  '2.1': '122',
  '2.2': '112',
  '2.3': '12223',
  '2.4': '23',
  '3.1': '3',
  '3.2': '113',
  '3.3': '12223',
  '3.4': '11222233',
  '3.5': '11122333',
  '3.6': '3',
  '3.7': '22333',
  '4.1': '12233',
  '4.2': '23333',
  '4.3': '22',
  '4.4': '1222',
  '5.1': '2',
  '5.2': '112333',
  '5.3': '113',
  '5.4': '222',
  '6.1': '122',
  '6.2': '111111112222',
  '6.3': '11223333',
  '6.4': '112233',
  '6.5': '22222333',
  '6.6': '2223',
  '6.7': '33',
  '6.8': '2222',
  '7.1': '222',
  '7.2': '1111',
  '7.3': '22',
  '7.4': '11222',
  '7.5': '223',
  '7.6': '22',
  '8.1': '1233',
  '8.2': '1123',
  '8.3': '133',
  '8.4': '23',
  '9.1': '111',
  '9.2': '1222',
  '10.1': '22',
  '10.2': '223',
  '10.3': '22223',
  '10.4': '1111122222233333',
  '10.5': '22222',
  '10.6': '22',
  '10.7': '222',
  '11.1': '2233',
  '11.2': '22233',
  '11.3': '11233',
  '11.4': '1222',
  '11.5': '23',
  '11.6': '23',
  '11.7': '33',
  '12.1': '12233',
  '12.2': '11',
  '12.3': '22223',
  '13.1': '2333',
  '13.2': '222223',
  '13.3': '2233',
  '13.4': '1222233',
  '14.1': '22',
  '14.2': '12223333',
  '14.3': '122',
  '15.1': '12233',
  '15.2': '12233',
  '15.3': '1222222',
  '15.4': '3333',
  '16.1': '2',
  '16.2': '22222',
  '16.3': '2222',
  '16.4': '222',
  '16.5': '2223',
  '17.1': '23',
  '17.2': '22223333',
  '17.3': '22',
}

/** Number and level of every requirement of levels 1 and 2. */
const required = Object.entries(levels).flatMap(([section, digits]) =>
  [...digits].flatMap((level, index) => (level === '3' ? [] : [`${section}.${index + 1} ${level}`])),
)

const states = ['tested', 'documented', 'by reading', 'n/a', 'not met'] as const
type State = (typeof states)[number]

const ROW =
  /^\| (?<number>\d+\.\d+\.\d+) \| (?<level>\d) \| (?<asks>[^|]+) \| (?<state>[^|]+) \| (?<proof>[^|]*) \|$/

const rows = read('docs/reference/asvs.md')
  .split('\n')
  .map((line) => ROW.exec(line)?.groups)
  .filter((groups) => groups !== undefined)

const TEST_FILE = /`(?<file>[\w./-]+\.(?:test|spec)\.tsx?)`/g
/** The titles that follow a test file: “one”, “another”. */
const CITED = /`(?<file>[\w./-]+\.(?:test|spec)\.tsx?)`(?<titles>(?:,? “[^”]+”)*)/g

const tests = globSync(
  ['{apps,packages}/*/src/**/*.test.{ts,tsx}', 'tools/**/*.test.ts', 'tests/e2e/**/*.spec.ts'],
  { cwd: root },
).map((path) => path.replaceAll('\\', '/'))

const findTests = (cited: string): readonly string[] =>
  tests.filter((path) => path === cited || path.endsWith(`/${cited}`))

/** A source text as its reader sees it: quotes in quoted titles are escaped. */
const toPlain = (source: string): string => source.replaceAll(/\\(['"`])/g, '$1')

test('the page has every requirement of levels 1 and 2 once, in the order of the standard', () => {
  expect(rows.map(({ number, level }) => `${number} ${level}`)).toEqual(required)
})

test.each(rows.map(({ number = '', state = '', proof = '' }) => ({ number, state, proof })))(
  '$number is in a known state, and has what the state needs',
  ({ state, proof }) => {
    expect(states).toContain(state)
    const needs: Readonly<Record<State, RegExp>> = {
      tested: new RegExp(TEST_FILE.source),
      documented: /\]\([^)]+\)/,
      'by reading': /\S{3}/,
      'n/a': /\S{2}/,
      'not met': /\S{3}/,
    }
    expect(proof).toMatch(needs[state as State])
  },
)

test('the summary counts the rows', () => {
  const page = read('docs/reference/asvs.md')
  for (const state of states) {
    const count = rows.filter((row) => row.state === state).length
    expect(page).toMatch(new RegExp(`^\\| ${state} \\|[^|]+\\| ${count} \\|$`, 'm'))
  }
})

const pages = ['asvs.md', 'threat-model.md', 'security-inventory.md', 'mlps.md']

test.each(pages)('every test that docs/reference/%s names exists, and has the quoted title', (name) => {
  const faults: string[] = []
  for (const { groups: { file = '', titles = '' } = {} } of read(`docs/reference/${name}`).matchAll(CITED)) {
    const found = findTests(file)
    if (found.length !== 1) faults.push(`${file} is ${found.length} files: ${found.join(', ')}`)
    const source = toPlain(read(found[0] ?? 'package.json'))
    for (const [, title = ''] of titles.matchAll(/“([^”]+)”/g))
      if (!source.includes(title)) faults.push(`${file} has no “${title}”`)
  }
  expect(faults).toEqual([])
})
