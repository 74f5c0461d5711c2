import { type MeterRow, meterLevel } from '@isotherm/contract/endpoints/monitoring/meters'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../shared/format/use-format.ts'
import { DateInput } from '../../shared/inputs/date-input.tsx'
import { useSelectedNodes } from '../../shared/nodes/tree-selection.ts'
import { withFilter } from '../../shared/records/list-url.ts'
import { RecordList } from '../../shared/records/record-list.tsx'
import { usePaused } from '../../shared/screen/use-paused.ts'
import { SelectionGone } from '../../shared/ui/selection-gone.tsx'
import { usePageUrl } from '../../shared/url/use-page-url.ts'
import { BillButton } from './bill-button.tsx'
import { heatUnits, toHeatUnit } from './heat-unit.ts'
import { useMeterColumns } from './meter-columns.tsx'
import { MeterDrawer } from './meter-drawer.tsx'
import { findDates, meterAddress, meterRowsQuery, PAGE_ROWS, toCourseLevel, toLevel } from './meter-query.ts'
import styles from './meters.module.css'
import { useLiveMeters } from './use-live-meters.ts'

const nothing: readonly never[] = []
const toKey = ({ node }: MeterRow): string => node
const toName = ({ name }: MeterRow): string => name

/** Heat statistics: meters by place with their consumption, losses and bills. */
export default function CaldataPage() {
  const { t } = useTranslation('meters')
  const format = useFormat()
  const nodes = useSelectedNodes()
  const [url, change] = usePageUrl(meterAddress.parse, meterAddress.toSearch)
  const text = usePaused(url.text).trim()
  const chosen = findDates(url)
  const answer = useQuery({
    ...meterRowsQuery(nodes ?? nothing, text, url),
    enabled: nodes !== undefined && chosen !== undefined,
  })
  const { error, dataUpdatedAt, refetch } = answer
  const data = useLiveMeters(answer.data)
  const unit = toHeatUnit(url.filters.unit)
  const level = toLevel(url)
  const columns = useMeterColumns({ unit, isAbove: level !== 'household', degreeDays: data?.degreeDays })
  if (nodes === undefined) return <SelectionGone />
  const dates = data && { from: data.from, to: data.to }
  const dateField = (name: 'from' | 'to') => (
    <DateInput
      aria-label={t(name)}
      aria-invalid={chosen === undefined}
      data-testid={`meter-${name}`}
      value={url.filters[name] ?? data?.[name] ?? ''}
      onValue={(day) => change(withFilter(url, name, day))}
    />
  )
  return (
    <>
      <RecordList<MeterRow>
        name="heat-statistics"
        query={{ data, error, dataUpdatedAt, refetch }}
        pageSize={PAGE_ROWS}
        isServerSorted
        toKey={toKey}
        toName={toName}
        columns={columns}
        searchLabel={t('search')}
        filters={[
          {
            name: 'level',
            label: `${t('level.label')}: ${t(`level.${level}`)}`,
            options: meterLevel.options.map((value) => ({ value, label: t(`level.${value}`) })),
          },
          {
            name: 'unit',
            label: `${t('unit')}: ${unit}`,
            options: heatUnits.map((value) => ({ value, label: value })),
          },
        ]}
        controls={
          <span className={styles.dates}>
            {dateField('from')}–{dateField('to')}
            {chosen === undefined && (
              <small className={styles.wrong} role="alert">
                {t('wrongDates')}
              </small>
            )}
            {data && (
              <small className={styles.none} title={t('summary.formula')} data-testid="meter-weather">
                {data.degreeDays === undefined
                  ? t('summary.noWeather')
                  : t('summary.degreeDays', { value: format.number(data.degreeDays, 1) })}
              </small>
            )}
          </span>
        }
        url={url}
        onUrl={change}
        actions={<BillButton nodes={nodes} dates={chosen && dates} unit={unit} />}
      />
      {dates && (
        <MeterDrawer
          row={data.datalist.find(({ node }) => node === url.open)}
          unit={unit}
          level={toCourseLevel(url)}
          dates={dates}
          onLevel={(by) => change({ filters: { ...url.filters, by } })}
          onClose={() => change({ open: undefined })}
        />
      )}
    </>
  )
}
