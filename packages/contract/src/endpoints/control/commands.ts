import { z } from 'zod'
import { command, commandBatch, commandPriority, commandState, MAX_TARGETS } from '../../command.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant } from '../../entity.ts'
import { limiter, pageOf } from '../../filter.ts'
import { orderPreview } from '../../order-preview.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'

const watching = requiresPermission('pe-fmreal', 'pe-fmcontrol', 'pe-fmhistory', 'pd-devdebug')
const controlling = requiresPermission('pe-fmcontrol')

const deviceId = refersTo('device', z.number().int().positive())
const openingPct = z.number().min(0).max(100)

const targets = z.array(z.object({ deviceId, openingPct })).min(1).max(MAX_TARGETS)

/** Priority of commands and their hold. */
const orderOptions = z.object({
  /** Default: manual. */
  priority: commandPriority.optional(),
  /** End of the hold, in which commands of a lower priority are refused; at most a year ahead. */
  holdUntil: instant.optional(),
})

export const publishMqCtlCmd = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/PublishMqCtlCmd',
  summary:
    'Sets the opening of given valves, or of all valves of a device group. All commands are stored, or none.',
  access: controlling,
  effect: 'changes',
  input: orderOptions.extend({
    targets: targets.optional(),
    /** Instead of targets, together with `openingPct`: every valve of this device group. */
    groupId: refersTo('device-group', z.number().int().positive()).optional(),
    openingPct: openingPct.optional(),
    reason: z.string().max(200),
    /** How long the commands can wait for their devices, s. */
    validityS: z.number().int().min(10).max(172_800).optional(),
  }),
  output: z.object({
    batchId: z.string(),
    /** The first thousand; the command log has all by `batchId`. */
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
    'Dry run of commands: valves that would be refused and why, and holds that would end. Nothing is stored.',
  access: controlling,
  effect: 'reads',
  input: orderOptions.extend({ targets }),
  output: orderPreview,
  errors: ['device.not-found'],
})

export const getCtlLog = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/GetCtlLog',
  summary:
    'Commands to the devices below the given nodes, newest first; within a batch in the requested order.',
  access: watching,
  effect: 'reads',
  input: z.object({
    nodes: z.array(refersTo('node', nodeKey)).max(2_000).optional(),
    deviceIds: z.array(deviceId).max(1_000).optional(),
    batchId: z.string().max(64).optional(),
    /** Only commands in one of these states. */
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
  summary: 'Newest command of each of the given devices, if it has one.',
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
    'Records the last target opening of valves that was not set by a command, for example by hand. Commands record theirs automatically.',
  access: requiresPermission('pe-fmcontrol', 'pd-devdebug', 'pd-fmdevmanager'),
  effect: 'changes',
  input: z.object({
    items: z
      .array(
        z.object({
          deviceId,
          openingPct,
          /** Time of the request; default now. Ignored if older than the stored time. */
          at: instant.optional(),
        }),
      )
      .min(1)
      .max(1_000),
  }),
  output: z.object({
    /** Stored values of each valve after the call. */
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
