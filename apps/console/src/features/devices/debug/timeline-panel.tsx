import { useQuery } from '@tanstack/react-query'
import { Checkbox } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEvidenceText } from '../../../shared/devices/use-evidence-text.ts'
import { toChangeText } from '../../../shared/format/target-text.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { ChangeValues } from '../../../shared/records/change-values.tsx'
import { Answer } from '../../../shared/ui/answer.tsx'
import { CommandBadge } from '../../../shared/ui/command-badge.tsx'
import { EventLine, EventList } from '../../../shared/ui/event-list.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import styles from './debug.module.css'
import type { RangeKey } from './debug-url.ts'
import { type DeviceEvent, type EventKind, timelineQuery } from './timeline-query.ts'

const kinds = ['command', 'alarm', 'finding', 'change'] as const satisfies readonly EventKind[]
/** Poll period, ms: the progress of a command is watched here. */
const POLL_MS = 5_000

interface TimelinePanelProps {
  readonly deviceId: number
  readonly range: RangeKey
}

/** What happened to a device, newest first: commands, alarms, findings and changes, with their authors. */
export function TimelinePanel({ deviceId, range }: TimelinePanelProps) {
  const { t } = useTranslation('devices')
  const [shown, setShown] = useState<readonly EventKind[]>(kinds)
  const query = useQuery({ ...timelineQuery(deviceId, range), refetchInterval: POLL_MS })
  return (
    <>
      <Checkbox.Group<EventKind>
        className={styles.line ?? ''}
        value={[...shown]}
        options={kinds.map((value) => ({ value, label: t(`debug.event.${value}`) }))}
        onChange={setShown}
      />
      <Answer query={query}>
        {(events) => {
          const visible = events.filter(({ kind }) => shown.includes(kind))
          return visible.length === 0 ? (
            <EmptyState title={t('debug.noEvents')} />
          ) : (
            <EventList testId="timeline">
              {visible.map((event) => (
                <EventItem key={toKey(event)} event={event} />
              ))}
            </EventList>
          )
        }}
      </Answer>
    </>
  )
}

function toKey(event: DeviceEvent): string {
  if (event.kind === 'command') return event.command.id
  if (event.kind === 'alarm') return `alarm-${event.entry.id}`
  if (event.kind === 'finding') return `finding-${event.finding.id}`
  return `change-${event.change.operationId}`
}

function EventItem({ event }: { readonly event: DeviceEvent }) {
  const { t } = useTranslation(['devices', 'common'])
  const format = useFormat()
  const toEvidence = useEvidenceText()
  const { at, kind } = event
  const name = t(`debug.event.${kind}`)
  if (kind === 'command') {
    const { actor, reason } = event.command
    return (
      <EventLine at={at} name={name} by={[actor, format.reason(reason)].filter(Boolean).join(' · ')}>
        <span className="num">{toChangeText(format, event.command)}</span>
        <CommandBadge {...event.command} />
      </EventLine>
    )
  }
  if (kind === 'alarm') {
    const { entry } = event
    return (
      <EventLine at={at} name={name} by={entry.account} tone={entry.event === 'raised' ? 'alarm' : undefined}>
        <span>{`${t(`alarm.${entry.kind}`)} · ${t(`alarmEvent.${entry.event}`)}`}</span>
        {entry.detail !== '' && <span>{entry.detail}</span>}
      </EventLine>
    )
  }
  if (kind === 'finding') {
    const { rule, until, detail } = event.finding
    return (
      <EventLine at={at} name={name} by="">
        <span>{t(`device.finding.rule.${rule}`, { ns: 'common' })}</span>
        <span>{toEvidence(detail)}</span>
        <span>
          {until === undefined ? t('debug.ongoing') : t('debug.ended', { instant: format.instant(until) })}
        </span>
      </EventLine>
    )
  }
  const { change } = event
  return (
    <EventLine at={at} name={name} by={change.account}>
      <span>{t(`record.action.${change.action}`, { ns: 'common' })}</span>
      <ChangeValues before={change.before} after={change.after} />
    </EventLine>
  )
}
