import type { DtuMqttLine } from '@isotherm/contract/gateway-config'
import { SECOND_MS } from '@isotherm/kernel/durations'
import { connect, type MqttClient } from 'mqtt'
import { toBrokerOptions } from '../../field/broker-options.ts'
import type { DriverLine, PrepareDriver } from '../../field/driver.ts'

/** Longest payload that may be a heartbeat, bytes. */
const MAX_HEARTBEAT = 64

/**
 * Connects to the broker of a transparent unit (DTU, a modem that passes bytes to and from a bus) and stays
 * connected. Returns a function that closes the connection. Requests are published at QoS 0: at QoS 1 a broker may
 * repeat one, and a write would reach its device twice. A lost request is a time-out of the line.
 */
function connectUnit(
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
    // A request from before the disconnection gets no reply any more.
    queueQoSZero: false,
  })

  function close(): void {
    clearTimeout(idle)
    if (isOpen) line.closed()
    isOpen = false
  }

  /**
   * Marks the unit as connected. Without a heartbeat only its answers show that, so it counts as connected while the
   * broker is.
   */
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

/**
 * Driver of transparent units (DTU) that pass the bytes of their bus through MQTT. `clientId`: prefix of the client
 * ids of this gateway.
 */
export const createDtuMqtt =
  ({ clientId }: { readonly clientId: string }): PrepareDriver<'dtu-mqtt'> =>
  async ({ report }) => {
    const closers: (() => Promise<void>)[] = []
    return {
      start(lines) {
        for (const { config, line } of lines) closers.push(connectUnit(config, line, clientId, report))
      },
      close: async () => {
        await Promise.all(closers.map((close) => close()))
      },
    }
  }
