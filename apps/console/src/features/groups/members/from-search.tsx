import { getDevs } from '@isotherm/contract/endpoints/devices/devices'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { toCompactAddress } from '../../../shared/format/address.ts'
import { usePaused } from '../../../shared/screen/use-paused.ts'
import type { SourceProps } from './source-props.ts'

const MAX_HITS = 30
const LONGEST = 60

/** Adds one device at a time by a part of its name, serial, IMEI or meter number. */
export function FromSearch({ members, onAdd }: SourceProps) {
  const { t } = useTranslation('groups')
  const [typed, setTyped] = useState('')
  const text = usePaused(typed.trim().slice(0, LONGEST))
  const found = useQuery({
    queryKey: ['group-search', text],
    queryFn: ({ signal }) => call(getDevs, { text, pageNo: 1, pageSize: MAX_HITS }, { signal, quiet: true }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  })
  const hits = text === '' ? [] : (found.data?.list ?? []).filter(({ id }) => !members.has(id))
  return (
    <Select
      aria-label={t('source.search')}
      data-testid="member-search"
      showSearch={{ filterOption: false, onSearch: setTyped, searchValue: typed }}
      placeholder={t('search.placeholder')}
      value={null}
      loading={found.isFetching}
      notFoundContent={
        text === '' ? t('search.hint') : found.isError ? toFailureText(found.error) : t('search.none')
      }
      options={hits.map(({ id, name, imei, nestaddr }) => ({
        value: id,
        label: `${toCompactAddress(nestaddr)} · ${name} · ${imei}`,
      }))}
      onChange={(id: number | null) => onAdd(hits.filter((hit) => hit.id === id))}
    />
  )
}
