import { z } from 'zod'
import { defineEndpoint } from '../../endpoint.ts'
import { refersTo } from '../../refs.ts'
import { managingDevices } from './device-access.ts'

/** What a gateway is configured with to sign in to the broker (docs/reference/mqtt.md). */
export const gatewayLogin = z.object({
  /** Its client id and the third level of its topics. */
  clientId: z.string(),
  username: z.string(),
  password: z.string(),
  /** Prefix of its topics, without the channel. */
  upTopic: z.string(),
  downTopic: z.string(),
  /** Port of the embedded broker; absent with an external one. */
  port: z.number().int().positive().optional(),
})
export type GatewayLogin = z.infer<typeof gatewayLogin>

export const showGatewayLogin = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/ShowGatewayLogin',
  summary:
    'Credentials with which a concentrator, or a device with its own link, signs in to the broker. Every call is recorded in the operation log.',
  access: managingDevices,
  // It changes nothing, but who saw a password must be in the log.
  effect: 'changes',
  apiKeys: 'refused',
  input: z.object({ id: refersTo('device', z.number().int().positive()) }),
  output: gatewayLogin,
  errors: ['device.not-found', 'device.no-gateway', 'device.retired', 'access.denied'],
})

export const gatewayLoginsEndpoints = { showGatewayLogin } as const
