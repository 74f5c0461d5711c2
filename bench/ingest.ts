import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ClickHouseClient, createClient } from '@clickhouse/client'
import { HOUR_MS } from '@isotherm/kernel/durations'
import type { Bench, BenchResult } from './bench.ts'
import { selectNumbers } from './history/select.ts'
import { describeField, listLoadGateways } from './ingest/field.ts'
import type { LoadSettings } from './ingest/load-settings.ts'
import { measurePlainInserts } from './ingest/plain-inserts.ts'
import { sendLoad } from './ingest/send-load.ts'
import { onEngines, SECRET, startServer, type Urls } from './server/own-server.ts'
import { endProcess, startProcess, waitForLine } from './server/processes.ts'

const concentrators = 20
const children = 100
const single = { messagesPerGateway: 3_000, childrenPerMessage: 1, metricsPerChild: 1, window: 100 } as const
const paced = { ...single, messagesPerGateway: 1_000, perS: 2_000 } as const
const bulk = { messagesPerGateway: 75, childrenPerMessage: 100, metricsPerChild: 8, window: 4 } as const
const bulkPoints = concentrators * bulk.messagesPerGateway * bulk.childrenPerMessage * bulk.metricsPerChild

const loopback = (port: unknown) => `mqtt://127.0.0.1:${port}`

const countRows = async (client: ClickHouseClient, boot: number): Promise<number> =>
  (await selectNumbers(client, `SELECT count() FROM readings WHERE boot = ${boot}`))[0] ?? 0

type Load = Omit<LoadSettings, 'url' | 'nodes' | 'boot' | 'fromMs'>

/** Sends a load and checks that each acknowledged reading is stored exactly once. */
async function measureStored(
  client: ClickHouseClient,
  url: string,
  load: Load,
  boot: number,
  fromMs: number,
) {
  const nodes = listLoadGateways(concentrators, children, SECRET)
  const result = await sendLoad({ ...load, url, nodes, boot, fromMs })
  const expected = result.acknowledged * load.childrenPerMessage * load.metricsPerChild
  const stored = await countRows(client, boot)
  if (stored !== expected)
    throw new Error(`${expected} readings were acknowledged and ${stored} rows are stored`)
  return result
}

async function measurePlainBroker(load: Load, fromMs: number) {
  const broker = startProcess(new URL('./ingest/plain-broker.ts', import.meta.url), [])
  try {
    const { port } = JSON.parse(`{${await waitForLine(broker, '{')}`)
    const nodes = listLoadGateways(concentrators, children, SECRET)
    return await sendLoad({ ...load, url: loopback(port), nodes, boot: 1, fromMs })
  } finally {
    await endProcess(broker)
  }
}

async function measure(urls: Urls, folder: string): Promise<BenchResult> {
  const registry = join(folder, 'registry.json')
  await writeFile(registry, JSON.stringify(describeField(concentrators, children)))
  const server = startServer(urls, { ISOTHERM_REGISTRY_FILE: registry })
  const client = createClient({ url: urls.clickhouse })
  try {
    const { mqttPort } = JSON.parse(await waitForLine(server, 'ISOTHERM_READY '))
    const url = loopback(mqttPort)
    const fromMs = Date.now() - HOUR_MS
    await measureStored(client, url, { ...single, messagesPerGateway: 200 }, 1, fromMs)
    const singles = await measureStored(client, url, single, 2, fromMs + 600_000)
    const steady = await measureStored(client, url, paced, 3, fromMs + 1_200_000)
    const bulks = await measureStored(client, url, bulk, 4, fromMs + 1_800_000)
    const plainRows = await measurePlainInserts(client, 4, bulkPoints, 100_000)
    const broker = await measurePlainBroker(single, fromMs)
    const singlePerS = singles.acknowledged / singles.seconds
    const brokerPerS = broker.acknowledged / broker.seconds
    const bulkPerS = bulkPoints / bulks.seconds
    return {
      figures: {
        single_per_s: singlePerS,
        single_ratio_to_broker: singlePerS / brokerPerS,
        puback_p99_ms: steady.p99Ms,
        bulk_points_per_s: bulkPerS,
        bulk_ratio_to_clickhouse: bulkPerS / plainRows,
      },
      peers: [
        { figure: 'single_per_s', label: 'aedes alone, nothing stored', value: brokerPerS },
        { figure: 'puback_p99_ms', label: 'median of the same run', value: steady.p50Ms },
        { figure: 'bulk_points_per_s', label: 'plain client inserts of the same rows', value: plainRows },
      ],
      notes: [
        `${concentrators} MQTT clients, load generator in its own process on the same machine`,
        `singles: ${singles.acknowledged} messages of one reading, ${single.window} in flight per client`,
        `puback: ${steady.acknowledged} messages at a steady ${paced.perS}/s`,
        `bulk: ${bulks.acknowledged} messages of ${children} children with 8 metrics, ${bulk.window} in flight per client`,
        'plain inserts: JSONCompactEachRow, 100,000 rows a batch; every acknowledged reading was found stored once',
      ],
    }
  } finally {
    await client.close()
    await endProcess(server)
  }
}

export const bench: Bench = {
  name: 'ingest',
  about:
    'Durable readings a second from MQTT to ClickHouse, beside a broker that stores nothing and plain inserts',
  run: () => onEngines(measure),
}
