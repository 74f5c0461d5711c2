import type { Company } from '@isotherm/contract/endpoints/network/organisations'
import { useTranslation } from 'react-i18next'
import { isEmpty } from '../../../shared/form/faults.ts'
import type { FormField } from '../../../shared/form/form-field.ts'
import { listPlaces, type OrganRow } from './organ-tree.ts'

const toOption = ({ id, above, name }: OrganRow) => ({ value: id, label: [...above, name].join(' / ') })

/** Fields of the forms of a new organisation and of an existing one. */
export function useOrganFields(
  rows: readonly OrganRow[],
  companies: readonly Company[],
  record: OrganRow | undefined,
) {
  const { t } = useTranslation('system')
  const name = { name: 'name', label: t('organs.name'), control: 'text' } as const
  const description = {
    name: 'description',
    label: t('organs.description'),
    control: 'area',
    emptyAs: '',
  } as const
  const toParent = (options: readonly OrganRow[]) =>
    ({
      name: 'parentId',
      label: t('organs.above'),
      hint: t('organs.aboveHint'),
      control: 'select',
      options: options.map(toOption),
      emptyAs: null,
    }) as const satisfies FormField<string>
  const company = {
    name: 'companyId',
    label: t('organs.company'),
    control: 'select',
    options: companies.map(({ id, name: label }) => ({ value: id, label })),
    // The organisation above determines the company.
    isShown: ({ parentId }) => companies.length > 1 && isEmpty(parentId),
  } as const satisfies FormField<string>
  return {
    added: [name, toParent(rows), company, description],
    edited: [name, toParent(record ? listPlaces(rows, record) : []), description],
  } as const
}
