import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant } from '../../entity.ts'
import { replyMessage, scanMethod, scanProgress } from '../../mqtt.ts'
import { refersTo } from '../../refs.ts'
import { managingPages } from './device-access.ts'

/**
 * State or result of a search. `waiting`: the gateway has not answered yet. `searching`, `done`, `stopped`: as it reports.
 * `gateway-offline`: it was not sent. `gateway-silent`: the gateway reports nothing more. `line-offline`: the line is not connected.
 * `unsupported`: the gateway cannot search the line. `unknown-line`: it does not have the line yet. `busy`: another search of the line
 * is running. `withdrawn`: a new configuration ended it. `expired`: it took too long. `failed`: any other refusal.
 */
export const scanOutcome = z.enum([
  'waiting',
  'searching',
  'done',
  'stopped',
  'gateway-offline',
  'gateway-silent',
  'line-offline',
  'unsupported',
  'unknown-line',
  'busy',
  'withdrawn',
  'expired',
  'failed',
])
export type ScanOutcome = z.infer<typeof scanOutcome>

/** A search of a line of a gateway for devices. */
export const lineScan = z.object({
  id: z.string(),
  /** The gateway. */
  deviceId: z.number().int().positive(),
  line: z.string(),
  method: scanMethod,
  /** Account of the person who started it. */
  actor: z.string(),
  startedAt: instant,
  endedAt: instant.optional(),
  outcome: scanOutcome,
  progress: scanProgress,
  /** Code of the gateway's last reply. */
  code: replyMessage.shape.code.optional(),
})
export type LineScan = z.infer<typeof lineScan>

const common = {
  backend: 'ht-api',
  method: 'POST',
  access: requiresPermission(managingPages.concentrator),
} as const
/** Those of the configuration of a gateway, which a search adds to. */
const errors = ['device.not-found', 'device.no-gateway', 'device.retired', 'access.denied'] as const
const deviceId = refersTo('device', z.number().int().positive())
const line = z.string().min(1).max(64)

export const startLineScan = defineEndpoint({
  ...common,
  path: '/Dev/StartLineScan',
  summary:
    'Searches a line of a gateway for devices. What is found and not registered is in the list of unregistered devices. A search of the line that is already under way is returned instead of a new one.',
  effect: 'changes',
  input: z.object({ deviceId, line, method: scanMethod }),
  output: lineScan,
  errors,
})

export const stopLineScan = defineEndpoint({
  ...common,
  path: '/Dev/StopLineScan',
  summary: 'Stops the search of a line. It ends when the gateway has answered.',
  effect: 'changes',
  input: z.object({ deviceId, line }),
  output: z.object({ scan: lineScan.nullable() }),
  errors,
})

export const getLineScans = defineEndpoint({
  ...common,
  path: '/Dev/GetLineScans',
  summary: 'The newest search of each line of a gateway, and its result. Retained for a day.',
  effect: 'reads',
  input: z.object({ deviceId }),
  output: z.object({ datalist: z.array(lineScan) }),
  errors,
})

export const lineScansEndpoints = { startLineScan, stopLineScan, getLineScans } as const
