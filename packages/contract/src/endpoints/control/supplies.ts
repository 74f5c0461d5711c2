import { z } from 'zod'
import { command, commandBatch, commandPriority, offsetK, supplyLimits, valveHold } from '../../command.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant } from '../../entity.ts'
import { refersTo } from '../../refs.ts'

const deviceId = refersTo('device', z.number().int().positive())

/** What the caller can do with a supply temperature, decided on the server. */
export const supplyAbility = z.enum(['set-offset', 'set-limits'])

/** The supply temperature of a station, with the reports of its controller and the settings of users. */
export const supply = z.object({
  deviceId: z.number().int().positive(),
  deviceName: z.string(),
  /** Names from the project down to the node of the controller, joined by commas. */
  nestaddr: z.string(),
  /** Whether the controller accepts an offset; if so, it reports it. Otherwise people set it at the station. */
  takesOffset: z.boolean(),
  /** Measured, °C. */
  supplyC: z.number().optional(),
  outdoorC: z.number().optional(),
  /** Setpoint of the controller, °C: its heating curve and the offset. */
  targetC: z.number().optional(),
  /** Offset of the heating curve, K. */
  offsetK: z.number().optional(),
  limits: supplyLimits,
  /** Version of the limits; 0 if nobody set any and the default limits apply. */
  version: z.number().int().nonnegative(),
  /** Hold of an offset until an instant. */
  hold: valveHold.optional(),
  /** The newest command. */
  command: command.optional(),
  abilities: z.array(supplyAbility),
})
export type Supply = z.infer<typeof supply>

export const getSupplies = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/GetSupplies',
  summary:
    'The supply temperatures of given stations: the offset of their heating curve, its limits and the last command.',
  access: requiresPermission('pe-fmreal', 'pe-fmcontrol', 'pe-fmhistory'),
  effect: 'reads',
  input: z.object({ deviceIds: z.array(deviceId).min(1).max(200) }),
  output: z.object({ datalist: z.array(supply) }),
  errors: ['device.not-found', 'device.not-controllable'],
})

export const setSupplyOffset = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/SetSupplyOffset',
  summary:
    'Sets the offset that the controller of a station adds to its heating curve for the supply temperature.',
  access: requiresPermission('pe-fmcontrol'),
  effect: 'changes',
  input: z.object({
    deviceId,
    offsetK,
    reason: z.string().max(200),
    /** Default: manual. */
    priority: commandPriority.optional(),
    /** End of the hold, in which commands of a lower priority are refused; at most a year ahead. */
    holdUntil: instant.optional(),
    /** How long the command can wait for its device, s. */
    validityS: z.number().int().min(10).max(172_800).optional(),
  }),
  output: z.object({ command, batch: commandBatch }),
  errors: ['device.not-found', 'device.not-controllable', 'command.offset-outside', 'command.held'],
})

export const setSupplyLimits = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/SetSupplyLimits',
  summary:
    'Sets the limits of the offset of the heating curve of a station, and of its change by one command.',
  access: requiresPermission('ps-oraigionsys', 'pd-fmdevmanager'),
  effect: 'changes',
  input: z.object({ deviceId, version: z.number().int().nonnegative(), limits: supplyLimits }),
  output: supply,
  errors: ['device.not-found', 'device.not-controllable', 'entity.stale'],
})

export const suppliesEndpoints = { getSupplies, setSupplyOffset, setSupplyLimits } as const
