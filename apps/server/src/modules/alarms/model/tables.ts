import type { AlarmKind, AlarmSeverity } from '@isotherm/contract/alarms/alarm-kinds'
import type {
  AlarmBalance,
  AlarmDelivery,
  AlarmEvent,
  AlarmState,
  TargetFault,
} from '@isotherm/contract/alarms/alarms'
import type {
  DutyTimes,
  NoticeChannel,
  NoticeLanguage,
  ReportTimes,
} from '@isotherm/contract/alarms/notice-channels'
import type { DeviceKind } from '@isotherm/contract/devices'
import type { Generated, GeneratedAlways } from 'kysely'

/** One alarm; docs/specs/alarm.md. The version increases with each user action. */
export interface AlarmTable {
  id: GeneratedAlways<number>
  company_id: number
  kind: AlarmKind
  severity: AlarmSeverity
  state: Generated<AlarmState>
  /** Its originator: a device, or a node for an alarm without one. */
  device_id: number | null
  node_id: number | null
  /** `d` or `n` with the id of the originator. */
  originator: GeneratedAlways<string>
  /** Path of the originator when the alarm was raised, for the operation log. */
  path: string
  value: number | null
  /** The strategy or campaign of the alarm, if any. */
  balance: AlarmBalance | null
  rule_id: number | null
  raised_at: Date
  cleared_at: Date | null
  occurrences: Generated<number>
  acknowledged_by: string | null
  acknowledged_at: Date | null
  assignee: string | null
  comment: Generated<string>
  closed_by: string | null
  /** The alarm that suppresses it. */
  suppressed_by: number | null
  /** Last notification of the targets. */
  told: Generated<'nothing' | 'raised' | 'cleared'>
  version: Generated<number>
}

/** Events of alarms, append only. */
export interface AlarmEventTable {
  id: GeneratedAlways<number>
  alarm_id: number
  at: Date
  event: AlarmEvent
  account: string
  detail: string
}

/** Running delays before an alarm is raised or cleared. */
export interface AlarmDelayTable {
  originator: GeneratedAlways<string>
  kind: AlarmKind
  device_id: number | null
  node_id: number | null
  phase: 'raising' | 'clearing'
  since_ms: number
}

/** When alarms of a kind are raised and cleared, for the devices below a node. */
export interface AlarmRuleTable {
  id: GeneratedAlways<number>
  company_id: number
  node_id: number
  kind: AlarmKind
  device_kinds: DeviceKind[]
  enabled: boolean
  severity: AlarmSeverity
  /** Thresholds in the unit of the kind's metric; null for a kind without one. */
  raise_at: number | null
  clear_at: number | null
  /** How long the threshold must be passed. */
  raise_after_s: number
  clear_after_s: number
  /** Days of the year such as `11-15`, both included; null: all year. */
  season_from: string | null
  season_to: string | null
  /** Hours of the local day, from and until; null: all day. */
  hour_from: number | null
  hour_to: number | null
  version: Generated<number>
}

/** A time in which the alarms below a node are not notified. */
export interface AlarmSilenceTable {
  id: GeneratedAlways<number>
  company_id: number
  node_id: number
  from_at: Date
  until_at: Date
  reason: string
  account: string
  ended_at: Date | null
  version: Generated<number>
}

/** Receiver of notifications, with the secret that signs them. */
export interface AlarmTargetTable {
  id: GeneratedAlways<number>
  company_id: number
  node_id: number
  name: string
  /** Its query may contain secrets of the receiver. */
  url: string
  /** The URL without secrets, for users and the operation log. */
  shown_url: string
  /** Increases with each new URL; two URLs may have the same `shown_url`. */
  url_rev: Generated<number>
  channel: Generated<NoticeChannel>
  language: Generated<NoticeLanguage>
  /** Minutes without an acknowledgement before it is notified. */
  after_min: Generated<number>
  duty: DutyTimes | null
  report: ReportTimes | null
  /** Last slot of its reports that is done. */
  reported_at: Date | null
  secret: string
  /** Increases with each new secret. */
  secret_rev: Generated<number>
  severities: AlarmSeverity[]
  kinds: AlarmKind[]
  enabled: boolean
  sent_at: Date | null
  fault: TargetFault | null
  version: Generated<number>
}

/** Notices to targets. The row is also the job that delivers the notice. */
export interface AlarmNoticeTable {
  id: GeneratedAlways<number>
  /** Id of the notice for the receiver. */
  key: string
  target_id: number
  /** null for a report. */
  alarm_id: number | null
  body: string
  state: Generated<AlarmDelivery['state']>
  /** Why the last attempt failed. */
  fault: TargetFault | null
  /** Numbers of an SMS that failed attempts reached. */
  reached: Generated<string[]>
  sent_at: Date | null
  attempts: Generated<number>
  next_at: Date
  created_at: Date
}

declare module '../../../platform/tables.ts' {
  interface Tables {
    alarm: AlarmTable
    alarm_event: AlarmEventTable
    alarm_delay: AlarmDelayTable
    alarm_rule: AlarmRuleTable
    alarm_silence: AlarmSilenceTable
    alarm_target: AlarmTargetTable
    alarm_notice: AlarmNoticeTable
  }
}
