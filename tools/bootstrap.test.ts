import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bootstrap-'))
  lock({ 'node_modules/a': { version: '1.0.0' } })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const installed = () => join(root, 'node_modules', '.package-lock.json')

function lock(packages: Record<string, object>, file = join(root, 'package-lock.json')): void {
  writeFileSync(
    file,
    JSON.stringify({ lockfileVersion: 3, packages: { '': { name: 'isotherm' }, ...packages } }),
  )
}

/** Runs the bootstrap with a fake `npm` that records its arguments, and installs what is locked unless it must fail. */
function bootstrap(status = 0): {
  readonly code: number | null
  readonly out: string
  readonly calls: string[]
} {
  const bin = join(root, 'bin')
  mkdirSync(bin, { recursive: true })
  const calls = join(root, 'calls')
  const install = `mkdir -p node_modules && cp package-lock.json '${installed()}'`
  const npm = `#!/bin/sh\necho "$*" >> '${calls}'\n[ ${status} = 0 ] && ${install}\nexit ${status}\n`
  writeFileSync(join(bin, 'npm'), npm)
  chmodSync(join(bin, 'npm'), 0o755)
  const {
    status: code,
    stdout,
    stderr,
  } = spawnSync(process.execPath, [join(import.meta.dirname, 'bootstrap.mjs'), root], {
    env: { PATH: `${bin}${delimiter}${process.env.PATH}` },
    encoding: 'utf8',
  })
  const noted = existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []
  return { code, out: stdout + stderr, calls: noted }
}

test('without dependencies it installs all of them and prints one line', () => {
  const { code, out, calls } = bootstrap()
  expect(code).toBe(0)
  expect(out.trim().split('\n')).toEqual(['bootstrap: first start, installing the dependencies with npm ci'])
  expect(calls).toEqual([expect.stringMatching(/^ci --include=dev/)])
})

test('with the dependencies of this lock file it starts no npm and prints nothing', () => {
  bootstrap()
  const again = bootstrap()
  expect(again).toEqual({ code: 0, out: '', calls: [expect.any(String)] })
})

test('what somebody installed with npm before is not installed again', () => {
  mkdirSync(join(root, 'node_modules'))
  copyFileSync(join(root, 'package-lock.json'), installed())
  expect(bootstrap()).toEqual({ code: 0, out: '', calls: [] })
})

test.each([
  ['another version', { 'node_modules/a': { version: '1.0.1' } }],
  ['another archive of the same version', { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-b' } }],
  ['one more package', { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.0.0' } }],
  [
    'an optional package of this platform',
    {
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b': { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] },
    },
  ],
])('if the lock file asks for %s, it installs again', (_what, packages) => {
  bootstrap()
  lock(packages)
  expect(bootstrap().calls).toHaveLength(2)
  expect(bootstrap().calls).toHaveLength(2)
})

test('an optional package of another platform may be missing', () => {
  bootstrap()
  const foreign = { version: '1.0.0', optional: true, os: ['aix'], cpu: ['ppc64'] }
  lock({ 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': foreign })
  expect(bootstrap().calls).toHaveLength(1)
})

test('if npm fails it ends with 1 and one clear line, and retries the next time', () => {
  const failed = bootstrap(7)
  expect(failed.code).toBe(1)
  expect(failed.out).toContain('bootstrap: npm ci failed with 7; its reason is above')
  expect(bootstrap().calls).toHaveLength(2)
})
