import { ClearOutlined } from '@ant-design/icons'
import { Button, Select } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SearchInput } from '../inputs/search-input.tsx'
import { type ListUrl, withFilter } from './list-url.ts'
import type { RecordFilter } from './record-filter.ts'
import styles from './records.module.css'

interface FilterBarProps {
  readonly url: ListUrl
  readonly onUrl: (part: Partial<ListUrl>) => void
  /** Names what the search covers. */
  readonly searchLabel: string
  readonly filters: readonly RecordFilter[]
  /** Filters that are not a choice, such as a time range; they state their values in the address by `withFilter`. */
  readonly controls?: ReactNode
  /** Buttons of the list. */
  readonly children?: ReactNode
}

/** Options above which a filter can be searched. */
const MANY = 12

/** Search, filters and buttons above a list. A change of them unselects records and shows the first page. */
export function FilterBar({ url, onUrl, searchLabel, filters, controls, children }: FilterBarProps) {
  const { t } = useTranslation('common')
  const change = (part: Partial<ListUrl>) => onUrl({ ...part, picked: [], page: 1 })
  const isSet = url.text !== '' || Object.keys(url.filters).length > 0
  return (
    <search className={styles.bar}>
      <SearchInput
        className={styles.search ?? ''}
        text={url.text}
        label={searchLabel}
        testId="record-search"
        onText={(text) => change({ text })}
      />
      {filters.map(({ name, label, options }) => (
        <Select
          key={name}
          allowClear
          className={styles.filter ?? ''}
          aria-label={label}
          placeholder={label}
          showSearch={options.length > MANY && { optionFilterProp: 'label' }}
          data-testid={`filter-${name}`}
          value={url.filters[name] ?? null}
          options={options.map((option) => ({ label: option.label, value: String(option.value) }))}
          onChange={(value) => onUrl(withFilter(url, name, value))}
        />
      ))}
      {controls}
      {isSet && (
        <Button type="text" icon={<ClearOutlined />} onClick={() => change({ text: '', filters: {} })}>
          {t('record.clear')}
        </Button>
      )}
      <span className={styles.buttons}>{children}</span>
    </search>
  )
}
