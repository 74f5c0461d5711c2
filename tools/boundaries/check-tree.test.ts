import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { checkTree } from './check-tree.ts'
import { type Rule, rules, toMessage } from './violation.ts'

type Tree = Readonly<Record<string, string>>

const roots: string[] = []
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true })
})

/** Writes the files to a new folder and returns the violations, as `rule file:line`. */
function check(tree: Tree): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'isotherm-boundaries-'))
  roots.push(root)
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return checkTree(root).violations.map(({ rule, file, line }) => `${rule} ${file}:${line}`)
}

const lines = (count: number): string => 'export {}\n'.repeat(count)
const home = ['', 'home', 'somebody', 'isotherm'].join('/')

/** Rules about one file. Rules about several files have their own tests below. */
type FileRule = Exclude<Rule, 'folder-size' | 'folder-order'>

/** For each rule, files with one violation: the place of the violation, and the text of the file. */
const broken: Readonly<Record<FileRule, readonly (readonly [place: string, text: string])[]>> = {
  'workspace-edge': [
    ['apps/twin/src/main.ts:1', "import { a } from '../../server/src/main.ts'"],
    ['packages/thermal/src/a.ts:2', "\nimport { b } from '../../kernel/src/b.ts'"],
    ['apps/launcher/src/main.ts:1', "import { a } from '@isotherm/server/main'"],
  ],
  'package-imports': [
    ['packages/kernel/src/a.ts:1', "import { z } from 'zod'"],
    ['packages/contract/src/a.ts:1', "import type { Flow } from '@isotherm/hydraulics/flow'"],
    ['packages/hydraulics/src/a.ts:3', "// why\n\nexport { b } from '@isotherm/thermal/b'"],
    ['packages/engines/src/a.ts:1', "import { a } from '@isotherm/contract/a'"],
    ['apps/twin/src/a.ts:1', "import { plan } from '@isotherm/balancing/plan'"],
    ['apps/console/src/app/a.ts:1', "const engine = await import('@isotherm/engines/postgres')"],
  ],
  'console-direction': [
    ['apps/console/src/shared/a.ts:1', "import { b } from '../features/valves/b.ts'"],
    ['apps/console/src/shared/a.ts:1', "import { b } from '../app/b.ts'"],
    ['apps/console/src/features/valves/a.tsx:1', "import { b } from '../../app/b.ts'"],
  ],
  'feature-to-feature': [
    [
      'apps/console/src/features/valves/a.tsx:4',
      "import {\n  a,\n} from 'react'\nimport { b } from '../rooms/b.ts'",
    ],
    ['apps/console/src/features/valves/parts/a.tsx:1', "const B = lazy(() => import('../../rooms/b.tsx'))"],
  ],
  'server-direction': [
    ['apps/server/src/platform/a.ts:1', "import type { A } from '../modules/session/index.ts'"],
    ['apps/server/src/platform/a.ts:1', "import { a } from '../main.ts'"],
    ['apps/server/src/modules/session/a.ts:1', "import { a } from '../../main.ts'"],
  ],
  'module-interface': [
    ['apps/server/src/modules/commands/a.ts:1', "import { a } from '../session/store.ts'"],
    ['apps/server/src/modules/commands/a.ts:1', "import { a } from '../session/parts/index.ts'"],
  ],
  driver: [
    ['apps/server/src/modules/session/store.ts:1', "import { Pool } from 'pg'"],
    ['apps/server/src/modules/session/store.ts:1', "import type { Pool } from 'pg'"],
    ['apps/server/src/modules/session/service.ts:1', "import { sql } from 'kysely'"],
    ['apps/server/src/modules/telemetry/a.pg.ts:1', "import { createClient } from '@clickhouse/client'"],
    ['apps/server/src/platform/mqtt/a.ts:1', "import mqtt from 'mqtt'"],
    ['apps/server/src/main.ts:1', "import { startBroker } from '@isotherm/engines/broker/broker'"],
  ],
  environment: [
    ['apps/server/src/main.ts:1', 'const port = process.env.PORT'],
    ['apps/server/src/modules/session/a.ts:1', 'const port = process.env["PORT"]'],
  ],
  clock: [
    ['apps/server/src/modules/session/a.ts:1', 'const now = Date.now()'],
    ['apps/server/src/modules/session/a.ts:1', 'const now = new Date()'],
    ['apps/server/src/platform/http/a.ts:2', '\nconst started = performance.now()'],
    ['apps/server/src/main.ts:1', 'setTimeout(stop, 10)'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source file
    ['apps/server/src/modules/a/a.ts:1', 'const text = `at ${`${Date.now()}`} }`'],
  ],
  pure: [
    ['packages/hydraulics/src/a.ts:1', "import { readFileSync } from 'node:fs'"],
    ['packages/thermal/src/a.ts:1', 'const t = Date.now()'],
    ['packages/kernel/src/a.ts:1', 'const x = Math.random()'],
    ['packages/contract/src/a.ts:1', 'const id = crypto.randomUUID()'],
    ['packages/balancing/src/a.ts:1', "await fetch('http://example.org')"],
  ],
  'unsafe-code': [
    ['apps/console/src/app/a.tsx:1', 'element.innerHTML = name'],
    ['apps/console/src/app/a.tsx:1', 'const a = <p dangerouslySetInnerHTML={{ __html: name }} />'],
    ['apps/console/src/shared/a.ts:2', '\nopener.postMessage(token)'],
    ['apps/server/src/modules/history/a.ts:1', 'const f = new Function(formula)'],
    ['packages/kernel/src/a.ts:1', 'const x = eval(formula)'],
    ['apps/launcher/src/a.ts:1', 'spawn(program, [], { shell: true })'],
    ['packages/engines/src/a.ts:1', 'exec(command)'],
  ],
  'weak-cryptography': [
    ['apps/server/src/platform/a.ts:1', "createHash('md5')"],
    ['packages/kernel/src/a.ts:1', 'createHmac("SHA1", key)'],
    ['apps/gateway/src/drivers/a.ts:2', "\ncreateCipheriv('aes-256-cbc', key, iv)"],
    ['apps/launcher/src/a.ts:1', "createCipheriv('aes-128-ecb', key, null)"],
    ['packages/engines/src/a.ts:1', "createDecipheriv('des-ede3', key, iv)"],
    ['apps/twin/src/a.ts:1', 'const padding = constants.RSA_PKCS1_PADDING'],
    ['apps/server/src/platform/a.ts:1', "createSign('RSA-SHA1')"],
    ['apps/server/src/platform/a.ts:1', "createHash('md5-sha1')"],
    ['apps/server/src/platform/a.ts:1', "createHash('ripemd160')"],
    ['apps/server/src/platform/a.ts:1', "createCipheriv('aes128', key, iv)"],
  ],
  barrel: [
    ['packages/contract/src/index.ts:1', 'export const a = 1'],
    ['apps/console/src/features/valves/index.tsx:1', 'export const a = 1'],
    ['packages/kernel/src/all.ts:2', "\nexport * from './a.ts'"],
    ['apps/server/src/modules/session/index.ts:1', "export * from './service.ts'"],
  ],
  suppression: [
    ['packages/kernel/src/a.ts:1', ['// @ts', 'ignore'].join('-')],
    ['tools/a.ts:1', ['// biome', 'ignore lint/suspicious/noExplicitAny: easier'].join('-')],
  ],
  length: [
    ['apps/twin/src/main.ts:401', lines(401)],
    ['apps/console/src/app/theme.css:401', 'a {}\n'.repeat(401)],
  ],
  'literal-spread': [
    ['tools/a.ts:2', 'const b = {\n  ...{ c, d },\n}'],
    ['tools/a.ts:1', "const b = [...(['x', 'y'] as const), z]"],
    ['tools/a.test.ts:1', 'const b = { ...({ c, d } as const), e }'],
    ['apps/console/src/app/a.tsx:1', 'const b = <C {...{ d, e }} />'],
  ],
  'retired-word': [
    ['tools/a.ts:1', '// What is kept of an answer.'],
    ['tools/a.ts:2', '/**\n * Answers are set\n * apart. */'],
    ['tools/a.ts:1', 'const keptAnswers = 1'],
    ['tools/a.test.ts:1', "test('an answer is kept', () => {})"],
    ['tools/a.test.ts:2', "test.each([1])(\n  'tells %i', () => {})"],
    ['tools/a.test.ts:1', 'test.step("shows what became of it", () => {})'],
    ['tools/a.ts:1', '// Deeds of a user.'],
    ['tools/a.ts:1', 'const mendFault = 1'],
    ['tools/kept-answers.ts:1', 'const a = 1'],
    ['tools/a.ts:1', 'const leastFlowM3H = 1'],
    ['tools/a.ts:1', 'const findMostUnanswered = 1'],
    ['tools/a.ts:1', 'const greatestImbalance = 1'],
    ['tools/a.ts:1', 'const isAsked = true'],
    ['tools/a.ts:1', 'const sickValves = 1'],
    ['tools/a.ts:1', 'const happenings = 1'],
    ['tools/a.ts:1', 'const nextLookAt = 1'],
    ['tools/most-flow.ts:1', 'const a = 1'],
  ],
  'machine-path': [
    ['tools/a.ts:1', `const folder = '${home}'`],
    ['README.md:3', `# Isotherm\n\nRun it in ${home}.`],
  ],
}

describe.each(Object.entries(broken))('%s', (rule, cases) => {
  test.each(cases)('is found at %s', (place, text) => {
    expect(check({ [place.replace(/:\d+$/, '')]: text })).toEqual([`${rule} ${place}`])
  })
})

const filled = (folder: string, count: number): Tree =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${folder}/a${at}.ts`, 'export {}']))

test('a folder of 26 source files is found, one of 25 is not', () => {
  const tree = {
    ...filled('apps/server/src/modules/a/full', 25),
    ...filled('apps/server/src/modules/a/b', 26),
  }
  expect(check(tree)).toEqual(['folder-size apps/server/src/modules/a/b:1'])
})

describe('sub-folders of a module that import each other', () => {
  const [loop, plan, strategies] = ['loop', 'plan', 'strategies'].map(
    (name) => `apps/server/src/modules/balancing/${name}/${name}.ts`,
  )
  const forward: Tree = {
    [`${loop}`]: 'export {}',
    [`${plan}`]: "import { a } from '../loop/loop.ts'\nimport { b } from '../loop/loop.ts'",
    [`${strategies}`]: "import { a } from '../plan/plan.ts'",
  }

  test('may import each other in one direction', () => {
    expect(check(forward)).toEqual([])
  })

  test('are reported if two import each other, at the direction with fewer imports', () => {
    expect(check({ ...forward, [`${loop}`]: "import type { A } from '../plan/plan.ts'" })).toEqual([
      `folder-order ${loop}:1`,
    ])
  })

  test('are reported if a third is part of the cycle', () => {
    const found = check({ ...forward, [`${loop}`]: "import { a } from '../strategies/strategies.ts'" })
    expect(found).toContain(`folder-order ${loop}:1`)
  })

  test('may be imported by tests in any direction', () => {
    const test = 'apps/server/src/modules/balancing/loop/loop.test.ts'
    expect(check({ ...forward, [test]: "import { a } from '../strategies/strategies.ts'" })).toEqual([])
  })
})

test('a spread of the result of a call on a literal, and a parameter pattern, are allowed', () => {
  const text = [
    'const a = [...[1, 2].map(String), ...(<const>[3]).map(String), ...[[1][0]].flat()]',
    'const b = { ...(isOpen ? { c } : {}), ...(isOpen && { d }) }',
    'const e = (...[f, g]: Pair) => f + g',
  ].join('\n')
  expect(check({ 'tools/a.ts': text })).toEqual([])
})

const sound: Tree = {
  'packages/kernel/src/a.ts': "import { b } from './b.ts'\nexport const a = new Date(b)",
  'packages/kernel/src/a.test.ts': "import { test } from 'vitest'\nimport { readFileSync } from 'node:fs'",
  'packages/contract/src/a.ts': "import { z } from 'zod'\nimport { a } from '@isotherm/kernel/a'",
  'packages/contract/src/locales/zh.ts': lines(500),
  'packages/thermal/src/formulas.ts': lines(500),
  'packages/engines/src/a.ts': "import { spawn } from 'node:child_process'\nimport pg from 'pg'",
  'apps/console/src/app/router.tsx': "import { pages } from '../features/valves/pages.ts'",
  'apps/console/src/features/valves/a.test.tsx': "import { b } from '../../app/testing/b.testkit.tsx'",
  'apps/console/src/features/valves/pages.ts': "import { page } from '../../shared/page.ts'",
  'apps/server/src/main.ts':
    "import { a } from './modules/session/index.ts'\nimport { readConfig } from './platform/config.ts'",
  'apps/gateway/src/drivers/northbound-http/signatures.ts': "createHash('md5')",
  'apps/console/src/shared/a.ts': "const order = 'desc'",
  'apps/server/src/platform/clock.ts': 'export const now = () => Date.now()',
  'apps/server/src/platform/config.ts': 'export const environment = process.env',
  'apps/server/src/platform/tables.ts': "import type { Generated } from 'kysely'",
  'apps/server/src/modules/session/index.ts': "export { createSession } from './service.ts'",
  'apps/server/src/modules/session/queries.pg.ts': "import { Pool } from 'pg'\nimport { sql } from 'kysely'",
  'apps/server/src/modules/session/service.ts': 'clock.setTimeout(stop, 10)',
  'apps/server/src/modules/commands/a.ts': "import type { Session } from '../session/index.ts'",
  'apps/server/src/modules/commands/a.test.ts': "import { Pool } from 'pg'\nconst t = Date.now()",
  'node_modules/x/index.ts': "import { z } from '../../apps/server/src/main.ts'",
  '.stryker-tmp/sandbox-1/apps/server/src/modules/session/index.ts': 'const told = Date.now()',
}

test('a correct tree has no violations', () => {
  expect(check(sound)).toEqual([])
})

test('words in comments, texts and regular expressions are not taken for code', () => {
  const text = [
    '// process.env and Date.now() are read elsewhere',
    '/* import { Pool } from "pg" */',
    'const hint = "import { Pool } from \'pg\' or Date.now()"',
    'const pattern = /[\'"`]/ // new Date()',
    'const half = total / 2, rest = "process.env" // quotes after a division',
    'const note = `Date.now() \\` still text`',
  ].join('\n')
  expect(check({ 'apps/server/src/main.ts': text })).toEqual([])
})

test('code after a regular expression with a quote is still read', () => {
  expect(
    check({ 'apps/server/src/main.ts': "const a = b.replace(/'/g, '')\nconst now = Date.now()" }),
  ).toEqual(['clock apps/server/src/main.ts:2'])
})

test('the text of a violation contains its place, its rule and how to fix it', () => {
  const message = toMessage({ file: 'apps/server/src/main.ts', line: 7, rule: 'clock', found: 'Date.now' })
  expect(message).toContain('apps/server/src/main.ts:7  clock: Date.now')
  expect(message).toContain(rules.clock)
})
