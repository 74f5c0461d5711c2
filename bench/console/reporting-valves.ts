import type { TelemetryMessage } from '@isotherm/contract/mqtt'
import mqtt from 'mqtt'
import { z } from 'zod'
import { toGatewayLogin } from '../../apps/twin/src/runtime/gateway-login.ts'
import type { PlainSql } from '../registry/plain-sql.ts'
import { SECRET } from '../server/own-server.ts'

/** Values of the columns that a report fills. Each differs from the one of the previous `turn`. */
function toValues(turn: number) {
  const at = (turn % 50) / 10
  return {
    'valve.opening': 40 + (turn % 50),
    'valve.target': 40 + (turn % 50),
    'temp.supply': 45 + at,
    'temp.return': 36 + at,
    'heat.flow': 1 + at / 10,
    'pressure.diff': 20 + at,
    'bat.v': 3 + at / 10,
  }
}
/** Number of cells of one valve that a report changes: these columns and the age. */
const CELLS = Object.keys(toValues(0)).length + 1
const CELLS_PER_S = 500
/** Messages per second. Each contains different valves. */
const TIMES_PER_S = 10

const valve = z.object({ serial: z.string(), concentrator: z.string() })

/** The first valves in tree order, as in the table, with their concentrators. */
const FIRST_VALVES = `
  select device.serial, hub.serial as concentrator
  from device join node on node.id = device.node_id join device hub on hub.id = device.concentrator_id
  where device.kind = 'valve' order by node.path collate "C", device.id limit $1`

export interface Field {
  readonly mqttPort: number
  readonly tenant: string
  readonly sql: PlainSql
}

/** Sends reports of the first valves of the table over MQTT, like real devices, while `work` runs. */
export async function withReportingValves<Result>(
  { mqttPort, tenant, sql }: Field,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly cellsPerS: number }> {
  const valves = await sql.rows(valve, FIRST_VALVES, [Math.round(CELLS_PER_S / CELLS)])
  const byHub = Map.groupBy(valves, ({ concentrator }) => concentrator)
  const gateways = await Promise.all(
    [...byHub].map(async ([name, below]) => {
      const login = toGatewayLogin(SECRET, tenant, name)
      const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${mqttPort}`, login)
      const topic = `hx/v1/${tenant}/${name}/up/telemetry`
      const boot = Math.floor(Date.now() / 1_000)
      let seq = 0
      const report = (turn: number): void => {
        const reporting = below.filter((_, index) => index % TIMES_PER_S === turn % TIMES_PER_S)
        if (reporting.length === 0) return
        const ts = Date.now()
        const d = reporting.map(({ serial }) => ({ id: serial, ts, m: toValues(turn) }))
        const message: TelemetryMessage = { v: 1, boot, seq, ts, d }
        seq += 1
        client.publish(topic, JSON.stringify(message), { qos: 1 })
      }
      return { report, end: () => client.endAsync() }
    }),
  )
  let turn = 0
  const timer = setInterval(() => {
    for (const { report } of gateways) report(turn)
    turn += 1
  }, 1_000 / TIMES_PER_S)
  try {
    return { result: await work(), cellsPerS: valves.length * CELLS }
  } finally {
    clearInterval(timer)
    await Promise.all(gateways.map(({ end }) => end()))
  }
}
