import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { limiter, pageOf } from '../../filter.ts'

/** Calls are counted over these last hours, in whole hours. */
export const INTERFACE_HOURS = 24

/** An interface for other programs: an endpoint or an MQTT topic. */
export const interfaceItem = z.object({
  /** Name of the endpoint or MQTT channel in the contract. */
  name: z.string(),
  kind: z.enum(['http', 'mqtt', 'websocket']),
  /** Of an endpoint. */
  backend: z.enum(['usr-cloud', 'ht-api']).optional(),
  /** GET or POST; for MQTT up or down, as seen from the device. */
  method: z.string(),
  /** Full path on the server, or topic. */
  address: z.string(),
  summary: z.string(),
  /** Only for an endpoint: whether it changes anything. */
  effect: z.enum(['reads', 'changes', 'stores']).optional(),
  access: z.enum(['public', 'session', 'permission', 'device']),
  /** Permission values; one of them is required. */
  permissions: z.array(z.string()),
  /** Names of the roles that have one of them and are visible to the caller. */
  roles: z.array(z.string()),
  /** Codes of its own errors, beside those that any call can return. */
  errors: z.array(z.string()),
  /** False if administrators disabled it; its calls are refused with interface.disabled. */
  enabled: z.boolean(),
  /** Calls or messages of the last hours, of all replicas and companies. */
  calls: z.number().int().nonnegative(),
  /** Those of them that were refused or failed. */
  failures: z.number().int().nonnegative(),
  /** Duration that 95 % of the calls do not exceed, ms; null without calls. */
  p95Ms: z.number().nonnegative().nullable(),
  /** `switch`: the caller can enable and disable it. */
  abilities: z.array(z.enum(['switch'])),
})
export type InterfaceItem = z.infer<typeof interfaceItem>

export const getInterfaces = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Interface/GetInterfaces',
  summary:
    'Every endpoint and MQTT topic of the server, with the roles that can use it, its state and its calls.',
  access: requiresPermission('ps-interfacesys'),
  effect: 'reads',
  input: z.object({
    /** Part of a name, path or summary. */
    text: z.string().max(100).default(''),
    limiter: limiter.default({ page: 1, size: 1_000 }),
  }),
  output: pageOf(interfaceItem),
  errors: [],
})

export const setInterfaceStates = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Interface/SetInterfaceStates',
  summary:
    'Enables or disables endpoints for all users, all or none; only for provider staff. Those needed to log in or to manage interfaces cannot be disabled.',
  access: requiresPermission('ps-interfacesys'),
  effect: 'changes',
  input: z.object({ names: z.array(z.string().min(1).max(64)).min(1).max(500), enabled: z.boolean() }),
  output: z.object({ changed: z.number().int().nonnegative() }),
  errors: ['access.denied', 'interface.not-found', 'interface.always-on'],
})

export const interfacesEndpoints = { getInterfaces, setInterfaceStates } as const
