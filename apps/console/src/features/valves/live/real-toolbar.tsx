import { ControlOutlined, SettingOutlined } from '@ant-design/icons'
import { Button, Checkbox, Popover, Segmented, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { SearchInput } from '../../../shared/inputs/search-input.tsx'
import { columns, rowFilters, sortKeys } from '../rows/row-query.ts'
import styles from './real.module.css'
import { type RealUrl, type RealView, realViews } from './real-url.ts'

interface RealToolbarProps {
  readonly url: RealUrl
  readonly change: (change: Partial<RealUrl>, options?: { readonly push?: boolean }) => void
  readonly controllable: boolean
  readonly view: RealView
}

/** Filters, view, columns, and the actions on selected rows. */
export function RealToolbar({ url, change, controllable, view }: RealToolbarProps) {
  const { t } = useTranslation('valves')
  const { selected } = url
  return (
    <div className={styles.toolbar}>
      <SearchInput
        className={styles.search ?? ''}
        text={url.text}
        onText={(text) => change({ text })}
        label={t('filter.text')}
        testId="valve-search"
      />
      <Select
        className={styles.filter ?? ''}
        aria-label={t('filter.label')}
        value={url.filter}
        options={rowFilters.map((filter) => ({ value: filter, label: t(`filter.${filter}`) }))}
        onChange={(filter) => change({ filter })}
      />
      <Segmented<RealView>
        aria-label={t('view.label')}
        value={view}
        data-testid="real-view"
        options={realViews.map((each) => ({ value: each, label: t(`view.${each}`) }))}
        onChange={(each) => change({ view: each })}
      />
      {view === 'cards' && (
        <Select
          className={styles.filter ?? ''}
          aria-label={t('table.sort')}
          value={url.sort}
          options={sortKeys.map((key) => ({ value: key, label: t(`column.${key}`) }))}
          onChange={(sort) => change({ sort, descending: false })}
        />
      )}
      {view === 'table' && <ColumnChoice url={url} change={change} />}
      {controllable && selected.length > 0 && (
        <span className={styles.selection}>
          {t('table.selected', { count: selected.length })}
          <Button size="small" type="text" onClick={() => change({ selected: [] })}>
            {t('table.clear')}
          </Button>
          <Button
            size="small"
            type="primary"
            icon={<ControlOutlined />}
            data-testid="set-opening"
            onClick={() => change({ setIds: selected, valve: undefined, batch: undefined }, { push: true })}
          >
            {t('set.action')}
          </Button>
        </span>
      )}
    </div>
  )
}

function ColumnChoice({ url, change }: Pick<RealToolbarProps, 'url' | 'change'>) {
  const { t } = useTranslation('valves')
  const shown = columns.filter((column) => !url.hidden.includes(column))
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      content={
        <Checkbox.Group
          className={styles.columnChoice ?? ''}
          value={[...shown]}
          options={columns.map((column) => ({ value: column, label: t(`column.${column}`) }))}
          onChange={(checked) => change({ hidden: columns.filter((column) => !checked.includes(column)) })}
        />
      }
    >
      <Button icon={<SettingOutlined />}>{t('table.columns')}</Button>
    </Popover>
  )
}
