import { toUpTopic } from '@isotherm/contract/mqtt'
import type { RegistryFile } from '@isotherm/contract/network/registry-file'
import mqtt, { type MqttClient } from 'mqtt'
import { type GatewayLogin, toGatewayLogin } from '../../apps/twin/src/runtime/gateway-login.ts'
import { BENCH_TENANT } from '../ingest/field.ts'
import { answerCommands } from '../server/answer-commands.ts'
import { deliver } from './deliver.ts'

const CONCENTRATORS = 10
const VALVES_EACH = 20

const concentratorOf = (index: number): string => `OC${index}`
const valveOf = (concentrator: number, index: number): string => `OV${concentrator}-${index}`
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)

/** Adds concentrators with valves to a company, at its last node. */
export function addValves(file: RegistryFile): RegistryFile {
  const node = file.nodes.at(-1)?.key ?? ''
  const device = { model: 'bench', node, periodS: 900 }
  const added = numbers(CONCENTRATORS).flatMap((at) => [
    {
      ...device,
      serial: concentratorOf(at),
      name: concentratorOf(at),
      kind: 'concentrator' as const,
      concentrator: null,
    },
    ...numbers(VALVES_EACH).map((index) => ({
      ...device,
      serial: valveOf(at, index),
      name: valveOf(at, index),
      kind: 'valve' as const,
      concentrator: concentratorOf(at),
      limits: { minPct: 0, maxPct: 100 },
    })),
  ])
  return { ...file, devices: [...file.devices, ...added] }
}

/** Connects a concentrator whose valves carry out their commands and report it. */
async function connectConcentrator(
  url: string,
  serial: string,
  login: Partial<GatewayLogin>,
): Promise<MqttClient> {
  const client = await mqtt.connectAsync(url, { clientId: serial, clean: false, ...login })
  const topic = toUpTopic(BENCH_TENANT, serial, 'telemetry')
  let seq = 0
  await answerCommands(client, {
    tenant: BENCH_TENANT,
    serial,
    boot: 1,
    report(valve, openingPct) {
      const d = [{ id: valve, m: { 'valve.opening': openingPct } }]
      const message = { v: 1, boot: 1, seq: seq++, ts: Date.now(), d }
      // The bench may end first.
      return deliver(client, topic, JSON.stringify(message)).catch(() => undefined)
    },
  })
  return client
}

/** Logins of the concentrators of `addValves`. */
export const listValveLogins = (secret: string): readonly GatewayLogin[] =>
  numbers(CONCENTRATORS).map((at) => toGatewayLogin(secret, BENCH_TENANT, concentratorOf(at)))

/** Connects the valves of `addValves`. `secret`: that of a broker that wants a password of each gateway. */
export const connectValves = (url: string, secret?: string): Promise<readonly MqttClient[]> =>
  Promise.all(
    numbers(CONCENTRATORS).map((at) => {
      const serial = concentratorOf(at)
      return connectConcentrator(
        url,
        serial,
        secret === undefined ? {} : toGatewayLogin(secret, BENCH_TENANT, serial),
      )
    }),
  )
