import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant } from '../../entity.ts'
import { replyMessage } from '../../mqtt.ts'
import { refersTo } from '../../refs.ts'

/**
 * State or result of a request. `waiting`: an answer may still come. `answered`: the device was read. `gateway-offline`: it was
 * not sent. `gateway-silent`, `device-silent`: no answer in time. `unsupported`: the gateway cannot read it out of turn.
 * `unknown-device`: the gateway does not know it. `failed`: any other refusal, see its code.
 */
export const readOutcome = z.enum([
  'waiting',
  'answered',
  'gateway-offline',
  'gateway-silent',
  'device-silent',
  'unsupported',
  'unknown-device',
  'failed',
])
export type ReadOutcome = z.infer<typeof readOutcome>

/** A request to a device for its present values. */
export const readRequestState = z.object({
  id: z.string(),
  deviceId: z.number().int().positive(),
  /** Account of the person who requested. */
  actor: z.string(),
  requestedAt: instant,
  /** When the gateway answered. */
  gatewayAt: instant.optional(),
  /** When the result was known. */
  endedAt: instant.optional(),
  outcome: readOutcome,
  /** Code of the gateway's last reply, and its text. */
  code: replyMessage.shape.code.optional(),
  detail: z.string().optional(),
})
export type ReadRequestState = z.infer<typeof readRequestState>

const common = {
  backend: 'ht-api',
  method: 'POST',
  access: requiresPermission('pd-devdebug'),
} as const
const deviceId = refersTo('device', z.number().int().positive())

export const requestRead = defineEndpoint({
  ...common,
  path: '/Dev/RequestRead',
  summary:
    'Asks a device, through its gateway, for its present values. While a request of the device waits, that one is returned. A gateway itself answers at once.',
  effect: 'changes',
  input: z.object({ deviceId }),
  output: readRequestState,
  errors: ['device.not-found', 'device.retired'],
})

export const getReadRequest = defineEndpoint({
  ...common,
  path: '/Dev/GetReadRequest',
  summary: 'The newest request for the present values of a device, and its result. Retained for a day.',
  effect: 'reads',
  input: z.object({ deviceId }),
  output: z.object({ request: readRequestState.nullable() }),
  errors: ['device.not-found'],
})

export const readRequestsEndpoints = { requestRead, getReadRequest } as const
