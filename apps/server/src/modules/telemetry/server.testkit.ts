import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toMqttUsername } from '@isotherm/contract/mqtt'
import type { RegistryFile } from '@isotherm/contract/network/registry-file'
import { connectAsync, type MqttClient } from 'mqtt'
import { type ClickHouseClient, createClickhouse } from '../../platform/clickhouse/clickhouse.ch.ts'
import { toGatewayPassword } from '../../platform/mqtt/gateway-access.ts'
import { createServerClickhouse } from '../../testing/clickhouse-database.testkit.ts'
import { createCoreDatabase } from '../../testing/core-database.testkit.ts'
import { isRunning, kill, launchServer, MQTT_SECRET } from '../../testing/server-process.testkit.ts'

const TENANT = 'demo'

/** A company with concentrators n0, n1, … and one room sensor each: n0s, n1s, … */
function createRegistry(nodes: number): RegistryFile {
  const names = ['集团', '公司', '区域', '站', '小区', '1号楼']
  const kindOf = (index: number) => (index === 0 ? 'project' : index === 5 ? 'sub-user' : 'group')
  const device = { model: 'T1', node: 'k5', periodS: 60 }
  return {
    v: 1,
    company: { tenant: TENANT, name: '测试', timeZone: 'Asia/Shanghai' },
    nodes: names.map((name, index) => ({
      key: `k${index}`,
      parent: index === 0 ? null : `k${index - 1}`,
      kind: kindOf(index),
      level: index + 1,
      name,
    })),
    devices: Array.from({ length: nodes }, (_, index): RegistryFile['devices'] => [
      { ...device, serial: `n${index}`, kind: 'concentrator', name: `n${index}`, concentrator: null },
      { ...device, serial: `n${index}s`, kind: 'room-sensor', name: `n${index}s`, concentrator: `n${index}` },
    ]).flat(),
  }
}

/** The server as a separate process on the embedded engines, which can be killed. */
export interface TestServer {
  readonly clickhouse: ClickHouseClient
  httpUrl(): string
  mqttUrl(): string
  /** Connects as concentrator `n{index}`. The client reconnects by itself and repeats unacknowledged messages. */
  connect(index: number): Promise<MqttClient>
  isAlive(): boolean
  /** Memory of the process, MB. */
  residentMb(): Promise<number>
  /** kill -9. */
  kill(): Promise<void>
  /** Starts it again with its data. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Stores for servers, and the settings of the servers. */
export interface TestField {
  readonly clickhouse: ClickHouseClient
  readonly env: NodeJS.ProcessEnv
  close(): Promise<void>
}

/** Stores of this test; the stores of the test run replace those that are not given. */
export interface Stores {
  readonly databaseUrl?: string
  readonly clickhouseUrl?: string
}

const borrow = (url: string) => ({ url, drop: async () => undefined })

/** Empty stores for servers of a company with the given number of concentrators. */
export async function createTestField(
  nodes: number,
  { databaseUrl, clickhouseUrl }: Stores = {},
): Promise<TestField> {
  const folder = await mkdtemp(join(tmpdir(), 'isotherm-server-'))
  const [database, store] = await Promise.all([
    databaseUrl === undefined ? createCoreDatabase() : borrow(databaseUrl),
    clickhouseUrl === undefined ? createServerClickhouse() : borrow(clickhouseUrl),
  ])
  const registryFile = join(folder, 'registry.json')
  await writeFile(registryFile, JSON.stringify(createRegistry(nodes)))
  const clickhouse = createClickhouse({ clickhouseUrl: store.url })
  return {
    clickhouse,
    env: {
      DATABASE_URL: database.url,
      CLICKHOUSE_URL: store.url,
      ISOTHERM_REGISTRY_FILE: registryFile,
    },
    async close() {
      await clickhouse.close()
      await Promise.all([database.drop(), store.drop(), rm(folder, { recursive: true, force: true })])
    },
  }
}

export async function startTestServer(nodes: number, stores: Stores = {}): Promise<TestServer> {
  const field = await createTestField(nodes, stores)
  const { clickhouse } = field
  const launch = (port: number, mqttPort: number) =>
    launchServer({ ...field.env, ISOTHERM_PORT: String(port), ISOTHERM_MQTT_PORT: String(mqttPort) })

  let running = await launch(0, 0)

  return {
    clickhouse,
    httpUrl: () => running.base,
    mqttUrl: () => `mqtt://127.0.0.1:${running.mqttPort}`,
    connect(index) {
      const serial = `n${index}`
      const username = toMqttUsername(TENANT, serial)
      return connectAsync(`mqtt://127.0.0.1:${running.mqttPort}`, {
        clientId: username,
        username,
        password: toGatewayPassword(MQTT_SECRET, { tenant: TENANT, gateway: serial }),
        clean: false,
        reconnectPeriod: 200,
      })
    },
    isAlive: () => isRunning(running.child),
    async residentMb() {
      const text = await (await fetch(`${running.base}/metrics`)).text()
      return Number(/^isotherm_process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 2 ** 20
    },
    kill: () => kill(running.child),
    async restart() {
      running = await launch(running.port, running.mqttPort)
    },
    async close() {
      await kill(running.child, 'SIGTERM')
      await field.close()
    },
  }
}
