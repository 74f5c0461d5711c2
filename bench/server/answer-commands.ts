import { commandMessage, toDownTopic, toUpTopic } from '@isotherm/contract/mqtt'
import type { MqttClient } from 'mqtt'

/** A gateway whose valves carry out their commands. */
export interface AnsweringGateway {
  readonly tenant: string
  readonly serial: string
  readonly boot: number
  /** Reports the new opening of a valve, %. */
  report(valve: string, openingPct: number): Promise<unknown>
}

/** Has a connected gateway confirm each command of its valves at once. */
export async function answerCommands(
  client: MqttClient,
  { tenant, serial, boot, report }: AnsweringGateway,
): Promise<void> {
  let seq = 0
  const reply = (id: string, dev: string, stage: 'accepted' | 'done') => {
    const message = { v: 1, boot, seq: seq++, ts: Date.now(), id, dev, stage, code: 0 }
    return client.publishAsync(toUpTopic(tenant, serial, 'reply'), JSON.stringify(message), { qos: 1 })
  }
  client.on('message', (_topic, payload) => {
    const { id, dev, args } = commandMessage.parse(JSON.parse(payload.toString()))
    // What is lost with the connection is sent again, because the command comes again.
    reply(id, dev, 'accepted').catch(() => undefined)
    reply(id, dev, 'done').catch(() => undefined)
    report(dev, Number(args.opening)).catch(() => undefined)
  })
  await client.subscribeAsync(toDownTopic(tenant, serial, 'cmd'), { qos: 1 })
}
