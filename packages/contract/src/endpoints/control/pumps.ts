import { z } from 'zod'
import { command, commandBatch, commandPriority, headKpa, pumpLimits, valveHold } from '../../command.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant } from '../../entity.ts'
import { refersTo } from '../../refs.ts'

const deviceId = refersTo('device', z.number().int().positive())

/** What the caller can do with a pump, decided on the server. */
export const pumpAbility = z.enum(['set-head', 'set-limits'])

/** The circulation pump of a station, with the reports of its controller and the settings of users. */
export const pump = z.object({
  deviceId: z.number().int().positive(),
  deviceName: z.string(),
  /** Names from the project down to the node of the controller, joined by commas. */
  nestaddr: z.string(),
  /** Whether the controller accepts a head setpoint; if so, it reports the setpoint. */
  takesHead: z.boolean(),
  /** Measured between supply and return, kPa. */
  headKpa: z.number().optional(),
  /** Setpoint of the controller, kPa; absent while the pump runs at a fixed speed. */
  targetKpa: z.number().optional(),
  limits: pumpLimits,
  /** Version of the limits; 0 if nobody set any and the default limits apply. */
  version: z.number().int().nonnegative(),
  /** Hold of a head until an instant. */
  hold: valveHold.optional(),
  /** The newest command. */
  command: command.optional(),
  abilities: z.array(pumpAbility),
})
export type Pump = z.infer<typeof pump>

export const getPumps = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/GetPumps',
  summary: 'The pumps of given stations: their head setpoint, its limits and the last command.',
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
  summary: 'Sets the head setpoint of the controller of a station, which controls the speed of its pump.',
  access: requiresPermission('pe-fmcontrol'),
  effect: 'changes',
  input: z.object({
    deviceId,
    headKpa,
    reason: z.string().max(200),
    /** Default: manual. */
    priority: commandPriority.optional(),
    /** End of the hold, in which commands of a lower priority are refused; at most a year ahead. */
    holdUntil: instant.optional(),
    /** How long the command can wait for its device, s. */
    validityS: z.number().int().min(10).max(172_800).optional(),
  }),
  output: z.object({ command, batch: commandBatch }),
  errors: ['device.not-found', 'device.not-controllable', 'command.head-outside', 'command.held'],
})

export const setPumpLimits = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/SetPumpLimits',
  summary: 'Sets the limits of the head setpoint of a station, and of its change by one command.',
  access: requiresPermission('ps-oraigionsys', 'pd-fmdevmanager'),
  effect: 'changes',
  input: z.object({ deviceId, version: z.number().int().nonnegative(), limits: pumpLimits }),
  output: pump,
  errors: ['device.not-found', 'device.not-controllable', 'entity.stale'],
})

export const pumpsEndpoints = { getPumps, setPumpHead, setPumpLimits } as const
