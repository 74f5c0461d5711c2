import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { limiter, pageOf } from '../../filter.ts'

/** Something other programs may call or listen to. */
export const interfaceItem = z.object({
  /** Name in the contract: of the endpoint, or of the MQTT channel. */
  name: z.string(),
  kind: z.enum(['http', 'mqtt', 'websocket']),
  /** Of an endpoint. */
  backend: z.enum(['usr-cloud', 'ht-api']).optional(),
  /** GET or POST; of MQTT up or down, seen from the device. */
  method: z.string(),
  /** Full path on the server, or the topic. */
  address: z.string(),
  summary: z.string(),
  /** Of an endpoint: whether it changes anything. */
  effect: z.enum(['reads', 'changes']).optional(),
  access: z.enum(['public', 'session', 'permission', 'device']),
  /** Permission values of which one is needed. */
  permissions: z.array(z.string()),
  /** Names of the roles that have one of them, as far as the caller may see them. */
  roles: z.array(z.string()),
  /** Codes of the errors it gives beside those any call may give. */
  errors: z.array(z.string()),
})
export type InterfaceItem = z.infer<typeof interfaceItem>

export const getInterfaces = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Interface/GetInterfaces',
  summary: 'Every endpoint and MQTT topic of the server with who may use it.',
  access: requiresPermission('ps-interfacesys'),
  effect: 'reads',
  input: z.object({
    /** Part of a name, an address or a summary. */
    text: z.string().max(100).default(''),
    limiter: limiter.default({ page: 1, size: 1_000 }),
  }),
  output: pageOf(interfaceItem),
  errors: [],
})

export const interfacesEndpoints = { getInterfaces } as const
