import { type AlarmLogEntry, alarmEvent } from '@isotherm/contract/alarms/alarms'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Pagination, Select, type TableColumnsType } from 'antd'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { SeverityBadge } from '../../../shared/alarms/severity-badge.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { usePaused } from '../../../shared/screen/use-paused.ts'
import { useIsMobile } from '../../../shared/screen/use-width.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { DenseTable } from '../../../shared/ui/dense-table.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { LOG_PAGE_SIZE, type LogRequest, logQuery } from '../calls/alarm-queries.ts'
import { toLogFilter } from '../filter/alarm-filter.ts'
import { KindSelect } from '../filter/kind-select.tsx'
import { SearchField } from '../filter/search-field.tsx'
import type { SectionProps } from '../filter/section-props.ts'
import { AlarmPlace } from '../parts/alarm-parts.tsx'
import styles from '../parts/alarms.module.css'
import { ExportButton } from './export-button.tsx'
import { LogCards } from './log-cards.tsx'
import { toDetailText } from './log-detail.ts'
import { LogRangePicker } from './log-range-picker.tsx'

const WIDTH_PX = 1_060

/** The log of all alarms, including ended ones, with an export. */
export function LogSection({ nodes, url, change }: SectionProps) {
  const { t } = useTranslation('alarms')
  const text = usePaused(url.text)
  const request: LogRequest = useMemo(
    () => ({ nodes, filter: toLogFilter({ ...url, text }), range: url.range }),
    [nodes, url, text],
  )
  const log = useQuery({ ...logQuery(request, url.page), placeholderData: keepPreviousData })
  const open = useCallback((alarm: number) => change({ alarm }, { push: true }), [change])
  const columns = useLogColumns(open)
  const isMobile = useIsMobile()
  return (
    <>
      <div className={styles.toolbar}>
        <LogRangePicker range={url.range} onRange={(range) => change({ range, page: 1 })} />
        <SearchField text={url.text} onText={(next) => change({ text: next, page: 1 })} />
        <KindSelect kinds={url.kinds} onKinds={(kinds) => change({ kinds, page: 1 })} />
        <Select
          className={styles.kinds ?? ''}
          mode="multiple"
          allowClear
          maxTagCount="responsive"
          placeholder={t('filter.event')}
          aria-label={t('filter.event')}
          value={[...url.events]}
          options={alarmEvent.options.map((value) => ({ value, label: t(`event.${value}`) }))}
          onChange={(events) => change({ events, page: 1 })}
        />
        <ExportButton request={request} />
      </div>
      <Answer query={log}>
        {(data) =>
          data.total === 0 ? (
            <EmptyState title={t('log.none')} hint={t('log.noneHint')} />
          ) : (
            <>
              {isMobile ? (
                <LogCards entries={data.datalist} onOpen={open} />
              ) : (
                <DenseTable<AlarmLogEntry>
                  rowKey="id"
                  widthPx={WIDTH_PX}
                  columns={columns}
                  dataSource={data.datalist}
                  data-testid="alarm-log"
                  onRow={({ alarmId }) => ({ onClick: () => open(alarmId), className: styles.row ?? '' })}
                />
              )}
              <Pagination
                size="small"
                current={url.page}
                pageSize={LOG_PAGE_SIZE}
                total={data.total}
                showSizeChanger={false}
                showTotal={(total) => t('log.total', { total })}
                onChange={(page) => change({ page })}
              />
            </>
          )
        }
      </Answer>
    </>
  )
}

function useLogColumns(onOpen: (alarmId: number) => void): TableColumnsType<AlarmLogEntry> {
  const { t } = useTranslation('alarms')
  const format = useFormat()
  return useMemo(
    () => [
      {
        title: t('column.time'),
        key: 'time',
        width: 160,
        render: (_, { at }) => format.instant(at),
      },
      {
        title: t('column.event'),
        key: 'event',
        width: 120,
        render: (_, { event }) => <strong>{t(`event.${event}`)}</strong>,
      },
      {
        title: t('column.kind'),
        key: 'kind',
        width: 200,
        render: (_, { kind, alarmId }) => (
          <button
            type="button"
            className={`bare ${styles.link}`}
            onClick={(event) => {
              event.stopPropagation()
              onOpen(alarmId)
            }}
          >
            {t(`kind.${kind}`)}
          </button>
        ),
      },
      {
        title: t('column.severity'),
        key: 'severity',
        width: 92,
        render: (_, { severity }) => <SeverityBadge severity={severity} />,
      },
      {
        title: t('column.place'),
        key: 'place',
        width: 240,
        render: (_, entry) => <AlarmPlace {...entry} whole />,
      },
      {
        title: t('column.account'),
        key: 'account',
        width: 108,
        ellipsis: true,
        render: (_, { account }) => account || <span className={styles.meta}>{t('log.system')}</span>,
      },
      {
        title: t('column.detail'),
        key: 'detail',
        width: 140,
        ellipsis: true,
        render: (_, entry) => toDetailText(entry, format),
      },
    ],
    [t, format, onOpen],
  )
}
