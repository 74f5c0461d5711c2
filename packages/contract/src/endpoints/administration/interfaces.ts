import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { limiter, pageOf } from '../../filter.ts'

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
  effect: z.enum(['reads', 'changes']).optional(),
  access: z.enum(['public', 'session', 'permission', 'device']),
  /** Permission values; one of them is required. */
  permissions: z.array(z.string()),
  /** Names of the roles that have one of them and are visible to the caller. */
  roles: z.array(z.string()),
  /** Codes of its own errors, beside those that any call can return. */
  errors: z.array(z.string()),
})
export type InterfaceItem = z.infer<typeof interfaceItem>

export const getInterfaces = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Interface/GetInterfaces',
  summary: 'Every endpoint and MQTT topic of the server, with the roles that can use it.',
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

export const interfacesEndpoints = { getInterfaces } as const
