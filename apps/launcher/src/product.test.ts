/** The process tree on real engines, with a fake server and a fake twin that only record their starts and ends. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive, signal } from '@isotherm/engines/process-life'
import type { Running } from '@isotherm/engines/supervise'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readOptions } from './options.ts'
import { createPartSupervisor, type StartPart } from './part-supervisor.ts'
import { startProduct } from './product.ts'
import { loadSecrets } from './secrets.ts'
import { createShutdown } from './shutdown.ts'

const common = `
import { appendFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
const note = (line) => appendFileSync(process.env.NOTES, line + '\\n')
const name = process.argv[1].includes('server') ? 'server' : 'twin'
process.on('SIGTERM', () => { note(name + ' ends'); process.exit(0) })
process.on('disconnect', () => process.exit(0))
`
const server = `${common}
for (const key of ['DATABASE_URL', 'CLICKHOUSE_URL', 'ISOTHERM_MQTT_SECRET']) if (!process.env[key]) process.exit(3)
let requests = 0
createServer((request, response) => response.writeHead(++requests > 2 ? 200 : 503).end())
  .listen(Number(process.env.ISOTHERM_PORT), '127.0.0.1', function () {
    note('server listens')
    console.log('ISOTHERM_READY ' + JSON.stringify({ port: this.address().port, mqttPort: 4711 }))
  })`
const twin = `${common}
if (process.argv[2] === 'describe') writeFileSync(process.argv[4], '{}')
else {
  note('twin runs at ' + process.env.MQTT_URL)
  console.log('TWIN_READY {"timeFactor":60}')
  setInterval(() => {}, 1000)
}`

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'launcher-product-'))
  await mkdir(join(folder, 'console'))
  await writeFile(join(folder, 'server.mjs'), server)
  await writeFile(join(folder, 'twin.mjs'), twin)
})
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

const notes = async () => (await readFile(join(folder, 'notes'), 'utf8')).trim().split('\n')

/** Remembers every process that was started under a name, the newest last. */
function follow(startPart: StartPart): { readonly startPart: StartPart; pids(name: string): number[] } {
  const started = new Map<string, number[]>()
  const remember = <T extends Running>(name: string, running: T): T => {
    if ('pid' in running && typeof running.pid === 'number') {
      started.set(name, [...(started.get(name) ?? []), running.pid])
    }
    return running
  }
  return {
    startPart: (layer, name, start) => startPart(layer, name, async () => remember(name, await start())),
    pids: (name) => started.get(name) ?? [],
  }
}

function prepare(programs: { readonly server: string; readonly twin: string }) {
  const lines: string[] = []
  const report = (line: string) => lines.push(line)
  const shutdown = createShutdown(report)
  const followed = follow(
    createPartSupervisor({ shutdown, report, onLost: (error) => lines.push(error.message) }),
  )
  const options = readOptions('demo', {
    ISOTHERM_DATA: join(folder, 'data'),
    ISOTHERM_PORT: '0',
    ISOTHERM_MQTT_PORT: '0',
  })
  const start = async () => {
    await mkdir(options.dataDir, { recursive: true })
    return startProduct({
      command: 'demo',
      options,
      secrets: await loadSecrets(options.dataDir),
      programs: { ...programs, adminCreate: '', seed: '', backup: '', restore: '', doctor: '' },
      environment: { ...process.env, NOTES: join(folder, 'notes') },
      shutdown,
      report,
      startPart: followed.startPart,
      onEngine: async () => {},
      consoleDir: join(folder, 'console'),
    })
  }
  return { start, shutdown, lines, pids: followed.pids }
}

test('parts start in order, restart on their port after kill -9, and end in reverse order', async () => {
  const { start, shutdown, lines, pids } = prepare({
    server: join(folder, 'server.mjs'),
    twin: join(folder, 'twin.mjs'),
  })
  const product = await start()
  expect(product).toMatchObject({ timeFactor: 60, mqttUrl: 'mqtt://127.0.0.1:4711' })
  expect(await notes()).toEqual(['server listens', 'twin runs at mqtt://127.0.0.1:4711'])

  const names = ['postgres', 'clickhouse', 'server', 'twin']
  for (const name of names) for (const pid of pids(name)) signal(pid, 'SIGKILL')
  await vi.waitFor(() => expect(names.map((name) => pids(name).length)).toEqual([2, 2, 2, 2]), {
    timeout: 60_000,
  })
  await vi.waitFor(async () => expect((await fetch(product.url)).status).toBeGreaterThan(0), {
    timeout: 30_000,
  })
  for (const name of names) {
    expect(lines).toContainEqual(expect.stringMatching(`^${name} is down \\(killed\\)`))
    await expect.poll(() => lines).toContain(`${name} runs again`)
  }

  await shutdown.end()
  expect((await notes()).slice(-2)).toEqual(['twin ends', 'server ends'])
  for (const pid of names.flatMap(pids)) expect(isAlive(pid)).toBe(false)
})

test('a server that cannot start is reported with its last output, and the engines end', async () => {
  await writeFile(join(folder, 'bad.mjs'), 'console.error("the column is gone"); process.exit(4)')
  const { start, shutdown, pids } = prepare({
    server: join(folder, 'bad.mjs'),
    twin: join(folder, 'twin.mjs'),
  })
  await expect(start()).rejects.toThrow('the server ended with 4 before it was ready: the column is gone')
  await shutdown.end()
  const started = ['postgres', 'clickhouse'].flatMap(pids)
  expect(started).toHaveLength(2)
  for (const pid of started) expect(isAlive(pid)).toBe(false)
})

test('a shutdown during the start leaves nothing running', async () => {
  await writeFile(join(folder, 'slow.mjs'), 'setInterval(() => {}, 1000)')
  const { start, shutdown, pids } = prepare({
    server: join(folder, 'slow.mjs'),
    twin: join(folder, 'twin.mjs'),
  })
  const starting = start()
  const refused = expect(starting).rejects.toThrow()
  await vi.waitFor(() => expect(pids('postgres')).toHaveLength(1), { timeout: 30_000 })
  await shutdown.end()
  await refused
  for (const pid of ['postgres', 'clickhouse'].flatMap(pids)) expect(isAlive(pid)).toBe(false)
})
