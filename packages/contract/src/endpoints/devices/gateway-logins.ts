import { z } from 'zod'
import { defineEndpoint } from '../../endpoint.ts'
import { instant, version } from '../../entity.ts'
import { limiter, pageOf } from '../../filter.ts'
import { topicPart } from '../../mqtt.ts'
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
  /** Port of the embedded broker without TLS; absent with an external one, or if it has none. */
  port: z.number().int().positive().optional(),
  /** Port of the embedded broker with TLS; absent in the same cases. */
  tlsPort: z.number().int().positive().optional(),
})
export type GatewayLogin = z.infer<typeof gatewayLogin>

/**
 * How a password left the server: shown on the page of its device, at its rotation, in an exported list, or sent to the device itself
 * after its first connection.
 */
export const passwordWay = z.enum(['page', 'rotation', 'export', 'device'])
export type PasswordWay = z.infer<typeof passwordWay>

/** Who saw the present password of a gateway. Each password is shown once. */
export const passwordShown = z.object({
  at: instant,
  /** Account of the user; empty if the device itself got it. */
  by: z.string(),
  way: passwordWay,
})
export type PasswordShown = z.infer<typeof passwordShown>

export const showGatewayLogin = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/ShowGatewayLogin',
  summary:
    'Credentials with which a concentrator, or a device with its own link, signs in to the broker. Each password is shown once; a second call is refused, with the account that saw it. Every call is recorded in the operation log.',
  access: managingDevices,
  effect: 'changes',
  apiKeys: 'refused',
  input: z.object({ id: refersTo('device', z.number().int().positive()) }),
  output: gatewayLogin,
  errors: [
    'device.not-found',
    'device.no-gateway',
    'device.retired',
    'device.login-revoked',
    'device.login-shown',
    'access.denied',
  ],
})

const item = { id: refersTo('device', z.number().int().positive()), version }
/** API keys must not read passwords: only signed-in users see them. */
const managing = { backend: 'ht-api', method: 'POST', access: managingDevices, apiKeys: 'refused' } as const

export const rotateGatewayLogin = defineEndpoint({
  ...managing,
  path: '/Dev/RotateGatewayLogin',
  summary:
    'Gives a gateway a new password, also after a revocation, and shows it this once. The old one no longer holds; the embedded broker disconnects the gateway at once.',
  effect: 'changes',
  input: z.object(item),
  output: gatewayLogin,
  errors: ['device.not-found', 'device.no-gateway', 'device.retired', 'entity.stale', 'access.denied'],
})

export const revokeGatewayLogin = defineEndpoint({
  ...managing,
  path: '/Dev/RevokeGatewayLogin',
  summary:
    'Revokes the password of a gateway until it gets a new one, and ends for ever the certificates that begin until now. The embedded broker disconnects the gateway at once.',
  effect: 'changes',
  input: z.object(item),
  output: z.object({ id: z.number().int() }),
  errors: ['device.not-found', 'device.no-gateway', 'device.retired', 'entity.stale', 'access.denied'],
})

/** A one-time token for the first connection of a gateway, without the token itself. */
export const connectionTokenState = z.object({
  madeAt: instant,
  /** Account. */
  by: z.string(),
  expiresAt: instant,
  /** First sign-in with it. */
  usedAt: instant.optional(),
  /** Network address of the last sign-in with it. */
  usedFrom: z.string().optional(),
  /** First sign-in with the password after that: the token is void. */
  spentAt: instant.optional(),
  /** A user withdrew it, or the device got a new password, was revoked, removed, retired or moved: the token is void. */
  withdrawnAt: instant.optional(),
})
export type ConnectionTokenState = z.infer<typeof connectionTokenState>

/** Validity of a token, h. */
export const TOKEN_HOURS = { min: 1, max: 720, usual: 72 } as const

/** A registered gateway, or a serial that will be one, in the company of a project. */
const tokenTarget = {
  id: refersTo('device', z.number().int().positive()).optional(),
  serial: topicPart.optional(),
  /** The project of an unregistered serial: it is unique per company only. */
  node: refersTo('node', nodeKey).optional(),
}

export const makeConnectionToken = defineEndpoint({
  ...managing,
  path: '/Dev/MakeConnectionToken',
  summary:
    'Makes a one-time token with which a gateway connects for the first time to the embedded broker and gets its own password on down/login. It replaces an earlier token of the gateway. It is refused if somebody has seen the password, unless the gateway gets a new one with `renew`. Name a device, or an unregistered serial and the project, all of which the caller must see.',
  effect: 'changes',
  input: z.object({
    ...tokenTarget,
    hours: z.number().int().min(TOKEN_HOURS.min).max(TOKEN_HOURS.max).default(TOKEN_HOURS.usual),
    /** Gives a registered gateway a new password first, which nobody has seen. The old one no longer holds. */
    renew: z.boolean().default(false),
  }),
  output: z.object({
    username: z.string(),
    /** Shown this once; the server stores its hash. */
    token: z.string(),
    expiresAt: instant,
    port: z.number().int().positive().optional(),
    tlsPort: z.number().int().positive().optional(),
  }),
  errors: [
    'request.malformed',
    'device.not-found',
    'device.no-gateway',
    'device.retired',
    'device.login-revoked',
    'device.login-shown',
    'device.no-tokens',
    'node.not-found',
    'access.denied',
  ],
})

export const withdrawConnectionToken = defineEndpoint({
  ...managing,
  path: '/Dev/WithdrawConnectionToken',
  summary:
    'Makes the one-time token of a gateway void, and disconnects the gateway if it connected with it. A password that it got by the token still holds.',
  effect: 'changes',
  input: z.object(tokenTarget),
  output: z.object({
    /** Whether there was a token that still let a gateway in. */
    wasOpen: z.boolean(),
  }),
  errors: [
    'request.malformed',
    'device.not-found',
    'device.no-gateway',
    'device.retired',
    'node.not-found',
    'access.denied',
  ],
})

export const getGatewayLogin = defineEndpoint({
  ...managing,
  path: '/Dev/GetGatewayLogin',
  summary:
    'User name of a gateway, and whether its password was shown or revoked; never the password itself.',
  effect: 'reads',
  input: z.object({ id: refersTo('device', z.number().int().positive()) }),
  output: z.object({
    username: z.string(),
    isRevoked: z.boolean(),
    /** Absent while nobody has seen the present password. */
    shown: passwordShown.optional(),
    /** Its newest token. */
    token: connectionTokenState.optional(),
    /** Whether tokens can be made: only the embedded broker knows them. */
    takesTokens: z.boolean(),
  }),
  errors: ['device.not-found', 'device.no-gateway', 'device.retired', 'access.denied'],
})

/** Maximum number of gateways in one list of passwords. */
export const MAX_EXPORTED_LOGINS = 5_000

/** Credentials of a gateway in a list. Either its password or who saw it before is there. */
export const exportedLogin = gatewayLogin.omit({ port: true, tlsPort: true, password: true }).extend({
  id: z.number().int().positive(),
  name: z.string(),
  serial: z.string(),
  password: z.string().optional(),
  shown: passwordShown.optional(),
})
export type ExportedLogin = z.infer<typeof exportedLogin>

export const exportGatewayLogins = defineEndpoint({
  ...managing,
  path: '/Dev/ExportGatewayLogins',
  summary:
    'Credentials of all gateways below nodes that the caller may manage, without revoked and retired ones. It has the passwords that nobody has seen yet, which count as shown from then on; for the others it has the account that saw them. Every call is recorded in the operation log.',
  effect: 'changes',
  input: z.object({ nodes: z.array(refersTo('node', nodeKey)).max(2_000).default([]) }),
  output: z.object({ datalist: z.array(exportedLogin) }),
  errors: ['node.not-found', 'transfer.too-many-rows'],
})

/** Hashes of the password of a gateway for the lists of external brokers. They show no password. */
export const brokerLogin = z.object({
  username: z.string().regex(/^[A-Za-z0-9_.-]{1,64}\/[A-Za-z0-9_.-]{1,64}$/),
  /** Line of Mosquitto's password file behind the user name: `$7$` (PBKDF2 with SHA-512), rounds, salt of 12 bytes, hash. */
  mosquitto: z.string().regex(/^\$7\$[1-9]\d{0,6}\$[A-Za-z0-9+/]{16}\$[A-Za-z0-9+/]{86}==$/),
  /** EMQX: SHA-256 of salt and password, in hex. */
  emqxHash: z.string().regex(/^[0-9a-f]{64}$/),
  emqxSalt: z.string().regex(/^[0-9a-f]{16}$/),
  /** RabbitMQ: base64 of a salt of 4 bytes and the SHA-256 of salt and password. */
  rabbitmq: z.string().regex(/^[A-Za-z0-9+/]{48}$/),
})
export type BrokerLogin = z.infer<typeof brokerLogin>

export const exportBrokerLogins = defineEndpoint({
  ...managing,
  path: '/Dev/ExportBrokerLogins',
  summary:
    'Hashes of the passwords of the same gateways for the lists of Mosquitto, EMQX and RabbitMQ. They show no password. Every call is recorded in the operation log.',
  // The call changes nothing, but only changes are in the operation log, and it must contain who exported hashes.
  effect: 'changes',
  input: z.object({ nodes: z.array(refersTo('node', nodeKey)).max(2_000).default([]) }),
  output: z.object({ datalist: z.array(brokerLogin) }),
  errors: ['node.not-found', 'transfer.too-many-rows'],
})

/**
 * Why a gateway was refused. `wrong-topic`: it used a topic that is not its own. `bad-name`: its user name names no gateway.
 * `elsewhere`: another server serves its company.
 */
export const refusalReason = z.enum([
  'bad-name',
  'wrong-client-id',
  'unknown-serial',
  'wrong-password',
  'revoked',
  'retired',
  'elsewhere',
  'wrong-topic',
  'wrong-token',
  'expired-token',
  'spent-token',
  'no-certificate',
  'untrusted-certificate',
  'expired-certificate',
  'revoked-certificate',
  'unchecked-certificate',
  'wrong-certificate',
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
  getGatewayLogin,
  showGatewayLogin,
  rotateGatewayLogin,
  revokeGatewayLogin,
  exportGatewayLogins,
  exportBrokerLogins,
  makeConnectionToken,
  withdrawConnectionToken,
  getGatewayRefusals,
} as const
