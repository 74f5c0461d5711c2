import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'

/** Unix ms. A certificate may hold beyond this century. */
const end = z.number().int()

/** Days before its end from which the certificate of the broker must be renewed. */
export const CERTIFICATE_WARNING_DAYS = 21
/** Likewise of a revocation list: authorities issue them for some days or weeks. */
export const LIST_WARNING_DAYS = 2

/** Certificates of the port with TLS. */
export const brokerTls = z.object({
  /** End of the certificate of the broker. */
  certificateEndsAt: end,
  /** When the first revocation list ends, after which certificates of devices are refused; absent without a list. */
  listEndsAt: end.optional(),
  /** Whether a device needs a certificate there. */
  isCertificateRequired: z.boolean(),
})
export type BrokerTls = z.infer<typeof brokerTls>

export const getBroker = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Broker/GetBroker',
  summary:
    'The ports of the embedded broker at which devices connect, and how long the certificates of the one with TLS hold.',
  access: requiresPermission('ps-interfacesys'),
  effect: 'reads',
  input: z.object({}),
  output: z.object({
    /** False: devices connect to an external broker, of which the server knows no more. */
    isEmbedded: z.boolean(),
    /** Port without TLS; absent if there is none. */
    port: z.number().int().positive().optional(),
    /** Port with TLS; likewise. */
    tlsPort: z.number().int().positive().optional(),
    /** Absent without a port with TLS. */
    tls: brokerTls.optional(),
  }),
  errors: [],
})

export const brokerEndpoints = { getBroker } as const
