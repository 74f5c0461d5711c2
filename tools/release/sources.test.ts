import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from '../../apps/launcher/src/options.ts'
import { listSources, root } from './project.ts'

const program = join(root, 'bin/isotherm')

test('an archive has the sources that run, and no tests or development tools', () => {
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

test('bin/isotherm reads the settings file that ISOTHERM_SETTINGS names, and none if it is empty, as a restore drill needs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-settings-'))
  const settings = join(folder, 'isotherm.env')
  // Wrong values end the program before it does anything.
  writeFileSync(settings, 'ISOTHERM_PORT=no-port\n')
  const run = (named: string): string =>
    spawnSync(program, ['serve'], {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', ISOTHERM_SETTINGS: named, ISOTHERM_MQTT_PORT: 'no-port' },
    }).stderr
  try {
    expect(run(settings)).toMatch(/ISOTHERM_PORT is not a port.*ISOTHERM_MQTT_PORT is not a port/)
    expect(run('')).toMatch(/^isotherm: ISOTHERM_MQTT_PORT is not a port[^;]*$/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('bin/isotherm runs through a symbolic link in another folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-link-'))
  try {
    symlinkSync(program, join(folder, 'isotherm'))
    const { stdout } = spawnSync(join(folder, 'isotherm'), ['version'], { encoding: 'utf8', cwd: '/' })
    expect(stdout).toMatch(/^isotherm \d+\.\d+\.\d+ \(/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
