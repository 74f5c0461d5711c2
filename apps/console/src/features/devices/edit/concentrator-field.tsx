import type { Device } from '@isotherm/contract/devices'
import { getDev } from '@isotherm/contract/endpoints/devices/devices'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import type { ControlProps } from '../../../shared/form/form-field.ts'
import { toCompactAddress } from '../../../shared/format/address.ts'
import { usePaused } from '../../../shared/screen/use-paused.ts'

const MAX_HITS = 20

interface ConcentratorFieldProps extends Pick<ControlProps, 'id' | 'isFaulty' | 'onValue'> {
  readonly value: number | null | undefined
  /** The device that is edited: its concentrator has a label before anything is found. */
  readonly device?: Pick<Device, 'concentrator' | 'concentratorId'> | undefined
}

const toOption = ({ id, imei, nestaddr }: Device) => ({
  value: id,
  label: `${imei} · ${toCompactAddress(nestaddr)}`,
})

/** Chooses the concentrator through which a device reports. Empty: the device has its own link. */
export function ConcentratorField({ id, value, device, isFaulty, onValue }: ConcentratorFieldProps) {
  const { t } = useTranslation('devices')
  const [typed, setTyped] = useState('')
  const text = usePaused(typed.trim())
  const found = useQuery({
    queryKey: ['devices', 'concentrators', text],
    queryFn: ({ signal }) => {
      const limiter = { page: 1, size: MAX_HITS }
      return call(
        getDev,
        { kinds: ['concentrator'], use: 'in-use', ...(text !== '' && { text }), limiter },
        { signal, quiet: true },
      )
    },
    placeholderData: keepPreviousData,
  })
  const options = found.data?.datalist.map(toOption) ?? []
  const { concentrator, concentratorId } = device ?? {}
  const isListed = options.some((option) => option.value === concentratorId)
  const own =
    concentratorId !== undefined && !isListed ? [{ value: concentratorId, label: concentrator ?? '' }] : []
  return (
    <Select
      id={id}
      allowClear
      showSearch={{ filterOption: false, onSearch: setTyped }}
      status={isFaulty ? 'error' : ''}
      data-testid="field-concentratorId"
      placeholder={t('ownLink')}
      value={value ?? null}
      loading={found.isFetching}
      options={[...own, ...options]}
      onChange={(next: number | null | undefined) => onValue(next ?? undefined)}
    />
  )
}
