import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { BrokerPort } from './broker-port.ts'
import { createEmbeddedBroker } from './embedded.mqtt.ts'
import { createExternalBroker } from './external.mqtt.ts'

/** Creates the broker of the configuration; it is not started yet. */
export const createBroker = (
  { mqtt, cell }: Pick<Config, 'mqtt' | 'cell'>,
  clock: Clock,
  log: Log,
): BrokerPort =>
  mqtt.url === undefined
    ? createEmbeddedBroker(mqtt, clock, log)
    : createExternalBroker({ url: mqtt.url, secret: mqtt.secret, cell }, clock, log)
