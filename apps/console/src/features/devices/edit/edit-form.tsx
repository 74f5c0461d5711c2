import type { Device } from '@isotherm/contract/devices'
import { getDevice, updateDev } from '@isotherm/contract/endpoints/devices/devices'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import type { FormGuard } from '../../../shared/form/form-drawer.tsx'
import { SchemaForm } from '../../../shared/form/schema-form.tsx'
import { showNotice } from '../../../shared/notices/notices.ts'
import { modelsQuery } from '../model-choice/models-query.ts'
import { deviceChangesInput, toChanges, toFormValues } from './device-input.ts'
import { deviceKey } from './device-key.ts'
import { useDeviceFields } from './use-device-fields.tsx'

interface EditFormProps {
  readonly device: Device
  readonly guard: FormGuard
  readonly onDone: () => void
}

/** The form that edits a device. It sends only what changed. */
export function EditForm({ device, guard, onDone }: EditFormProps) {
  const { t } = useTranslation(['devices', 'common'])
  const client = useQueryClient()
  const fields = useDeviceFields(device.kind, device)
  const models = useQuery(modelsQuery(device.kind))
  const toBase = (shown: Device) => {
    const model = models.data?.datalist.find(({ name }) => name === shown.model)
    return { initial: toFormValues(shown, model?.id), fixed: { id: shown.id, version: shown.version } }
  }
  // The form starts with the model of the device.
  if (!models.data && !models.error) return null
  return (
    <SchemaForm
      schema={deviceChangesInput}
      fields={fields}
      {...toBase(device)}
      submit={t('form.save', { ns: 'common' })}
      onSave={async (input) => {
        const changes = toChanges(input, toBase(device).initial)
        const { name } = changes ? await call(updateDev, changes) : device
        showNotice('success', t('edit.saved', { name }))
      }}
      onReload={async () => {
        const newest = await call(getDevice, { id: device.id })
        client.setQueryData(deviceKey(device.id), newest)
        return toBase(newest)
      }}
      onDone={onDone}
      {...guard}
    />
  )
}
