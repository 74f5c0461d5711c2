import { getRoomCompliance, type RoomCompliance } from '@isotherm/contract/endpoints/monitoring/rooms'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { listAll } from '../../../shared/api/list-all.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { DateInput } from '../../../shared/inputs/date-input.tsx'
import { useSelectedNodes } from '../../../shared/nodes/tree-selection.ts'
import { createListUrl } from '../../../shared/records/list-url.ts'
import { RecordList } from '../../../shared/records/record-list.tsx'
import { usePaused } from '../../../shared/screen/use-paused.ts'
import { findKnown } from '../../../shared/url/url-words.ts'
import { RulesButton } from '../rules/rules-button.tsx'
import { usePartUrl } from '../use-part-url.ts'
import { useComplianceColumns } from './compliance-columns.tsx'
import styles from './control.module.css'

const sorts = ['degreeHours', 'refund', 'mean'] as const
const address = createListUrl({ filters: ['section', 'from', 'to'], sorts })
const PAGE_ROWS = 100
const nothing: readonly never[] = []
const isDate = (text: string | undefined): text is string => /^\d{4}-\d{2}-\d{2}$/.test(text ?? '')

/** How rooms followed the rules over local days: hours below the limit, degree-hours and refund exposure. */
export default function Compliance() {
  const { t } = useTranslation('rooms')
  const format = useFormat()
  const nodes = useSelectedNodes() ?? nothing
  const { url, onUrl, setFilter } = usePartUrl(address, 'compliance')
  const text = usePaused(url.text).trim()
  const { from, to } = url.filters
  const isWrong = isDate(from) && isDate(to) && to < from
  const input = {
    nodes: [...nodes],
    text,
    ...(isDate(from) ? { from } : {}),
    ...(isDate(to) ? { to } : {}),
    sort: findKnown(url.sort ?? '', sorts) ?? 'degreeHours',
    descending: url.sort === undefined || url.descending,
    limiter: { page: url.page, size: PAGE_ROWS },
  }
  const query = useQuery({
    queryKey: ['rooms', 'compliance', input],
    queryFn: ({ signal }) => call(getRoomCompliance, input, { signal }),
    placeholderData: keepPreviousData,
    enabled: !isWrong,
  })
  const { data } = query
  const columns = useComplianceColumns()
  const sums = data?.sums
  const percent = (part: number, whole: number) =>
    format.number(whole === 0 ? undefined : (part / whole) * 100, 1)
  const dateField = (name: 'from' | 'to') => (
    <DateInput
      aria-label={t(`compliance.${name}`)}
      aria-invalid={isWrong}
      value={url.filters[name] ?? data?.[name] ?? ''}
      onValue={(day) => setFilter(name, day)}
    />
  )
  return (
    <RecordList<RoomCompliance>
      name="room-compliance"
      query={query}
      pageSize={PAGE_ROWS}
      isServerSorted
      toKey={({ device }) => String(device.id)}
      toName={({ device }) => device.name}
      columns={columns}
      searchLabel={t('search')}
      controls={
        <>
          <span className={styles.dates}>
            {dateField('from')}–{dateField('to')}
            {isWrong && (
              <small className={styles.wrong} role="alert">
                {t('compliance.wrongDates')}
              </small>
            )}
          </span>
          {sums && (
            <p className={styles.sums} data-testid="compliance-sums">
              <span title={t('compliance.shareTitle')}>
                {t(data.otherRules > 0 ? 'compliance.shareOwn' : 'compliance.share', {
                  share: percent(sums.hours - sums.coldHours, sums.hours),
                  coldC: data.rules.coldC,
                })}
              </span>
              <span title={t('compliance.degreeTitle')}>
                {t('compliance.degrees', { value: format.number(sums.degreeHours, 0) })}
              </span>
              <strong>
                {t('compliance.refund', {
                  rooms: format.number(sums.roomsWithRefund, 0),
                  days: format.number(sums.refundDays, 1),
                  yuan: format.number(sums.refundYuan, 2),
                })}
              </strong>
              {sums.unpriced > 0 && <span>{t('compliance.unpriced', { count: sums.unpriced })}</span>}
              <span>
                {data.nodeName === undefined ? t('rules.default') : t('rules.of', { name: data.nodeName })}
              </span>
              {data.otherRules > 0 && <span>{t('rules.others', { count: data.otherRules })}</span>}
            </p>
          )}
        </>
      }
      loadAll={async () => {
        // A later page of the same range; the range is fixed so that midnight does not move it.
        const range = data ? { from: data.from, to: data.to } : {}
        return listAll(
          (limiter) => call(getRoomCompliance, { ...input, ...range, limiter }),
          ({ device }) => device.id,
        )
      }}
      emptyHint={t('compliance.emptyHint')}
      actions={<RulesButton />}
      url={url}
      onUrl={(part, options) => onUrl({ ...part, open: undefined }, options)}
    />
  )
}
