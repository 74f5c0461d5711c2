import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bootstrap-'))
  writeFileSync(join(root, 'package-lock.json'), '{"lockfileVersion":3}')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Runs the bootstrap with a fake `npm` that records its arguments, and creates node_modules unless it must fail. */
function bootstrap(status = 0): {
  readonly code: number | null
  readonly out: string
  readonly calls: string[]
} {
  const bin = join(root, 'bin')
  mkdirSync(bin, { recursive: true })
  const calls = join(root, 'calls')
  const npm = `#!/bin/sh\necho "$*" >> '${calls}'\n[ ${status} = 0 ] && mkdir -p node_modules\nexit ${status}\n`
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

test('after a change of the lock file it installs again', () => {
  bootstrap()
  writeFileSync(join(root, 'package-lock.json'), '{"lockfileVersion":3,"packages":{}}')
  expect(bootstrap().calls).toHaveLength(2)
})

test('if npm fails it ends with 1 and one clear line, and retries the next time', () => {
  const failed = bootstrap(7)
  expect(failed.code).toBe(1)
  expect(failed.out).toContain('bootstrap: npm ci failed with 7; its reason is above')
  expect(bootstrap().calls).toHaveLength(2)
})
