import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from '../../apps/launcher/src/options.ts'
import { listSources, root } from './project.ts'

const program = join(root, 'bin/isotherm')

test('an archive has the sources that run, and no tests or tools of development', () => {
  const sources = listSources()
  for (const path of ['bin/isotherm', 'package-lock.json', 'tools/broker-logins/read-logins.ts', 'LICENSE'])
    expect(sources).toContain(path)
  expect(sources.filter((path) => /\.test\.|^(?:tests|bench)\/|vitest|biome|knip/.test(path))).toEqual([])
})

test('the help lists commands that exist', () => {
  const { stdout, status } = spawnSync(program, { encoding: 'utf8', env: { PATH: '/nonexistent' } })
  expect(status).toBe(0)
  const listed = [...stdout.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name)
  expect(listed).toContain('serve')
  const others = listed.filter((name) => !commands.some((command) => command === name))
  const script = readFileSync(program, 'utf8')
  for (const name of others) expect(script).toMatch(new RegExp(`^${name}\\)$`, 'm'))
})

test('it runs by a link from elsewhere', () => {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-link-'))
  try {
    symlinkSync(program, join(folder, 'isotherm'))
    const { stdout } = spawnSync(join(folder, 'isotherm'), ['version'], { encoding: 'utf8', cwd: '/' })
    expect(stdout).toMatch(/^isotherm \d+\.\d+\.\d+ \(/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
