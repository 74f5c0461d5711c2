import type { AlarmKind, AlarmSeverity } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmBalance, AlarmEvent, AlarmState, TargetFault } from '@isotherm/contract/alarms/alarms'
import type { DeviceKind } from '@isotherm/contract/devices'
import type { Generated, GeneratedAlways } from 'kysely'

/** One alarm; docs/specs/alarm.md. Its version counts what people did. */
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
  /** Where the originator stood when it was raised: what the operation log shows it by. */
  path: string
  value: number | null
  /** The strategy or campaign it is about, if it is about one. */
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
  /** The alarm behind which it is kept. */
  suppressed_by: number | null
  /** What targets were told last. */
  told: Generated<'nothing' | 'raised' | 'cleared'>
  version: Generated<number>
}

/** What happened to alarms; rows are added only. */
export interface AlarmEventTable {
  id: GeneratedAlways<number>
  alarm_id: number
  at: Date
  event: AlarmEvent
  account: string
  detail: string
}

/** Delays that run: what would be raised or cleared, and since when. */
export interface AlarmDelayTable {
  originator: GeneratedAlways<string>
  kind: AlarmKind
  device_id: number | null
  node_id: number | null
  phase: 'raising' | 'clearing'
  since_ms: number
}

export interface AlarmRuleTable {
  id: GeneratedAlways<number>
  company_id: number
  node_id: number
  kind: AlarmKind
  device_kinds: DeviceKind[]
  enabled: boolean
  severity: AlarmSeverity
  raise_at: number | null
  clear_at: number | null
  raise_after_s: number
  clear_after_s: number
  season_from: string | null
  season_to: string | null
  hour_from: number | null
  hour_to: number | null
  version: Generated<number>
}

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

/** Who is told, and with which secret its messages are signed. */
export interface AlarmTargetTable {
  id: GeneratedAlways<number>
  company_id: number
  node_id: number
  name: string
  /** Its query may hold secrets of the receiver's. */
  url: string
  /** What is shown of it, and kept in the operation log. */
  shown_url: string
  /** Rises with each new URL, of which the same may be shown. */
  url_rev: Generated<number>
  secret: string
  /** Rises with each new secret. */
  secret_rev: Generated<number>
  severities: AlarmSeverity[]
  kinds: AlarmKind[]
  enabled: boolean
  sent_at: Date | null
  fault: TargetFault | null
  version: Generated<number>
}

/** Messages to targets until they have arrived or were given up: their own durable jobs. */
export interface AlarmNoticeTable {
  id: GeneratedAlways<number>
  /** Names the message to who receives it. */
  key: string
  target_id: number
  alarm_id: number
  body: string
  state: Generated<'waiting' | 'sent' | 'given-up'>
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
