import { getDevs } from '@isotherm/contract/endpoints/devices/devices'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { usePaused } from '../../../shared/screen/use-paused.ts'
import styles from './debug.module.css'

const MAX_HITS = 20
/** Shorter texts match too many devices. */
const MIN_LENGTH = 3

/** Finds a device of any kind by its name, serial, IMEI or meter number. */
export function DevicePicker({ onDevice }: { readonly onDevice: (id: number) => void }) {
  const { t } = useTranslation(['devices', 'common'])
  const [typed, setTyped] = useState('')
  const text = usePaused(typed.trim())
  const found = useQuery({
    queryKey: ['devices', 'picker', text],
    queryFn: ({ signal }) => call(getDevs, { text, pageNo: 1, pageSize: MAX_HITS }, { signal, quiet: true }),
    enabled: text.length >= MIN_LENGTH,
    placeholderData: keepPreviousData,
  })
  const isShort = typed.trim().length < MIN_LENGTH
  return (
    <Select
      className={styles.picker ?? ''}
      aria-label={t('debug.find')}
      data-testid="device-picker"
      showSearch={{ filterOption: false, onSearch: setTyped }}
      placeholder={t('debug.find')}
      value={null}
      loading={found.isFetching}
      notFoundContent={
        isShort
          ? t('debug.findHint')
          : found.isError
            ? toFailureText(found.error)
            : t('node.none', { ns: 'common' })
      }
      options={(isShort ? [] : (found.data?.list ?? [])).map(({ id, imei, name, nestaddr }) => ({
        value: id,
        label: `${imei} · ${toWholeAddress(nestaddr)} / ${name}`,
      }))}
      onChange={(id: number | null) => id !== null && onDevice(id)}
    />
  )
}
