import type { DtuMqttLine } from '@isotherm/contract/gateway-config'
import { SECOND_MS } from '@isotherm/kernel/durations'
import { connect, type MqttClient } from 'mqtt'
import { toBrokerOptions } from '../../field/broker-options.ts'
import type { DriverLine, PrepareDriver } from '../../field/driver.ts'

/** Longest payload that may be a heartbeat, bytes. */
const MAX_HEARTBEAT = 64

/**
 * Holds the connection to the broker of a transparent unit. Returns what closes it. Requests are published at QoS 0: a broker repeats one
 * at QoS 1, and a write would reach its device twice; a lost one is a silence that the line knows.
 */
function holdUnit(
  config: DtuMqttLine,
  line: DriverLine,
  clientId: string,
  report: (text: string) => void,
): () => Promise<void> {
  const { id, url, upTopic, downTopic, heartbeatHex, idleS } = config
  const heartbeat = heartbeatHex === undefined ? undefined : Buffer.from(heartbeatHex, 'hex')
  let isSubscribed = false
  let isOpen = false
  let idle: NodeJS.Timeout | undefined
  let lastProblem = ''
  const reportOnce = (text: string): void => {
    if (text !== lastProblem) report(`line ${id}: ${text}`)
    lastProblem = text
  }
  const client: MqttClient = connect(url, {
    ...toBrokerOptions(config, clientId),
    clean: true,
    // A request of before the loss is no longer waited for.
    queueQoSZero: false,
  })

  function close(): void {
    clearTimeout(idle)
    if (isOpen) line.closed()
    isOpen = false
  }

  /** The unit is there. Without a heartbeat only its answers show that, so it counts as there while the broker is. */
  function open(): void {
    if (heartbeat !== undefined) {
      clearTimeout(idle)
      idle = setTimeout(close, idleS * SECOND_MS)
    }
    if (isOpen) return
    isOpen = true
    line.opened({
      ...(heartbeat === undefined ? {} : { inserts: [heartbeat] }),
      send: (bytes) => {
        client.publish(downTopic, Buffer.from(bytes), { qos: 0 })
      },
    })
  }

  client.on('connect', () => {
    client.subscribe(upTopic, { qos: 0 }, (error, granted) => {
      if (error || granted?.some(({ qos }) => qos > 2)) {
        reportOnce(`the broker refused the topic ${upTopic}`)
        return
      }
      lastProblem = ''
      isSubscribed = true
      open()
    })
  })
  client.on('message', (_topic, payload, packet) => {
    // A retained message is an old answer.
    if (packet.retain || !isSubscribed) return
    open()
    const isHeartbeat = payload.length <= MAX_HEARTBEAT && heartbeat?.equals(payload)
    if (!isHeartbeat) line.received(payload)
  })
  client.on('error', (error) => reportOnce(error.message))
  client.on('close', () => {
    isSubscribed = false
    close()
  })
  return async () => {
    close()
    await client.endAsync(true)
  }
}

/** Transparent units that pass the bytes of their bus through MQTT. `clientId`: start of the client ids of this gateway. */
export const createDtuMqtt =
  ({ clientId }: { readonly clientId: string }): PrepareDriver<'dtu-mqtt'> =>
  async ({ report }) => {
    const closers: (() => Promise<void>)[] = []
    return {
      start(lines) {
        for (const { config, line } of lines) closers.push(holdUnit(config, line, clientId, report))
      },
      close: async () => {
        await Promise.all(closers.map((close) => close()))
      },
    }
  }
