import { SettingOutlined } from '@ant-design/icons'
import { Button, Checkbox, Popover } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RecordColumn } from './record-column.ts'
import styles from './records.module.css'

const toStorageKey = (name: string): string => `isotherm.columns.${name}`

/** The chosen columns of a list, stored in this browser. */
export function useColumnChoice<Row>(name: string, columns: readonly RecordColumn<Row>[]) {
  const [chosen, setChosen] = useState<readonly string[] | undefined>(() => {
    const stored = localStorage.getItem(toStorageKey(name))
    return stored === null ? undefined : stored.split(',')
  })
  const isShown = ({ key, isExtra = false }: RecordColumn<Row>): boolean => chosen?.includes(key) ?? !isExtra
  const shown = columns.filter(isShown)
  const choose = (keys: readonly string[]) => {
    localStorage.setItem(toStorageKey(name), keys.join(','))
    setChosen(keys)
  }
  return { shown, choose }
}

interface ColumnChoiceProps<Row> {
  readonly columns: readonly RecordColumn<Row>[]
  readonly shown: readonly RecordColumn<Row>[]
  readonly onChoose: (keys: readonly string[]) => void
}

/** Chooses the columns of a list. The first column names the record and is always shown. */
export function ColumnChoice<Row>({ columns, shown, onChoose }: ColumnChoiceProps<Row>) {
  const { t } = useTranslation('common')
  const [first] = columns
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      content={
        <Checkbox.Group
          className={styles.choice ?? ''}
          value={shown.map(({ key }) => key)}
          options={columns.map(({ key, title }) => ({
            value: key,
            label: title,
            disabled: key === first?.key,
          }))}
          onChange={(keys) => onChoose(columns.map(({ key }) => key).filter((key) => keys.includes(key)))}
        />
      }
    >
      <Button icon={<SettingOutlined />} aria-label={t('record.columns')} title={t('record.columns')} />
    </Popover>
  )
}
