import { z } from 'zod'
import { alarm, alarmCounts, alarmLogEntry } from '../../alarms/alarms.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant, version } from '../../entity.ts'
import { filter, limiter, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'
import { managingDevices } from '../devices/device-access.ts'

/** Pages that show alarms. */
export const watchingAlarms = requiresPermission('pr-rtalarm', 'pd-devdebug', ...managingDevices.anyOf)

/**
 * Pages of devices. Acting on alarms requires one of them beside the page of alarms; the service role has only the page of
 * alarms, so it can only read them.
 */
export const handlingAlarms = requiresPermission('pe-fmcontrol', 'pd-devdebug', ...managingDevices.anyOf)

/** Whether these permissions allow acting on alarms: the page of alarms and one of the pages of devices. */
export const mayHandleAlarms = (permissions: ReadonlySet<string>): boolean =>
  permissions.has('pr-rtalarm') && handlingAlarms.anyOf.some((permission) => permissions.has(permission))

const alarmId = refersTo('alarm', z.number().int().positive())
const nodes = z.array(refersTo('node', nodeKey)).max(2_000)
const assignee = z.string().min(1).max(64)
const comment = z.string().max(500)

const common = { backend: 'ht-api', method: 'POST' } as const

/** Selection of alarms. */
const selection = {
  /** Only alarms below these nodes. */
  nodes: nodes.default([]),
  /**
   * Fields: id, kind, severity, state, active, acknowledged, suppressed, suppressedBy, silenced, assignee, comment,
   * raisedAt, clearedAt, deviceId, deviceKind, deviceName, imei, nestaddr, and about: all text fields together, in
   * lower case.
   */
  filter: filter.default([]),
  /** False: also ended alarms. */
  open: z.boolean().default(true),
  /** True: also suppressed alarms. */
  suppressed: z.boolean().default(false),
}
const selectionErrors = ['node.not-found', 'filter.unknown-field', 'filter.bad-pattern'] as const

export const getAlarms = defineEndpoint({
  ...common,
  path: '/Alarm/GetAlarms',
  summary: 'Alarms that match, worst and newest first.',
  access: watchingAlarms,
  effect: 'reads',
  input: z.object({ ...selection, limiter: limiter.default({ page: 1, size: 100 }) }),
  output: pageOf(alarm),
  errors: [...selectionErrors],
})

export const countAlarms = defineEndpoint({
  ...common,
  path: '/Alarm/CountAlarms',
  summary: 'Open alarms below nodes by severity.',
  access: watchingAlarms,
  effect: 'reads',
  input: z.object({ nodes: nodes.default([]) }),
  output: alarmCounts,
  errors: ['node.not-found'],
})

/** Actions on alarms; several can be combined. */
const actions = {
  acknowledge: z.literal(true).optional(),
  /** Closes the alarm manually. If the condition persists, its delay starts again. */
  close: z.literal(true).optional(),
  /** Account of the assignee; null for nobody. */
  assignee: assignee.nullable().optional(),
  comment: comment.optional(),
}

export const editAlarm = defineEndpoint({
  ...common,
  path: '/Alarm/EditAlarm',
  summary: 'Acknowledges, assigns, comments or closes one alarm.',
  access: handlingAlarms,
  effect: 'changes',
  input: z.object({ id: alarmId, version, ...actions }),
  output: alarm,
  errors: ['alarm.not-found', 'alarm.ended', 'account.not-found', 'entity.stale'],
})

export const editAlarms = defineEndpoint({
  ...common,
  path: '/Alarm/EditAlarms',
  summary: 'Acknowledges, assigns, comments or closes every open alarm that matches, all or none.',
  access: handlingAlarms,
  effect: 'changes',
  input: z.object({
    // Required, so that nobody acts on all alarms by omitting it. A node above the caller's grants stands for the granted part below it.
    nodes: z.array(refersTo('node-around', nodeKey)).min(1).max(2_000),
    filter: selection.filter,
    suppressed: selection.suppressed,
    ...actions,
  }),
  /** Number of changed alarms. */
  output: z.object({ affected: z.number().int().nonnegative() }),
  errors: [...selectionErrors, 'account.not-found'],
})

/** Selection of log entries. */
const logSelection = {
  nodes: nodes.default([]),
  alarmId: alarmId.optional(),
  /** Half-open range; by default all. */
  from: instant.optional(),
  to: instant.optional(),
  /**
   * Fields: at, event, account, detail, alarmId, kind, severity, deviceId, deviceKind, deviceName, imei, nestaddr, and
   * about: all text fields together, in lower case.
   */
  filter: filter.default([]),
}
const logErrors = ['alarm.not-found', ...selectionErrors] as const

export const getAlarmLog = defineEndpoint({
  ...common,
  path: '/Alarm/GetAlarmLog',
  summary: 'Events of alarms with their authors, newest first.',
  access: watchingAlarms,
  effect: 'reads',
  input: z.object({ ...logSelection, limiter: limiter.default({ page: 1, size: 100 }) }),
  output: pageOf(alarmLogEntry),
  errors: [...logErrors],
})

export const exportAlarmLog = defineEndpoint({
  ...common,
  path: '/Alarm/ExportAlarmLog',
  summary: 'The result of GetAlarmLog as a workbook or, without limit of length, as csv.',
  access: watchingAlarms,
  effect: 'reads',
  file: 'download',
  input: z.object({ ...logSelection, format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  output: z.null(),
  errors: [...logErrors, 'transfer.too-many-rows', 'request.too-many'],
})

export const alarmsEndpoints = {
  getAlarms,
  countAlarms,
  editAlarm,
  editAlarms,
  getAlarmLog,
  exportAlarmLog,
} as const
