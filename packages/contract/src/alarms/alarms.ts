import { z } from 'zod'
import { balanceKind } from '../balancing/balance-kind.ts'
import { deviceKind } from '../devices.ts'
import { instant, version } from '../entity.ts'
import { nodeKey } from '../tree.ts'
import { alarmKind, alarmSettings, alarmSeverity } from './alarm-kinds.ts'

/**
 * States of an alarm, with the total table in docs/specs/alarm.md. `ended` is cleared and acknowledged: the alarm
 * is history, and the next of its kind at its originator is another.
 */
export const alarmState = z.enum(['active', 'active-acknowledged', 'cleared', 'ended'])
export type AlarmState = z.infer<typeof alarmState>

export const alarmAbility = z.enum(['acknowledge', 'assign', 'comment', 'close'])
export type AlarmAbility = z.infer<typeof alarmAbility>

const count = z.number().int().nonnegative()

/** The balance an alarm is about. */
export const alarmBalance = z.object({
  kind: balanceKind,
  /** The strategy that halted, or that began the campaign. */
  strategy: z.number().int().positive().optional(),
  /** The campaign that aborted; absent where a strategy halted for another reason. */
  campaign: z.number().int().positive().optional(),
})
export type AlarmBalance = z.infer<typeof alarmBalance>

/** One alarm of one originator, a device or a node. Not more than one of a kind is open there. */
export const alarm = z.object({
  id: z.number().int().positive(),
  kind: alarmKind,
  severity: alarmSeverity,
  state: alarmState,
  /** The node it is about, or its device stands on. */
  node: nodeKey,
  nestaddr: z.string(),
  /** Absent for an alarm of a node. */
  deviceId: z.number().int().positive().optional(),
  deviceName: z.string().optional(),
  deviceKind: deviceKind.optional(),
  imei: z.string().optional(),
  /** Absent for an alarm of what is measured. */
  balance: alarmBalance.optional(),
  /** What was measured when it was raised, in the unit of its kind. */
  value: z.number().optional(),
  /** The rule that raised it; absent when that was the kind's standard or is gone. */
  ruleId: z.number().int().positive().optional(),
  raisedAt: instant,
  /** When it was cleared last; absent while it is active. */
  clearedAt: instant.optional(),
  /** How often it became active. */
  occurrences: z.number().int().positive(),
  acknowledgedBy: z.string().optional(),
  acknowledgedAt: instant.optional(),
  /** Account of who looks after it. */
  assignee: z.string().optional(),
  comment: z.string(),
  /** The alarm behind which it is kept: that of its concentrator, or of a node above. */
  suppressedBy: z.number().int().positive().optional(),
  /** How many open alarms the caller may see are kept behind it; lists alone tell. */
  keptBehind: count.optional(),
  /** Until when its subtree is silenced. */
  silencedUntil: instant.optional(),
  version,
  abilities: z.array(alarmAbility),
})
export type Alarm = z.infer<typeof alarm>

/** What happened to an alarm. */
export const alarmEvent = z.enum([
  'raised',
  'returned',
  'cleared',
  'acknowledged',
  'closed',
  'assigned',
  'commented',
  'suppressed',
  'released',
  'withdrawn',
])
export type AlarmEvent = z.infer<typeof alarmEvent>

/** One line of the alarm log. It is only added to: entries have no versions. */
export const alarmLogEntry = z.object({
  id: z.number().int().positive(),
  at: instant,
  event: alarmEvent,
  /** Who did it; empty for the system. */
  account: z.string(),
  detail: z.string(),
  alarmId: z.number().int().positive(),
  kind: alarmKind,
  severity: alarmSeverity,
  node: nodeKey,
  nestaddr: z.string(),
  deviceId: z.number().int().positive().optional(),
  deviceName: z.string().optional(),
})
export type AlarmLogEntry = z.infer<typeof alarmLogEntry>

/** Open alarms that are shown, neither suppressed nor silenced, by severity. */
export const alarmCounts = z.object({
  bySeverity: z.array(
    z.object({ severity: alarmSeverity, active: count, unacknowledged: count, total: count }),
  ),
  suppressed: count,
  silenced: count,
})
export type AlarmCounts = z.infer<typeof alarmCounts>

const editAbility = z.enum(['edit', 'remove'])

/** Says when a kind of alarm is raised below a node. The rule nearest to a device holds for it. */
export const alarmRule = z.object({
  id: z.number().int().positive(),
  kind: alarmKind,
  node: nodeKey,
  nestaddr: z.string(),
  /** Only for these kinds of device; empty for all that can have it. */
  deviceKinds: z.array(deviceKind),
  ...alarmSettings.shape,
  version,
  abilities: z.array(editAbility),
})
export type AlarmRule = z.infer<typeof alarmRule>

/** A subtree of which nothing is notified until an instant; its alarms are kept. */
export const alarmSilence = z.object({
  id: z.number().int().positive(),
  node: nodeKey,
  nestaddr: z.string(),
  from: instant,
  until: instant,
  reason: z.string(),
  account: z.string(),
  version,
  abilities: z.array(z.enum(['end'])),
})
export type AlarmSilence = z.infer<typeof alarmSilence>

/** Why a message did not arrive; a receiver that answered something else than 2xx by its status. */
export const targetFault = z.union([
  z.enum([
    'refused',
    'unreachable',
    'timed out',
    'unknown name',
    'untrusted certificate',
    'no answer',
    'address not allowed',
  ]),
  z.templateLiteral(['status ', z.number().int()]),
])
export type TargetFault = z.infer<typeof targetFault>

/** An address that is told of alarms below a node by a signed POST. Its secret is never shown. */
export const alarmTarget = z.object({
  id: z.number().int().positive(),
  name: z.string(),
  /** `***` stands for each value of its query, where receivers have secrets. */
  url: z.string(),
  node: nodeKey,
  nestaddr: z.string(),
  /** Only these; empty for all. */
  severities: z.array(alarmSeverity),
  kinds: z.array(alarmKind),
  enabled: z.boolean(),
  /** Messages that wait, and those that were given up after every attempt had failed. */
  waiting: count,
  givenUp: count,
  /** When a message arrived last. */
  sentAt: instant.optional(),
  /** Why the newest attempt failed; absent when it did not. */
  fault: targetFault.optional(),
  version,
  abilities: z.array(editAbility),
})
export type AlarmTarget = z.infer<typeof alarmTarget>

/** Body of the POST to a target. `id` names the message: one that comes again says the same. */
export const alarmNotice = z.object({
  v: z.literal(1),
  id: z.string(),
  event: z.enum(['raised', 'cleared']),
  /** When the message was made. */
  at: instant,
  alarm: alarm
    .omit({
      abilities: true,
      version: true,
      suppressedBy: true,
      keptBehind: true,
      silencedUntil: true,
      comment: true,
    })
    .extend({ company: z.string() }),
})
export type AlarmNotice = z.infer<typeof alarmNotice>

/** Body of the POST of a test: a receiver answers it as it answers a notice, and tells nobody of an alarm. */
export const alarmTestNotice = z.object({
  v: z.literal(1),
  id: z.string(),
  event: z.literal('test'),
  at: instant,
  company: z.string(),
})
export type AlarmTestNotice = z.infer<typeof alarmTestNotice>

/** When it was sent, and how long it took to arrive or to fail. */
const tested = { at: instant, tookMs: count }

/** How a test of a target went: what the receiver that took it in answered, or why it did not arrive. */
export const targetTest = z.union([
  z.object({ ...tested, status: z.number().int() }),
  z.object({ ...tested, fault: targetFault }),
])
export type TargetTest = z.infer<typeof targetTest>

/** Header of a notice and of a test: `t=<Unix s>,v1=<hex HMAC-SHA256 of "{t}.{body}" with the target's secret>`. */
export const SIGNATURE_HEADER = 'X-Isotherm-Signature'
