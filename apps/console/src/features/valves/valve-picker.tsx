import type { Device } from '@isotherm/contract/devices'
import { Button, Select } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toCompactAddress } from '../../shared/format/address.ts'
import styles from './valves.module.css'

interface ValvePickerProps {
  /** What may be chosen, in tree order. */
  readonly devices: readonly Device[]
  readonly chosen: readonly number[]
  readonly max: number
  readonly loading: boolean
  readonly onChoose: (ids: readonly number[]) => void
  /** Offers to choose everything at once. */
  readonly addAll?: boolean
}

/** Chooses valves of the selected subtree; ones chosen before stay though the subtree changed. */
export function ValvePicker({ devices, chosen, max, loading, onChoose, addAll = false }: ValvePickerProps) {
  const { t } = useTranslation('valves')
  const options = useMemo(
    () =>
      devices.map((device) => ({
        value: device.id,
        label: toCompactAddress(device.nestaddr),
        search: `${device.nestaddr} ${device.name} ${device.imei}`.toLowerCase(),
      })),
    [devices],
  )
  const missing = devices.filter(({ id }) => !chosen.includes(id))
  const label = addAll ? t('pick.valves') : t('history.pick', { max })
  return (
    <div className={styles.picker}>
      <Select
        mode="multiple"
        className={styles.pickerSelect ?? ''}
        data-testid="valve-picker"
        aria-label={label}
        placeholder={label}
        loading={loading}
        maxCount={max}
        maxTagCount="responsive"
        value={[...chosen]}
        options={options}
        showSearch={{
          filterOption: (text, option) => option?.search.includes(text.toLowerCase()) ?? false,
        }}
        onChange={onChoose}
      />
      {addAll && missing.length > 0 && (
        <Button onClick={() => onChoose([...chosen, ...missing.map(({ id }) => id)])}>
          {t('pick.addAll', { count: missing.length })}
        </Button>
      )}
      {addAll && chosen.length > 0 && (
        <Button type="text" onClick={() => onChoose([])}>
          {t('pick.clear')}
        </Button>
      )}
    </div>
  )
}
