import type { Company } from '@isotherm/contract/endpoints/network/organisations'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { RecordColumn } from '../../../shared/records/record-column.ts'
import type { OrganRow } from './organ-tree.ts'

/** Columns of the list of organisations. The company is shown only if there are several. */
export function useOrganColumns(companies: readonly Company[]): readonly RecordColumn<OrganRow>[] {
  const { t } = useTranslation('system')
  return useMemo(() => {
    const names = new Map(companies.map(({ id, name }) => [id, name]))
    const companyOf = ({ companyId }: OrganRow) => names.get(companyId) ?? ''
    const aboveOf = ({ above }: OrganRow) => above.join(' / ')
    const company: RecordColumn<OrganRow> = {
      key: 'company',
      title: t('organs.company'),
      widthPx: 180,
      value: companyOf,
      render: companyOf,
    }
    return [
      {
        key: 'name',
        title: t('organs.name'),
        widthPx: 200,
        value: ({ name }) => name,
        render: ({ name }) => name,
      },
      { key: 'above', title: t('organs.above'), widthPx: 240, value: aboveOf, render: aboveOf },
      ...(companies.length > 1 ? [company] : []),
      {
        key: 'description',
        title: t('organs.description'),
        widthPx: 280,
        value: ({ description }) => description,
        render: ({ description }) => description,
      },
      {
        key: 'accounts',
        title: t('organs.accounts'),
        widthPx: 100,
        align: 'end',
        value: ({ accountCount }) => accountCount,
        render: ({ accountCount }) => accountCount,
      },
      {
        key: 'parts',
        title: t('organs.parts'),
        widthPx: 110,
        align: 'end',
        value: ({ partCount }) => partCount,
        render: ({ partCount }) => partCount,
      },
    ]
  }, [companies, t])
}
