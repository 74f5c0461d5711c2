import { z } from 'zod'
import { defineEndpoint } from '../../endpoint.ts'
import { instant, version } from '../../entity.ts'
import { limiter, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'
import { managingDevices } from './device-access.ts'

/** What a gateway is configured with to sign in to the broker (docs/reference/mqtt.md). */
export const gatewayLogin = z.object({
  /** The same as the user name: serials are unique per company only. */
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
  errors: [
    'device.not-found',
    'device.no-gateway',
    'device.retired',
    'device.login-revoked',
    'access.denied',
  ],
})

const item = { id: refersTo('device', z.number().int().positive()), version }
/** Passwords are for people. */
const managing = { backend: 'ht-api', method: 'POST', access: managingDevices, apiKeys: 'refused' } as const

export const rotateGatewayLogin = defineEndpoint({
  ...managing,
  path: '/Dev/RotateGatewayLogin',
  summary:
    'Gives a gateway a new password, also after a revocation. The old one no longer holds; the embedded broker disconnects the gateway at once.',
  effect: 'changes',
  input: z.object(item),
  output: gatewayLogin,
  errors: ['device.not-found', 'device.no-gateway', 'device.retired', 'entity.stale', 'access.denied'],
})

export const revokeGatewayLogin = defineEndpoint({
  ...managing,
  path: '/Dev/RevokeGatewayLogin',
  summary:
    'Revokes the password of a gateway until it gets a new one. The embedded broker disconnects the gateway at once.',
  effect: 'changes',
  input: z.object(item),
  output: z.object({ id: z.number().int() }),
  errors: ['device.not-found', 'device.no-gateway', 'device.retired', 'entity.stale', 'access.denied'],
})

/** Maximum number of gateways in one list of passwords. */
export const MAX_EXPORTED_LOGINS = 5_000

/** Credentials of a gateway in a list. */
export const exportedLogin = gatewayLogin.omit({ port: true }).extend({
  id: z.number().int().positive(),
  name: z.string(),
  serial: z.string(),
})
export type ExportedLogin = z.infer<typeof exportedLogin>

export const exportGatewayLogins = defineEndpoint({
  ...managing,
  path: '/Dev/ExportGatewayLogins',
  summary:
    'Credentials of all gateways below nodes that the caller may manage, without revoked and retired ones. Every call is recorded in the operation log.',
  // It changes nothing, but who saw passwords must be in the log.
  effect: 'changes',
  input: z.object({ nodes: z.array(refersTo('node', nodeKey)).max(2_000).default([]) }),
  output: z.object({ datalist: z.array(exportedLogin) }),
  errors: ['node.not-found', 'transfer.too-many-rows'],
})

/** Why a gateway was refused. `wrong-topic`: it used a topic that is not its own. `bad-name`: its user name names no gateway. */
export const refusalReason = z.enum([
  'bad-name',
  'wrong-client-id',
  'unknown-serial',
  'wrong-password',
  'revoked',
  'retired',
  'wrong-topic',
])
export type RefusalReason = z.infer<typeof refusalReason>

/** Refusals of a gateway for one reason. */
export const gatewayRefusal = z.object({
  id: z.number().int().positive(),
  /** Absent if no such device is registered. */
  deviceId: z.number().int().positive().optional(),
  name: z.string().optional(),
  /** User name it used last, cut off after 256 characters. */
  user: z.string(),
  serial: z.string(),
  reason: refusalReason,
  /** Topic of the last one, for wrong-topic. */
  topic: z.string().optional(),
  /** Network address of the last one. */
  address: z.string(),
  count: z.number().int().positive(),
  firstAt: instant,
  lastAt: instant,
})
export type GatewayRefusal = z.infer<typeof gatewayRefusal>

export const getGatewayRefusals = defineEndpoint({
  ...managing,
  path: '/Dev/GetGatewayRefusals',
  summary:
    'Sign-ins, messages and subscriptions of gateways that the embedded broker refused, newest first: those of devices that the caller may manage, and of unknown serials of companies the caller sees as a whole.',
  effect: 'reads',
  input: z.object({
    deviceId: refersTo('device', z.number().int().positive()).optional(),
    limiter: limiter.default({ page: 1, size: 100 }),
  }),
  output: pageOf(gatewayRefusal),
  errors: ['device.not-found'],
})

export const gatewayLoginsEndpoints = {
  showGatewayLogin,
  rotateGatewayLogin,
  revokeGatewayLogin,
  exportGatewayLogins,
  getGatewayRefusals,
} as const
