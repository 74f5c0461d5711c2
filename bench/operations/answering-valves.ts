import { commandMessage, toDownTopic, toUpTopic } from '@isotherm/contract/mqtt'
import type { RegistryFile } from '@isotherm/contract/network/registry-file'
import mqtt, { type MqttClient } from 'mqtt'
import { BENCH_TENANT } from '../ingest/field.ts'

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
async function connectConcentrator(url: string, serial: string): Promise<MqttClient> {
  const client = await mqtt.connectAsync(url, { clientId: serial, clean: false })
  const seqs = { reply: 0, telemetry: 0 }
  const publish = (channel: 'reply' | 'telemetry', body: object) => {
    const message = { v: 1, boot: 1, seq: seqs[channel]++, ts: Date.now(), ...body }
    return client.publishAsync(toUpTopic(BENCH_TENANT, serial, channel), JSON.stringify(message), { qos: 1 })
  }
  client.on('message', (_topic, payload) => {
    const { id, dev, args } = commandMessage.parse(JSON.parse(payload.toString()))
    for (const stage of ['accepted', 'done']) void publish('reply', { id, dev, stage, code: 0 })
    void publish('telemetry', { d: [{ id: dev, m: { 'valve.opening': args.opening } }] })
  })
  await client.subscribeAsync(toDownTopic(BENCH_TENANT, serial, 'cmd'), { qos: 1 })
  return client
}

/** Connects the valves of `addValves`. */
export const connectValves = (url: string): Promise<readonly MqttClient[]> =>
  Promise.all(numbers(CONCENTRATORS).map((at) => connectConcentrator(url, concentratorOf(at))))
