import { z } from 'zod'
import { command, commandBatch, commandPriority, headKpa, pumpLimits, valveHold } from '../../command.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant } from '../../entity.ts'
import { refersTo } from '../../refs.ts'

const deviceId = refersTo('device', z.number().int().positive())

/** What the caller may do with a pump, decided on the server. */
export const pumpAbility = z.enum(['set-head', 'set-limits'])

/** The circulation pump of a station, as its controller tells and people set it. */
export const pump = z.object({
  deviceId: z.number().int().positive(),
  deviceName: z.string(),
  /** Names from the project down to the node of the controller, comma-joined. */
  nestaddr: z.string(),
  /** Whether the controller takes a head: one that does says which it holds. */
  takesHead: z.boolean(),
  /** As measured between supply and return, kPa. */
  headKpa: z.number().optional(),
  /** What the controller holds, kPa; absent while the pump runs at a fixed speed. */
  targetKpa: z.number().optional(),
  limits: pumpLimits,
  /** How often the limits were changed; 0 where nobody set any and the usual ones hold. */
  version: z.number().int().nonnegative(),
  /** A head that stands until an instant. */
  hold: valveHold.optional(),
  /** The newest that was given. */
  command: command.optional(),
  abilities: z.array(pumpAbility),
})
export type Pump = z.infer<typeof pump>

export const getPumps = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/GetPumps',
  summary:
    'The pumps of given stations: the head they hold, what they may be told, and what they were told last.',
  access: requiresPermission('pe-fmreal', 'pe-fmcontrol', 'pe-fmhistory'),
  effect: 'reads',
  input: z.object({ deviceIds: z.array(deviceId).min(1).max(200) }),
  output: z.object({ datalist: z.array(pump) }),
  errors: ['device.not-found', 'device.not-controllable'],
})

export const setPumpHead = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/SetPumpHead',
  summary: 'Lets the controller of a station hold a head by the speed of its pump.',
  access: requiresPermission('pe-fmcontrol'),
  effect: 'changes',
  input: z.object({
    deviceId,
    headKpa,
    reason: z.string().max(200),
    /** manual unless given. */
    priority: commandPriority.optional(),
    /** Until when orders of a lower priority are refused; at most a year ahead. */
    holdUntil: instant.optional(),
    /** How long the command may wait for its device, s. */
    validityS: z.number().int().min(10).max(172_800).optional(),
  }),
  output: z.object({ command, batch: commandBatch }),
  errors: ['device.not-found', 'device.not-controllable', 'command.head-outside', 'command.held'],
})

export const setPumpLimits = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/SetPumpLimits',
  summary: 'Sets between which heads the pump of a station may be told to go, and how far at once.',
  access: requiresPermission('ps-oraigionsys', 'pd-fmdevmanager'),
  effect: 'changes',
  input: z.object({ deviceId, version: z.number().int().nonnegative(), limits: pumpLimits }),
  output: pump,
  errors: ['device.not-found', 'device.not-controllable', 'entity.stale'],
})

export const pumpsEndpoints = { getPumps, setPumpHead, setPumpLimits } as const
