import type { Alarm } from '@isotherm/contract/alarms/alarms'
import { editAlarm } from '@isotherm/contract/endpoints/monitoring/alarms'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { alarmCountsQuery } from '../../../shared/alarms/alarm-counts.ts'
import { call } from '../../../shared/api/client.ts'
import { useNow } from '../../../shared/format/use-now.ts'
import { usePaused } from '../../../shared/screen/use-paused.ts'
import { useIsMobile } from '../../../shared/screen/use-width.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { alarmsQuery } from '../calls/alarm-queries.ts'
import { useAlarmMutation } from '../calls/use-alarm-mutation.ts'
import { isNarrowed, toAlarmFilter } from '../filter/alarm-filter.ts'
import type { SectionProps } from '../filter/section-props.ts'
import styles from '../parts/alarms.module.css'
import { AlarmCards } from './alarm-cards.tsx'
import { AlarmTable } from './alarm-table.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { CountsStrip } from './counts-strip.tsx'
import { HandleDialog, type HandleScope } from './handle-dialog.tsx'
import { OpenToolbar } from './open-toolbar.tsx'
import { OutsideSelection } from './outside-selection.tsx'
import { sortAlarms } from './sort-alarms.ts'

const AGE_EVERY_S = 10
const noAlarms: readonly Alarm[] = []

/** The open alarms, live, with filters, selection and bulk actions. */
export function OpenSection({ nodes, url, change }: SectionProps) {
  const { t } = useTranslation('alarms')
  const isMobile = useIsMobile()
  const now = useNow(AGE_EVERY_S)
  const text = usePaused(url.text)
  const request = useMemo(() => toAlarmFilter({ ...url, text }), [url, text])
  const counts = useQuery({ ...alarmCountsQuery(nodes), placeholderData: keepPreviousData })
  const list = useQuery({ ...alarmsQuery(nodes, request), placeholderData: keepPreviousData })
  const [scope, setScope] = useState<HandleScope>()
  const acknowledge = useAlarmMutation(({ id, version }: Alarm) =>
    call(editAlarm, { id, version, acknowledge: true }),
  )
  const alarms = list.data?.datalist ?? noAlarms
  const total = list.data?.total ?? 0
  const isWhole = alarms.length >= total
  const { sort, descending } = url
  const shown = useMemo(
    () => (isWhole ? sortAlarms(alarms, sort, descending) : alarms),
    [alarms, sort, descending, isWhole],
  )
  const picked = useMemo(() => {
    const there = new Set(alarms.map(({ id }) => id))
    return url.picked.filter((id) => there.has(id))
  }, [alarms, url.picked])
  const open = useCallback((id: number) => change({ alarm: id }, { push: true }), [change])
  const pick = useCallback((ids: readonly number[]) => change({ picked: ids }), [change])
  const isActionable = alarms.some(({ abilities }) => abilities.length > 0)
  const view = {
    alarms: shown,
    picked,
    now,
    isActionable,
    onOpen: open,
    onPick: pick,
    onAcknowledge: acknowledge.mutate,
  }
  return (
    <>
      <CountsStrip
        counts={counts.data}
        chosen={url.severities}
        onChoose={(severities) => change({ severities, picked: [] })}
      />
      <OpenToolbar url={url} change={change} counts={counts.data} isMobile={isMobile}>
        {isActionable && (
          <BulkBar
            picked={picked.length}
            total={total}
            onUnpick={() => change({ picked: [] })}
            onPicked={() => setScope({ kind: 'picked', ids: picked })}
            onAll={() => setScope({ kind: 'matching', nodes, request })}
          />
        )}
      </OpenToolbar>
      {!isWhole && <p className={styles.hint}>{t('list.partial', { shown: alarms.length, total })}</p>}
      {nodes.length > 0 && list.isSuccess && !list.isPlaceholderData && (
        <OutsideSelection request={request} inside={total} />
      )}
      <Answer query={list}>
        {() =>
          alarms.length === 0 ? (
            isNarrowed(url) ? (
              <EmptyState title={t('list.noMatch')} />
            ) : (
              <EmptyState title={t('list.none')} hint={t('list.noneHint')} />
            )
          ) : isMobile ? (
            <AlarmCards {...view} />
          ) : (
            <AlarmTable
              {...view}
              sort={isWhole ? sort : undefined}
              descending={descending}
              onSort={(next, isDescending) => change({ sort: next, descending: isDescending })}
            />
          )
        }
      </Answer>
      <HandleDialog
        scope={scope}
        onClose={() => setScope(undefined)}
        onDone={() => {
          setScope(undefined)
          change({ picked: [] })
        }}
      />
    </>
  )
}
