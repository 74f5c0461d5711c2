/**
 * The content of an archive for this machine, and that it runs with nothing else: no environment, no PATH, no npm and, where
 * the machine allows it, no network and another user. tools/release/prove.ts does the same on an empty Debian.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platforms, ReleaseError, root } from './project.ts'
import { stageRelease } from './stage.ts'

const platform = platforms.find(({ os, cpu }) => os === process.platform && cpu === process.arch)
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

let folder: string
let isStaged = false
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'isotherm-release-'))
  chmodSync(folder, 0o755)
  if (!platform) return
  execFileSync(process.execPath, [join(root, 'apps/launcher/src/main.ts'), 'build-console'])
  try {
    stageRelease(join(folder, 'isotherm'), platform, { isOffline: true })
    isStaged = true
  } catch (error) {
    if (!(error instanceof ReleaseError && /ENOTCACHED|spawnSync npm ENOENT/.test(error.message))) throw error
    console.log("skipped: npm's cache does not have the packages (npm run release fetches them)")
  }
}, 400_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const inside = (path: string): string => join(folder, 'isotherm', path)

test('an archive has the product, its licences and its parts, and nothing of its development', ({ skip }) => {
  if (!isStaged) skip()
  for (const path of [
    'bin/isotherm',
    'apps/console/dist/index.html',
    'apps/server/src/main.ts',
    'tools/broker-logins.ts',
    'deploy/systemd/isotherm.service',
    'docs/operations/zh.md',
    'LICENSE',
    'node_modules/fastify',
    'node_modules/node/LICENSE',
  ])
    expect(existsSync(inside(path)), path).toBe(true)
  for (const path of [
    'bench',
    'tests',
    'tools/release',
    'node_modules/vitest',
    'node_modules/antd',
    'node_modules/.bin',
  ])
    expect(existsSync(inside(path)), path).toBe(false)
  const { components } = JSON.parse(readFileSync(inside('sbom.cdx.json'), 'utf8'))
  const names = components.map(({ name }: { readonly name: string }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['fastify', 'antd', 'chdb', 'nodejs', 'postgresql', 'clickhouse']),
  )
  expect(names.filter((name: string) => /vitest|darwin|win32|windows/.test(name))).toEqual([])
  const licences = readFileSync(inside('THIRD-PARTY-LICENCES.txt'), 'utf8')
  for (const text of ['antd 6', 'Copyright Node.js contributors', 'PostgreSQL Database Management System'])
    expect(licences).toContain(text)
})

/** Words before a command that take the network away. Empty if the machine does not allow it. */
function withoutNetwork(): readonly string[] {
  const unshare = ['unshare', '--net', ...(isRoot ? [] : ['--map-current-user', '--keep-caps'])]
  const words = [...unshare, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
  const [file = '', ...rest] = [...words, 'true']
  return spawnSync(file, rest).status === 0 ? words : []
}

/** Words before a command that make root an ordinary user, which owns these paths. */
function asOrdinaryUser(...paths: readonly string[]): readonly string[] {
  if (!isRoot) return []
  for (const path of paths) chownSync(path, NOBODY, NOBODY)
  return ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
}

test('it starts, takes a sign-in, makes a backup and ends, with an empty environment and no network', {
  timeout: 300_000,
}, ({ skip }) => {
  if (!isStaged) skip()
  const [data, backups, key] = [join(folder, 'data'), join(folder, 'backups'), join(folder, 'key')]
  for (const path of [data, backups]) mkdirSync(path, { mode: 0o700 })
  writeFileSync(key, 'the key of this installation, kept elsewhere', { mode: 0o600 })
  const environment = [
    'PATH=/nonexistent',
    `ISOTHERM_DATA=${data}`,
    'ISOTHERM_PORT=0',
    'ISOTHERM_MQTT_PORT=0',
    'ISOTHERM_LOG_LEVEL=error',
  ]
  const walk = [process.execPath, join(import.meta.dirname, 'walk.ts')]
  const facts = ['--data', data, '--backups', backups, '--key', key, '--']
  const user = asOrdinaryUser(data, backups, key)
  const network = withoutNetwork()
  if (network.length === 0) console.log('this machine allows no network of its own: tried with its network')
  const [file = '', ...words] = [
    ...network,
    ...walk,
    ...facts,
    ...user,
    'env',
    '-i',
    ...environment,
    inside('bin/isotherm'),
  ]
  const { status, stdout, stderr } = spawnSync(file, words, { encoding: 'utf8' })
  expect(status, stdout + stderr).toBe(0)
  expect(stdout).toContain('walked')
})
