import { z } from 'zod'
import { command, commandBatch, commandPriority, commandState, MOST_TARGETS } from '../../command.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant } from '../../entity.ts'
import { limiter, pageOf } from '../../filter.ts'
import { orderPreview } from '../../order-preview.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'

const watching = requiresPermission('pe-fmreal', 'pe-fmcontrol', 'pe-fmhistory')
const controlling = requiresPermission('pe-fmcontrol')

const deviceId = refersTo('device', z.number().int().positive())
const openingPct = z.number().min(0).max(100)

const targets = z.array(z.object({ deviceId, openingPct })).min(1).max(MOST_TARGETS)

/** How an order stands against others. */
const standing = z.object({
  /** manual unless given. */
  priority: commandPriority.optional(),
  /** Until when orders of a lower priority are refused; at most a year ahead. */
  holdUntil: instant.optional(),
})

export const publishMqCtlCmd = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/PublishMqCtlCmd',
  summary:
    'Sets the opening of given valves, or of all valves of a device group: all of the commands are stored or none is.',
  access: controlling,
  effect: 'changes',
  input: standing.extend({
    targets: targets.optional(),
    /** Instead of targets, together with `openingPct`: every valve of this device group. */
    groupId: refersTo('device-group', z.number().int().positive()).optional(),
    openingPct: openingPct.optional(),
    reason: z.string().max(200),
    /** How long the commands may wait for their devices, s. */
    validityS: z.number().int().min(10).max(172_800).optional(),
  }),
  output: z.object({
    batchId: z.string(),
    /** The first thousand of them; the log has all by `batchId`. */
    commands: z.array(command).max(1_000),
    batch: commandBatch,
  }),
  errors: [
    'device.not-found',
    'device.retired',
    'device-group.not-found',
    'device.not-controllable',
    'command.outside-limits',
    'command.held',
    'command.total-too-low',
  ],
})

export const previewMqCtlCmd = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/PreviewMqCtlCmd',
  summary:
    'What an order would meet if it were given now: valves that may not be told so and why, holds it would end; nothing is stored.',
  access: controlling,
  effect: 'reads',
  input: standing.extend({ targets }),
  output: orderPreview,
  errors: ['device.not-found'],
})

export const getCtlLog = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/GetCtlLog',
  summary:
    'Commands to the devices below the given nodes, newest first; those of one batch in the order asked for.',
  access: watching,
  effect: 'reads',
  input: z.object({
    nodes: z.array(refersTo('node', nodeKey)).max(2_000).optional(),
    deviceIds: z.array(deviceId).max(1_000).optional(),
    batchId: z.string().max(64).optional(),
    /** Only those in one of these states. */
    states: z.array(commandState).min(1).max(commandState.options.length).optional(),
    from: z.number().int().optional(),
    to: z.number().int().optional(),
    limiter,
  }),
  output: pageOf(command),
  errors: ['node.not-found', 'device.not-found'],
})

export const getCtlLogCmdLast = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/GetCtlLogCmdLast',
  summary: 'Newest command of each of the given devices that has one.',
  access: watching,
  effect: 'reads',
  input: z.object({ deviceIds: z.array(deviceId).min(1).max(1_000) }),
  output: z.object({ datalist: z.array(command) }),
  errors: ['device.not-found'],
})

export const deleteCtlCmd = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/DeleteCtlCmd',
  summary: 'Cancels commands that have not been sent yet.',
  access: controlling,
  effect: 'changes',
  input: z.object({
    ids: z
      .array(refersTo('command', z.string().max(64)))
      .min(1)
      .max(1_000),
  }),
  output: z.object({ commands: z.array(command) }),
  errors: ['command.not-found', 'command.not-cancellable'],
})

export const updateDevLastOpenset = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/ZupdateDevLastOpenset',
  summary:
    'Notes the opening last asked of valves by other means than a command, by hand for instance; commands note it themselves.',
  access: requiresPermission('pe-fmcontrol', 'pd-devdebug', 'pd-fmdevmanager'),
  effect: 'changes',
  input: z.object({
    items: z
      .array(
        z.object({
          deviceId,
          openingPct,
          /** When it was asked; now unless given. An older note than what is known changes nothing. */
          at: instant.optional(),
        }),
      )
      .min(1)
      .max(1_000),
  }),
  output: z.object({
    /** What is noted now of each of the valves. */
    datalist: z.array(
      z.object({ deviceId: z.number().int(), lastOpenSetPct: z.number(), lastOpenSetAt: instant }),
    ),
  }),
  errors: ['device.not-found', 'device.not-controllable'],
})

export const commandsEndpoints = {
  publishMqCtlCmd,
  previewMqCtlCmd,
  getCtlLog,
  getCtlLogCmdLast,
  deleteCtlCmd,
  updateDevLastOpenset,
} as const
