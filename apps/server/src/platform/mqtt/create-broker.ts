import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { BrokerPort } from './broker-port.ts'
import { createEmbeddedBroker } from './embedded.mqtt.ts'
import { createExternalBroker } from './external.mqtt.ts'

/** Creates the broker of the configuration; it is not started yet. */
export const createBroker = (config: Config['mqtt'], clock: Clock, log: Log): BrokerPort =>
  config.url === undefined
    ? createEmbeddedBroker(config, clock, log)
    : createExternalBroker({ url: config.url, secret: config.secret }, clock, log)
