import type { Device } from '@isotherm/contract/devices'
import { Button, Select } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toCompactAddress } from '../../../shared/format/address.ts'
import styles from './valve-picker.module.css'

interface ValvePickerProps {
  /** The valves that may be chosen, in tree order. */
  readonly devices: readonly Device[]
  readonly chosen: readonly number[]
  readonly max: number
  readonly loading: boolean
  readonly onChoose: (ids: readonly number[]) => void
  /** Shows a button that chooses all. */
  readonly addAll?: boolean
}

/** More chosen valves than this are shown as a count, and the field only adds to them. */
const MAX_NAMED = 50

/** Chooses valves of the selected subtree. Chosen valves stay when the subtree changes. */
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
  const inside = useMemo(() => new Set(chosen), [chosen])
  const missing = useMemo(() => devices.filter(({ id }) => !inside.has(id)), [devices, inside])
  const addable = Math.min(missing.length, max - chosen.length)
  const isCounted = chosen.length > MAX_NAMED
  const label = t('pick.valves')
  return (
    <div className={styles.picker}>
      {isCounted && (
        <strong data-testid="chosen-count">{t('table.selected', { count: chosen.length })}</strong>
      )}
      <Select
        mode="multiple"
        className={styles.pickerSelect ?? ''}
        data-testid="valve-picker"
        aria-label={label}
        placeholder={label}
        loading={loading}
        maxCount={isCounted ? max - chosen.length : max}
        maxTagCount="responsive"
        value={isCounted ? [] : [...chosen]}
        options={options}
        showSearch={{
          filterOption: (text, option) => option?.search.includes(text.toLowerCase()) ?? false,
        }}
        onChange={(ids) => onChoose(isCounted ? [...new Set([...chosen, ...ids])] : ids)}
      />
      {addAll && addable > 0 && (
        <Button
          data-testid="add-all"
          onClick={() => onChoose([...chosen, ...missing.slice(0, addable).map(({ id }) => id)])}
        >
          {missing.length > addable
            ? t('pick.addSome', { count: addable, max })
            : t('pick.addAll', { count: addable })}
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
