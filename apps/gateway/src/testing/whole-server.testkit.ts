import { type ChildProcess, fork } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createClient } from '@clickhouse/client'
import { type Endpoint, toUrlPath } from '@isotherm/contract/endpoint'
import { login, tokenLogin } from '@isotherm/contract/endpoints/administration/session'
import { getDeviceInfoByDeviceNos } from '@isotherm/contract/endpoints/devices/devices'
import { metrics } from '@isotherm/contract/metrics'
import { toPasswordText } from '@isotherm/contract/mqtt'
import type { RegistryFile } from '@isotherm/contract/network/registry-file'
import { createTestClickhouse, createTestDatabase } from '@isotherm/engines/testkit'
import { z } from 'zod'

/** Company of the tests, and its concentrator that a gateway is. */
export const TENANT = 'field'
export const GATEWAY = 'GW-1'
const SECRET = 'a secret of the tests of the gateway'
const READY = 'ISOTHERM_READY '
const PASSWORD = createHash('sha256').update('isotherm-demo').digest('hex')
/** Compile cache of Node: later processes that load the same files start in half the time. */
const compiled = fileURLToPath(new URL('../../../../node_modules/.cache/compiled', import.meta.url))

export const childEnvironment: NodeJS.ProcessEnv = { PATH: process.env.PATH, NODE_COMPILE_CACHE: compiled }

/** A device of the registry behind the gateway. */
export type FieldDevice = Pick<RegistryFile['devices'][number], 'serial' | 'kind'>

function toRegistry(devices: readonly FieldDevice[]): RegistryFile {
  const names = ['集团', '公司', '区域', '站', '小区', '1号楼']
  const kindOf = (index: number) => (index === 0 ? 'project' : index === 5 ? 'sub-user' : 'group')
  const common = { model: 'T1', periodS: 60 }
  return {
    v: 1,
    company: { tenant: TENANT, name: '现场', timeZone: 'Asia/Shanghai' },
    nodes: names.map((name, index) => ({
      key: `k${index}`,
      parent: index === 0 ? null : `k${index - 1}`,
      kind: kindOf(index),
      level: index + 1,
      name,
    })),
    devices: [
      { ...common, serial: GATEWAY, kind: 'concentrator', name: GATEWAY, node: 'k5', concentrator: null },
      ...devices.map(({ serial, kind }) => ({
        ...common,
        serial,
        kind,
        name: serial,
        // The controller of a station belongs to its station.
        node: kind === 'station' ? 'k3' : 'k5',
        concentrator: GATEWAY,
      })),
    ],
  }
}

/** Tokens of a session for the two backends. */
export interface Tokens {
  readonly first: string
  readonly second: string
}

const ports = z.object({ port: z.number(), mqttPort: z.number() })
const answer = z.object({ data: z.unknown() })
const storedRow = z.object({
  ts: z.coerce.number(),
  value: z.number(),
  live: z.coerce.number(),
  rows: z.coerce.number(),
})
export type StoredReading = z.infer<typeof storedRow>

/** The real server with its embedded broker and stores, as a process, for tests of the gateway. */
export async function startWholeServer(devices: readonly FieldDevice[]) {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-gateway-'))
  const [database, store] = await Promise.all([createTestDatabase(), createTestClickhouse()])
  const registryFile = join(folder, 'registry.json')
  writeFileSync(registryFile, JSON.stringify(toRegistry(devices)))
  const clickhouse = createClient({ url: store.url })

  async function launch(port: number, mqttPort: number) {
    const child: ChildProcess = fork(new URL('../../../server/src/main.ts', import.meta.url), [], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      execArgv: [],
      env: {
        ...childEnvironment,
        DATABASE_URL: database.url,
        CLICKHOUSE_URL: store.url,
        ISOTHERM_REGISTRY_FILE: registryFile,
        ISOTHERM_MODE: 'demo',
        ISOTHERM_MQTT_SECRET: SECRET,
        ISOTHERM_PORT: String(port),
        ISOTHERM_MQTT_PORT: String(mqttPort),
        ISOTHERM_LOG_LEVEL: 'error',
      },
    })
    for await (const line of createInterface(child.stdout ?? process.stdin)) {
      if (!line.startsWith(READY)) continue
      child.stdout?.resume()
      return { child, ...ports.parse(JSON.parse(line.slice(READY.length))) }
    }
    throw new Error('the server ended before it was ready')
  }
  let running = await launch(0, 0)

  async function end(signal: NodeJS.Signals): Promise<void> {
    const { child } = running
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  /** Calls an endpoint and parses its data. */
  async function call<Output extends z.ZodType>(
    endpoint: Endpoint<z.ZodType, Output>,
    input: object,
    { first, second }: Tokens = { first: '', second: '' },
  ): Promise<z.infer<Output>> {
    const response = await fetch(`http://127.0.0.1:${running.port}${toUrlPath(endpoint)}`, {
      method: endpoint.method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${second}`, token: first },
      body: JSON.stringify(input),
    })
    const text = await response.text()
    const parsed = endpoint.output.safeParse(answer.safeParse(JSON.parse(text)).data?.data)
    if (!parsed.success) throw new Error(`${endpoint.path} answered ${text}`)
    return parsed.data
  }

  async function select<Row extends z.ZodType>(query: string, row: Row): Promise<z.infer<Row>[]> {
    const found = await clickhouse.query({ query, format: 'JSONEachRow' })
    return z.array(row).parse(await found.json())
  }

  return {
    folder,
    url: () => `http://127.0.0.1:${running.port}`,
    mqttUrl: () => `mqtt://127.0.0.1:${running.mqttPort}`,
    /** Password of the gateway at the broker. */
    password: createHmac('sha256', SECRET)
      .update(toPasswordText({ tenant: TENANT, gateway: GATEWAY }))
      .digest('hex'),
    call,
    /** Tokens of a demo account. */
    async logIn(account: string): Promise<Tokens> {
      const credentials = { username: account, password: PASSWORD }
      const { token: first } = await call(login, credentials)
      return { first, second: (await call(tokenLogin, credentials)).data }
    },
    async idOf(serial: string, tokens: Tokens): Promise<number> {
      const { list } = await call(getDeviceInfoByDeviceNos, { deviceNos: [serial] }, tokens)
      const [device] = list
      if (device === undefined) throw new Error(`no ${serial}`)
      return device.id
    },
    /** Stored values of a metric of a device, in their order; `rows` above 1 would be a value stored twice. */
    readings: (deviceId: number, metric: keyof typeof metrics): Promise<StoredReading[]> =>
      select(
        `SELECT toUnixTimestamp64Milli(ts) AS ts, any(value) AS value, any(live) AS live, count() AS rows FROM readings
          WHERE device = ${deviceId} AND metric = ${metrics[metric].id} GROUP BY ts ORDER BY ts`,
        storedRow,
      ),
    kill: () => end('SIGKILL'),
    async restart() {
      running = await launch(running.port, running.mqttPort)
    },
    async close() {
      await end('SIGTERM')
      await clickhouse.close()
      await Promise.all([database.drop(), store.drop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type WholeServer = Awaited<ReturnType<typeof startWholeServer>>
