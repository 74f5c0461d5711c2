import { getCompanies } from '@isotherm/contract/endpoints/network/organisations'
import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'

interface CompanySelectProps {
  readonly value: number | undefined
  readonly onValue: (id: number) => void
}

/** Chooses the company of an import, for staff of the provider. */
export function CompanySelect({ value, onValue }: CompanySelectProps) {
  const { t } = useTranslation('devices')
  const companies = useQuery({
    queryKey: ['companies'],
    queryFn: ({ signal }) => call(getCompanies, {}, { signal }),
  })
  return (
    <Select
      aria-label={t('transfer.company')}
      placeholder={t('transfer.company')}
      data-testid="transfer-company"
      value={value ?? null}
      options={(companies.data?.datalist ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(id: number | null) => id !== null && onValue(id)}
    />
  )
}
