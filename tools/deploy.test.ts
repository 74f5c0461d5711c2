/** The files of deploy/ beside what they name: variables, services, volumes, programs. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backends } from '@isotherm/contract/endpoint'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const root = join(import.meta.dirname, '..')
const read = (...path: readonly string[]): string => readFileSync(join(root, ...path), 'utf8')
const known = new Set(
  [...read('docs', 'reference', 'environment.md').matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name),
)
const listNames = (text: string): readonly string[] => [
  ...new Set(text.match(/\b(?:ISOTHERM_[A-Z_]+|DATABASE_URL|CLICKHOUSE_URL|MQTT_URL)\b/g)),
]
/** The site's name is a variable of the proxy only, the version that of the image. */
const OWN_OF_COMPOSE = ['ISOTHERM_SITE', 'ISOTHERM_VERSION']

const texts = z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).optional()
const compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string(),
      environment: z.record(z.string(), z.string()).default({}),
      depends_on: texts,
      volumes: z.array(z.string()).default([]),
      secrets: z.array(z.string()).default([]),
    }),
  ),
  volumes: z.record(z.string(), z.unknown()),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
})
const composeText = read('deploy', 'compose.yaml')
const { services, volumes, secrets } = compose.parse(parse(composeText, { merge: true }))

test.each([
  'compose.yaml',
  'compose.env.example',
  'isotherm.env.example',
  'Containerfile',
  'Caddyfile',
  ...readdirSync(join(root, 'deploy', 'systemd')).map((name) => `systemd/${name}`),
])('%s names only variables that exist', (name) => {
  const unknown = listNames(read('deploy', name)).filter((variable) => !known.has(variable))
  expect(unknown.filter((variable) => !OWN_OF_COMPOSE.includes(variable))).toEqual([])
})

test('services of compose depend on services, and use volumes, secrets and files that exist', () => {
  for (const [name, service] of Object.entries(services)) {
    const needed = Array.isArray(service.depends_on)
      ? service.depends_on
      : Object.keys(service.depends_on ?? {})
    for (const other of needed) expect(Object.keys(services), name).toContain(other)
    for (const secret of service.secrets) expect(Object.keys(secrets), name).toContain(secret)
    for (const volume of service.volumes) {
      const [source = ''] = volume.split(':')
      if (!source.startsWith('.')) expect(Object.keys(volumes), name).toContain(source)
    }
  }
})

test.each(['nginx.conf.example', 'Caddyfile'])(
  '%s makes browsers stay with TLS, and leads only pages to it',
  (name) => {
    const text = read('deploy', name)
    expect(text).toContain('"max-age=31536000; includeSubDomains"')
    const [plain = ''] = text.match(/(?:listen 80;|http:\/\/\{\$ISOTHERM_SITE\} \{)[\s\S]*?\n\}/) ?? []
    for (const { base } of Object.values(backends)) expect(plain).toContain(base.split('/')[1])
    expect(plain).toMatch(/return 403;|respond @programs 403/)
    expect(plain).toMatch(/\b30[18]\b|\bpermanent\b/)
  },
)

test('compose.env.example has each value that compose requires', () => {
  const given = new Set(
    [...read('deploy', 'compose.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name),
  )
  const used = new Set([...composeText.matchAll(/\$\{(\w+)/g)].map(([, name]) => name))
  expect(given).toEqual(used)
})

test('the servers of compose share their secret and stores, and have a session of their own at the broker', () => {
  const [a, b] = [services['server-a'], services['server-b']].map((service) => service?.environment ?? {})
  for (const name of ['DATABASE_URL', 'CLICKHOUSE_URL', 'ISOTHERM_MQTT_SECRET'])
    expect(a?.[name], name).toBe(b?.[name])
  expect(a?.MQTT_URL).not.toBe(b?.MQTT_URL)
  for (const service of ['server-a', 'server-b'])
    expect(read('deploy', 'Caddyfile')).toContain(`${service}:8080`)
  // Two daily backups of one database would refuse each other.
  expect([a, b].filter((env) => env?.ISOTHERM_BACKUP_FOLDER)).toHaveLength(1)
})

test.each(['Containerfile', 'systemd/isotherm.service', 'systemd/isotherm-doctor.service'])(
  '%s starts a command that exists',
  (name) => {
    const text = read('deploy', name)
    expect(text).toMatch(/\/opt\/isotherm\/bin\/isotherm[", ]+(?:serve|doctor)\b/)
    for (const [, path = ''] of text.matchAll(/\/opt\/isotherm\/([\w/.-]+)/g))
      expect(existsSync(join(root, path)), path).toBe(true)
  },
)

const hasSystemd = existsSync('/usr/bin/systemd-analyze')
test.skipIf(!hasSystemd)('systemd accepts the units, and their exposure is low', () => {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-units-'))
  try {
    const names = readdirSync(join(root, 'deploy', 'systemd'))
    for (const name of names) {
      // The program and its folder are those of the installed machine.
      const text = read('deploy', 'systemd', name)
        .replaceAll('/opt/isotherm/bin/isotherm', join(root, 'bin/isotherm'))
        .replaceAll('WorkingDirectory=/opt/isotherm', `WorkingDirectory=${root}`)
      writeFileSync(join(folder, name), text)
    }
    const paths = names.map((name) => join(folder, name))
    execFileSync('systemd-analyze', ['verify', '--man=no', ...paths], { stdio: 'pipe' })
    const service = join(folder, 'isotherm.service')
    execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', service], {
      stdio: 'pipe',
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
