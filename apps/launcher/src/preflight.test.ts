import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readOptions } from './options.ts'
import { checkDependencies, prepareFolder } from './preflight.ts'

const taken = createServer()
let port: number
beforeAll(async () => {
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  port = typeof address === 'object' && address ? address.port : 0
})
afterAll(() => {
  taken.close()
})

const check = (env: Record<string, string>) =>
  checkDependencies(readOptions('demo', { ISOTHERM_PORT: '0', ISOTHERM_MQTT_PORT: '0', ...env }))

test('a new data folder is not open to other users of the machine', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'preflight-'))
  await prepareFolder(join(parent, 'new', 'data'))
  const { mode } = await stat(join(parent, 'new', 'data'))
  // Root's folder may be passed through, but not listed.
  expect(mode & 0o777).toBe(process.getuid?.() === 0 ? 0o711 : 0o700)
  await rm(parent, { recursive: true })
})

test.each(['ISOTHERM_PORT', 'ISOTHERM_MQTT_PORT', 'ISOTHERM_MQTT_TLS_PORT'])(
  '%s with a port in use is refused with the remedy',
  async (name) => {
    await expect(check({ [name]: String(port) })).rejects.toThrow(
      `${name}: port ${port} of 127.0.0.1 is taken; choose another, or 0 for any free one`,
    )
  },
)

test('a port without TLS that the broker does not open is not checked', () =>
  check({ ISOTHERM_MQTT_PORT: String(port), ISOTHERM_MQTT_PLAIN: '0', ISOTHERM_MQTT_TLS_PORT: '0' }))

test('the MQTT port is not checked if a broker is given, which must answer', async () => {
  await check({ ISOTHERM_MQTT_PORT: String(port), MQTT_URL: `mqtt://127.0.0.1:${port}` })
  const nobody = { MQTT_URL: 'mqtt://user:hidden@127.0.0.1:1' }
  await expect(check(nobody)).rejects.toThrow(/^MQTT_URL: nobody answers at 127\.0\.0\.1:1 \(ECONNREFUSED\)$/)
})

test('free ports and answering servers pass', async () => {
  await check({ DATABASE_URL: `postgres://127.0.0.1:${port}/x`, CLICKHOUSE_URL: `http://127.0.0.1:${port}` })
})

test('a folder that cannot be created is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'launcher-folder-'))
  await writeFile(join(folder, 'file'), '')
  await prepareFolder(join(folder, 'a/b'))
  const inFile = prepareFolder(join(folder, 'file/data'))
  await expect(inFile).rejects.toThrow(
    `ISOTHERM_DATA: cannot write in ${join(folder, 'file/data')} (ENOTDIR)`,
  )
  await rm(folder, { recursive: true })
})

test.runIf(process.platform === 'linux')(
  'a path where no folder can be created is named, even for root',
  async () => {
    await expect(prepareFolder('/proc/isotherm/data')).rejects.toThrow(
      'ISOTHERM_DATA: cannot write in /proc/isotherm/data (ENOENT)',
    )
  },
)
