import type { Device, DeviceKind } from '@isotherm/contract/devices'
import { deviceKind } from '@isotherm/contract/devices'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { usePaused } from '../../../shared/screen/use-paused.ts'
import styles from './device-picker.module.css'
import { choicesQuery } from './device-queries.ts'

interface DevicePickerProps {
  /** The selection; undefined if it no longer exists. */
  readonly nodes: readonly NodeKey[] | undefined
  readonly kind: DeviceKind
  readonly onKind: (kind: DeviceKind) => void
  /** Chosen devices, as far as they are found. */
  readonly chosen: readonly Device[]
  readonly chosenIds: readonly number[]
  readonly max: number
  readonly onChoose: (ids: readonly number[]) => void
}

const nothing: readonly never[] = []
const toOption = ({ id, nestaddr, name }: Device) => ({
  value: id,
  label: toCompactAddress(nestaddr),
  title: `${toWholeAddress(nestaddr)} · ${name}`,
})

/** Chooses devices of any kind. The server searches, so the number of devices does not matter. */
export function DevicePicker(props: DevicePickerProps) {
  const { nodes, kind, onKind, chosen, chosenIds, max, onChoose } = props
  const { t } = useTranslation('history')
  const format = useFormat()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const paused = usePaused(text).trim()
  const choices = useQuery({
    ...choicesQuery(nodes ?? nothing, kind, paused),
    enabled: isOpen && nodes !== undefined,
  })
  const listed = choices.data?.devices ?? nothing
  const inside = new Set(listed.map(({ id }) => id))
  const options = [...chosen.filter(({ id }) => !inside.has(id)), ...listed].map(toOption)
  const isCut = choices.data !== undefined && choices.data.total > listed.length
  const label = t('history.pick', { max })
  return (
    <div className={styles.picker}>
      <Select<DeviceKind>
        aria-label={t('history.kind')}
        data-testid="history-kind"
        popupMatchSelectWidth={false}
        value={kind}
        options={deviceKind.options.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        onChange={onKind}
      />
      <Select<number[]>
        mode="multiple"
        className={styles.devices ?? ''}
        data-testid="device-picker"
        aria-label={label}
        placeholder={label}
        loading={choices.isFetching}
        maxCount={max}
        maxTagCount="responsive"
        value={[...chosenIds]}
        options={options}
        showSearch={{ filterOption: false, searchValue: text, onSearch: setText }}
        onOpenChange={setOpen}
        onChange={onChoose}
        notFoundContent={choices.isFetching ? undefined : t('history.noDevice')}
        popupRender={(menu) => (
          <>
            {menu}
            {isCut && (
              <p className={styles.cut} role="status">
                {t('history.more', {
                  shown: format.number(listed.length, 0),
                  total: format.number(choices.data.total, 0),
                })}
              </p>
            )}
          </>
        )}
      />
    </div>
  )
}
