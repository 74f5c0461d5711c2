import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'
import { SECOND_MS } from '@isotherm/kernel/durations'
import { quantile } from '@isotherm/kernel/statistics'
import { toGatewayLogin } from '../../apps/twin/src/runtime/gateway-login.ts'
import type { BenchPeer, BenchResult } from '../bench.ts'
import { selectNumbers } from '../history/select.ts'
import { describeField, listLoadGateways } from '../ingest/field.ts'
import { sendLoad } from '../ingest/send-load.ts'
import { onEngines, SECRET, startServer, type Urls } from '../server/own-server.ts'
import { endProcess, startProcess, waitForLine } from '../server/processes.ts'
import { listMeters, toLinesConfig } from './lines.ts'

/** Lines with one meter each; `ISOTHERM_BENCH_LINES` sets another number. */
const LINES = Number(process.env.ISOTHERM_BENCH_LINES ?? 5_000)
/** One meter every 60 s is the load of 15 meters every 15 minutes. */
const PERIOD_S = 60
const PERIODS = 3
const READINGS = 50_000
const ROUNDS = 3
const METRICS = 7
const TENANT = 'bench'
const GATEWAYS = ['BC000', 'BC001'] as const

const heatEnergy = 1

/** Resident memory of a process, MB (Linux). */
const residentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

interface Context {
  readonly client: ReturnType<typeof createClient>
  readonly url: string
  readonly folder: string
  readonly registry: ReturnType<typeof describeField>
}

/** Numbers of the readings of each meter within a span, by the time at which the gateway took them. */
const countReadings = (client: Context['client'], from: number, to: number): Promise<number[]> =>
  selectNumbers(
    client,
    `SELECT count() FROM readings WHERE metric = ${heatEnergy} AND ts >= fromUnixTimestamp64Milli(${from})
      AND ts < fromUnixTimestamp64Milli(${to}) GROUP BY device`,
  )

/** Polls all lines for some periods. A line is late if its meter has not one reading in each period. */
async function measureLines({ client, url, folder, registry }: Context) {
  const config = join(folder, 'gateway.json')
  writeFileSync(config, JSON.stringify(toLinesConfig(listMeters(registry, GATEWAYS[0]), 0, PERIOD_S)))
  const login = toGatewayLogin(SECRET, TENANT, GATEWAYS[0])
  const gateway = startProcess(new URL('../../apps/gateway/src/main.ts', import.meta.url), [], {
    ...process.env,
    MQTT_URL: url,
    ISOTHERM_GATEWAY_USER: login.username,
    ISOTHERM_GATEWAY_PASSWORD: login.password,
    ISOTHERM_GATEWAY_CONFIG: config,
    ISOTHERM_GATEWAY_DATA: join(folder, 'gateway'),
  })
  const { dtuPort } = JSON.parse(await waitForLine(gateway, 'GATEWAY_READY '))
  const units = startProcess(new URL('./units.ts', import.meta.url), [String(dtuPort), String(LINES)])
  try {
    await waitForLine(units, 'UNITS_READY ')
    // Each line starts its periods with an offset of at most a tenth of a period, by its name.
    const offsetMs = (PERIOD_S * SECOND_MS) / 10
    const periodMs = PERIOD_S * SECOND_MS
    const from = (Math.floor(Date.now() / periodMs) + 1) * periodMs
    const to = from + PERIODS * periodMs
    let memoryMb = 0
    while (Date.now() < to + offsetMs + 5 * SECOND_MS) {
      memoryMb = Math.max(memoryMb, residentMb(gateway.pid ?? 0))
      await pause(SECOND_MS)
    }
    let punctual = LINES
    for (let period = 0; period < PERIODS; period++) {
      const start = from + period * periodMs
      const counts = await countReadings(client, start, start + periodMs)
      punctual = Math.min(punctual, counts.filter((count) => count === 1).length)
    }
    return { punctual, memoryMb }
  } finally {
    await endProcess(units)
    await endProcess(gateway)
  }
}

/**
 * Readings per second of one client: plain MQTT, and through the gateway's store. Medians of rounds in turn. The readings are of the
 * present: a gateway sends old ones as history, at a pace that spares the server.
 */
async function measureThroughput({ url, folder, registry }: Context) {
  const nodes = listLoadGateways(GATEWAYS.length, LINES, SECRET).slice(1)
  const load = { url, nodes, childrenPerMessage: 100, metricsPerChild: METRICS, window: 32 }
  const { password } = toGatewayLogin(SECRET, TENANT, GATEWAYS[1])
  const serials = listMeters(registry, GATEWAYS[1]).slice(0, 1_000)
  const common = { url, tenant: TENANT, gateway: GATEWAYS[1], password, readings: READINGS, serials }
  const plain: number[] = []
  const gateway: number[] = []
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    const messagesPerGateway = READINGS / load.childrenPerMessage
    // A message has the time of the one before and 1 ms, so no time occurs again in what follows.
    const fromMs = Date.now() - messagesPerGateway
    const sent = await sendLoad({ ...load, messagesPerGateway, boot: 1 + round, fromMs })
    const settings = { ...common, folder: join(folder, `gateway-load-${round}`), fromMs: Date.now() }
    const child = startProcess(new URL('./gateway-load.ts', import.meta.url), [JSON.stringify(settings)])
    const { seconds } = JSON.parse(await waitForLine(child, 'GATEWAY_LOAD '))
    await endProcess(child)
    if (round === 0) continue
    plain.push(READINGS / sent.seconds)
    gateway.push(READINGS / seconds)
  }
  return { plainPerS: quantile(plain, 0.5) ?? 0, gatewayPerS: quantile(gateway, 0.5) ?? 0 }
}

async function measure(urls: Urls, folder: string): Promise<BenchResult> {
  const registry = describeField(GATEWAYS.length, LINES)
  const registryFile = join(folder, 'registry.json')
  writeFileSync(registryFile, JSON.stringify(registry))
  const server = startServer(urls, { ISOTHERM_REGISTRY_FILE: registryFile })
  const client = createClient({ url: urls.clickhouse })
  try {
    const { mqttPort } = JSON.parse(await waitForLine(server, 'ISOTHERM_READY '))
    const context: Context = { client, folder, registry, url: `mqtt://127.0.0.1:${mqttPort}` }
    const { punctual, memoryMb } = await measureLines(context)
    const { plainPerS, gatewayPerS } = await measureThroughput(context)
    const peers: BenchPeer[] = [
      {
        figure: 'gateway_ratio_to_mqtt',
        label: 'readings per second of one client by plain MQTT, until their PUBACK',
        value: plainPerS,
      },
    ]
    return {
      figures: {
        dtu_lines: punctual,
        gateway_rss_mb: memoryMb,
        gateway_ratio_to_mqtt: gatewayPerS / plainPerS,
      },
      peers,
      notes: [
        `dtu_lines: ${LINES} TCP connections with one meter each, polled every ${PERIOD_S} s for ${PERIODS} periods, as often as 15 meters every 15 minutes; answers after 300 ms. Not late: exactly one stored reading in each period. Gateway, units, server and stores share this machine.`,
        'gateway_rss_mb: highest resident memory of the gateway meanwhile.',
        `gateway_ratio_to_mqtt: ${Math.round(gatewayPerS)} readings/s of ${METRICS} values from a CJ/T 188 frame to the erased store, through SQLite; without the sockets of the lines. Median of ${ROUNDS} rounds of ${READINGS}, in turn with plain MQTT.`,
      ],
    }
  } finally {
    await client.close()
    await endProcess(server)
  }
}

/** Lines of a gateway, its memory, and its throughput beside plain MQTT, with the real server. */
export const measureGateway = (): Promise<BenchResult> => onEngines(measure)
