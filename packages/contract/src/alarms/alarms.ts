import { z } from 'zod'
import { balanceKind } from '../balancing/balance-kind.ts'
import { deviceKind } from '../devices.ts'
import { instant, version } from '../entity.ts'
import { nodeKey } from '../tree.ts'
import { alarmKind, alarmSettings, alarmSeverity } from './alarm-kinds.ts'
import { dutyTimes, noticeChannel, noticeLanguage, reportTimes } from './notice-channels.ts'

/**
 * States of an alarm, with the total table in docs/specs/alarm.md. An `ended` alarm is cleared and
 * acknowledged; the next occurrence at its originator is a new alarm.
 */
export const alarmState = z.enum(['active', 'active-acknowledged', 'cleared', 'ended'])
export type AlarmState = z.infer<typeof alarmState>

export const alarmAbility = z.enum(['acknowledge', 'assign', 'comment', 'close'])
export type AlarmAbility = z.infer<typeof alarmAbility>

const count = z.number().int().nonnegative()

/** The balance an alarm is about. */
export const alarmBalance = z.object({
  kind: balanceKind,
  /** The strategy that stopped, or that started the campaign. */
  strategy: z.number().int().positive().optional(),
  /** The campaign that aborted; absent if the strategy stopped for another reason. */
  campaign: z.number().int().positive().optional(),
})
export type AlarmBalance = z.infer<typeof alarmBalance>

/** An alarm of one originator, which is a device or a node. An originator has at most one open alarm of a kind. */
export const alarm = z.object({
  id: z.number().int().positive(),
  kind: alarmKind,
  severity: alarmSeverity,
  state: alarmState,
  /** The originating node, or the node of the originating device. */
  node: nodeKey,
  nestaddr: z.string(),
  /** Absent for an alarm of a node. */
  deviceId: z.number().int().positive().optional(),
  deviceName: z.string().optional(),
  deviceKind: deviceKind.optional(),
  imei: z.string().optional(),
  /** Only for alarms about a strategy or campaign. */
  balance: alarmBalance.optional(),
  /** Measured value at the time it was raised, in the unit of its kind. */
  value: z.number().optional(),
  /** The rule that raised it; absent if it was the default rule, or if the rule was removed. */
  ruleId: z.number().int().positive().optional(),
  raisedAt: instant,
  /** Time of the last clearing; absent while it is active. */
  clearedAt: instant.optional(),
  /** How many times it became active. */
  occurrences: z.number().int().positive(),
  acknowledgedBy: z.string().optional(),
  acknowledgedAt: instant.optional(),
  /** Account of the assignee. */
  assignee: z.string().optional(),
  comment: z.string(),
  /** The alarm that suppresses it: that of its concentrator, or of a node above. */
  suppressedBy: z.number().int().positive().optional(),
  /** Number of open alarms visible to the caller that it suppresses; only in lists. */
  suppresses: count.optional(),
  /** End of the silence of its subtree. */
  silencedUntil: instant.optional(),
  version,
  abilities: z.array(alarmAbility),
})
export type Alarm = z.infer<typeof alarm>

/** Events of an alarm. */
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

/** One entry of the alarm log, which is append-only: entries have no versions. */
export const alarmLogEntry = z.object({
  id: z.number().int().positive(),
  at: instant,
  event: alarmEvent,
  /** Account that caused it; empty for the system. */
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

/** Number of open alarms by severity, without suppressed and silenced ones. */
export const alarmCounts = z.object({
  bySeverity: z.array(
    z.object({ severity: alarmSeverity, active: count, unacknowledged: count, total: count }),
  ),
  suppressed: count,
  silenced: count,
})
export type AlarmCounts = z.infer<typeof alarmCounts>

const editAbility = z.enum(['edit', 'remove'])

/** States when a kind of alarm is raised below a node. The rule closest to a device applies to it. */
export const alarmRule = z.object({
  id: z.number().int().positive(),
  kind: alarmKind,
  node: nodeKey,
  nestaddr: z.string(),
  /** Kinds of device it applies to; empty for all kinds that can have the alarm. */
  deviceKinds: z.array(deviceKind),
  ...alarmSettings.shape,
  version,
  abilities: z.array(editAbility),
})
export type AlarmRule = z.infer<typeof alarmRule>

/** Stops the notifications of a subtree until an instant. Alarms are still raised and stored. */
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

/** Why a message did not arrive. `status`: the receiver answered with a status other than 2xx. */
export const targetFault = z.union([
  z.enum([
    'refused',
    'unreachable',
    'timed out',
    'unknown name',
    'untrusted certificate',
    'no answer',
    'address not allowed',
    'not configured',
  ]),
  z.templateLiteral(['status ', z.number().int()]),
  /** The receiver accepted the call and refused the message with a code of its own. */
  z.templateLiteral(['code ', z.number().int()]),
])
export type TargetFault = z.infer<typeof targetFault>

/** A receiver of the alarms below a node. Its secret is never shown. */
export const alarmTarget = z.object({
  id: z.number().int().positive(),
  name: z.string(),
  channel: noticeChannel,
  language: noticeLanguage,
  /** Minutes without an acknowledgement before it is notified; 0: at once. */
  afterMin: z.number().int(),
  /** Absent: always on duty. */
  duty: dutyTimes.optional(),
  /** Absent: no reports. */
  report: reportTimes.optional(),
  /** Each value of its query is replaced by `***`, because receivers put secrets there. */
  url: z.string(),
  node: nodeKey,
  nestaddr: z.string(),
  /** Empty for all. */
  severities: z.array(alarmSeverity),
  kinds: z.array(alarmKind),
  enabled: z.boolean(),
  /** Number of waiting messages, and of messages that failed in every attempt. */
  waiting: count,
  givenUp: count,
  /** Time of the last delivered message. */
  sentAt: instant.optional(),
  /** Why the last attempt failed; absent if it succeeded. */
  fault: targetFault.optional(),
  version,
  abilities: z.array(editAbility),
})
export type AlarmTarget = z.infer<typeof alarmTarget>

/** One message to a target, and its outcome. */
export const alarmDelivery = z.object({
  id: z.number().int().positive(),
  at: instant,
  event: z.enum(['raised', 'cleared', 'report']),
  /** Absent for a report. */
  alarmId: z.number().int().positive().optional(),
  kind: alarmKind.optional(),
  severity: alarmSeverity.optional(),
  /** Place of the alarm, or of the report. */
  nestaddr: z.string(),
  /** `not-needed`: the alarm was acknowledged or ended before it escalated to this target. */
  state: z.enum(['waiting', 'sent', 'given-up', 'not-needed']),
  attempts: count,
  /** Next attempt of a waiting message. */
  nextAt: instant.optional(),
  sentAt: instant.optional(),
  /** Why the last attempt failed. */
  fault: targetFault.optional(),
})
export type AlarmDelivery = z.infer<typeof alarmDelivery>

/** Body of the POST to a target. `id` identifies the message: a repeated delivery has the same `id`. */
export const alarmNotice = z.object({
  v: z.literal(1),
  id: z.string(),
  event: z.enum(['raised', 'cleared']),
  /** Time the message was created. */
  at: instant,
  alarm: alarm
    .omit({
      abilities: true,
      version: true,
      suppressedBy: true,
      suppresses: true,
      silencedUntil: true,
      comment: true,
    })
    .extend({ company: z.string() }),
})
export type AlarmNotice = z.infer<typeof alarmNotice>

/** Numbers by figure of a report (packages/contract/src/statistics/reports.ts); a figure that is not known is absent. */
const reportFigures = z.record(z.string(), z.number())

/** Body of the POST of a report: figures of a part of the network, and its alarms. */
export const alarmReportNotice = z.object({
  v: z.literal(1),
  id: z.string(),
  event: z.literal('report'),
  at: instant,
  company: z.string(),
  every: z.enum(['day', 'week']),
  nestaddr: z.string(),
  /** First and last day of the figures, in the plant's zone. */
  from: z.iso.date(),
  to: z.iso.date(),
  reports: z.array(
    z.object({
      report: z.string(),
      figures: reportFigures,
      /** Figures of as many days before. */
      before: reportFigures,
      /** Devices that contribute, and all that could. */
      measured: count,
      devices: count,
    }),
  ),
  alarms: z.object({
    /** Alarms that started in the last day or seven days, by severity. */
    raised: z.partialRecord(alarmSeverity, count),
    /** Alarms that have not ended. */
    open: count,
  }),
})
export type AlarmReportNotice = z.infer<typeof alarmReportNotice>

/** Body of the POST of a test. A receiver answers it like a notice, without forwarding an alarm. */
export const alarmTestNotice = z.object({
  v: z.literal(1),
  id: z.string(),
  event: z.literal('test'),
  at: instant,
  company: z.string(),
})
export type AlarmTestNotice = z.infer<typeof alarmTestNotice>

/** Time of sending, and the duration until it arrived or failed. */
const tested = { at: instant, tookMs: count }

/** Result of a test of a target: the receiver's answer, or why the message did not arrive. */
export const targetTest = z.union([
  z.object({ ...tested, status: z.number().int() }),
  z.object({ ...tested, fault: targetFault }),
])
export type TargetTest = z.infer<typeof targetTest>

/** Header of a notice and of a test: `t=<Unix s>,v1=<hex HMAC-SHA256 of "{t}.{body}" with the target's secret>`. */
export const SIGNATURE_HEADER = 'X-Isotherm-Signature'
