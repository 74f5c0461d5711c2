import { parseUpTopic } from '@isotherm/contract/mqtt'
import type { BrokerPort } from '../mqtt/broker-port.ts'
import type { CallMeter } from './call-meter.ts'

/** Name of an MQTT channel as an interface. */
const toUpName = (topic: string): string => `up/${parseUpTopic(topic)?.channel ?? 'unknown'}`
const toDownName = (topic: string): string => `down/${topic.slice(topic.lastIndexOf('/') + 1)}`

/**
 * The broker, with its messages counted by channel. The duration of a received message is the time until it is stored, that of a
 * published one the time until the broker has accepted it.
 */
export function meterBroker(broker: BrokerPort, meter: CallMeter): BrokerPort {
  async function measured(name: string, work: Promise<void>): Promise<void> {
    const end = meter.start(name)
    try {
      await work
      end('ok')
    } catch (error) {
      end('failed')
      throw error
    }
  }
  const metered: Pick<BrokerPort, 'start' | 'publish'> = {
    start: (handlers) =>
      broker.start({
        ...handlers,
        store: (message) => measured(toUpName(message.topic), handlers.store(message)),
      }),
    publish: (topic, payload, qos, request) =>
      measured(toDownName(topic), broker.publish(topic, payload, qos, request)),
  }
  // The port of the broker is known only after its start, so it must be read from the broker itself.
  return Object.assign(Object.create(broker), metered)
}
