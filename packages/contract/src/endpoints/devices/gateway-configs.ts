import { z } from 'zod'
import { defineEndpoint } from '../../endpoint.ts'
import { gatewayConfig } from '../../gateway-config.ts'
import { topicPart } from '../../mqtt.ts'
import { refersTo } from '../../refs.ts'
import { managingDevices } from './device-access.ts'

const common = { backend: 'ht-api', method: 'POST', access: managingDevices } as const

/** Counts the changes of a configuration; 0 if there is none. */
const configVersion = z.number().int().nonnegative()

export const getGatewayConfig = defineEndpoint({
  ...common,
  path: '/Dev/GetGatewayConfig',
  summary:
    'Lines, devices and profiles of a gateway, by its serial. A gateway calls it with an API key, follows its changes, and also gets the profiles of the registry that its devices name; in answers to people each secret is `SecretUnchanged0`.',
  effect: 'reads',
  /** `tenant`: its company, where the caller sees several with the same serial. */
  input: z.object({ imei: refersTo('imei', topicPart), tenant: topicPart.optional() }),
  output: z.object({
    id: z.number().int().positive(),
    version: configVersion,
    /** Its number in the operation log; absent if nobody has set one. */
    configId: z.number().int().positive().optional(),
    /** Null if nobody has set one. */
    config: gatewayConfig.nullable(),
  }),
  errors: ['device.not-found', 'device.no-gateway', 'access.denied'],
})

export const setGatewayConfig = defineEndpoint({
  ...common,
  path: '/Dev/SetGatewayConfig',
  summary:
    'Sets lines, devices and profiles of a gateway. Its devices are those of its concentrator; each needs a profile that fits its line and address. The secret `SecretUnchanged0` leaves the stored one as it is.',
  effect: 'changes',
  input: z.object({
    id: refersTo('device', z.number().int().positive()),
    version: configVersion,
    config: gatewayConfig,
  }),
  output: z.object({ id: z.number().int().positive(), version: configVersion }),
  errors: [
    'device.not-found',
    'device.no-gateway',
    'device.retired',
    'gateway-config.foreign-device',
    'gateway-config.wrong-device',
    'gateway-config.no-secret',
    'entity.stale',
    'access.denied',
  ],
})

export const gatewayConfigsEndpoints = { getGatewayConfig, setGatewayConfig } as const
