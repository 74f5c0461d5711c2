import { addCompany } from '@isotherm/contract/endpoints/network/organisations'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import type { FormField } from '../../../shared/form/form-field.ts'
import { NEW } from '../../../shared/records/list-url.ts'
import { RecordDrawer } from '../../../shared/records/record-drawer.tsx'
import { setupKey } from './use-setup.ts'

interface CompanyDrawerProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Adds the company of a new installation. Its time zone is that of the heating days; the browser's is proposed. */
export default function CompanyDrawer({ isOpen, onClose }: CompanyDrawerProps) {
  const { t } = useTranslation('dashboard')
  const client = useQueryClient()
  const zones = useMemo(
    () => Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, label: zone })),
    [],
  )
  const fields = [
    { name: 'name', label: t('company.name'), control: 'text' },
    {
      name: 'tenant',
      label: t('company.tenant'),
      control: 'text',
      hint: t('company.tenantHint'),
      wrongText: t('company.wrongTenant'),
    },
    { name: 'timeZone', label: t('company.timeZone'), control: 'select', options: zones },
  ] as const satisfies readonly FormField<string>[]
  return (
    <RecordDrawer
      record={isOpen ? NEW : undefined}
      title={t('company.add')}
      schema={addCompany.input}
      fields={fields}
      initial={{ timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }}
      onSave={(input) => call(addCompany, input)}
      onDone={() => {
        void client.invalidateQueries({ queryKey: setupKey })
        onClose()
      }}
      onClose={onClose}
    />
  )
}
