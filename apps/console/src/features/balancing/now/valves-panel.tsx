import { Select } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { SearchInput } from '../../../shared/inputs/search-input.tsx'
import { Panel } from '../../../shared/ui/page-frame.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { applyValveQuery, type BalanceValve, type ValveQuery, valveFilters } from '../indices/valve-query.ts'
import { ValveTable } from './valve-table.tsx'
import styles from './valves.module.css'

interface ValvesPanelProps {
  readonly valves: readonly BalanceValve[]
  readonly query: ValveQuery
  readonly onQuery: (query: Partial<ValveQuery>) => void
  readonly chosen: number | undefined
  readonly onChoose: (deviceId: number) => void
}

/** Valves of the loop with search, filter and sorting. */
export function ValvesPanel({ valves, query, onQuery, chosen, onChoose }: ValvesPanelProps) {
  const { t } = useTranslation('balancing')
  const shown = useMemo(() => applyValveQuery(valves, query), [valves, query])
  return (
    <Panel
      title={`${t('valve.title')} ${shown.length}${shown.length < valves.length ? ` / ${valves.length}` : ''}`}
      extra={
        <span className={styles.filters}>
          <SearchInput
            size="small"
            className={styles.search ?? ''}
            text={query.text}
            onText={(text) => onQuery({ text })}
            label={t('valve.text')}
            testId="balance-search"
          />
          <Select
            size="small"
            className={styles.filter ?? ''}
            aria-label={t('valve.filter.label')}
            data-testid="balance-filter"
            value={query.filter}
            options={valveFilters.map((each) => ({ value: each, label: t(`valve.filter.${each}`) }))}
            onChange={(filter) => onQuery({ filter })}
          />
        </span>
      }
    >
      <div className={styles.table}>
        {shown.length === 0 ? (
          <EmptyState title={t('valve.none')} />
        ) : (
          <ValveTable
            valves={shown}
            sort={query.sort}
            descending={query.descending}
            onSort={(sort, descending) => onQuery({ sort, descending })}
            chosen={chosen}
            onChoose={onChoose}
          />
        )}
      </div>
    </Panel>
  )
}
