import type { Device } from '@isotherm/contract/devices'
import { replaceDev } from '@isotherm/contract/endpoints/devices/devices'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import type { FormGuard } from '../../../shared/form/form-drawer.tsx'
import type { FormField } from '../../../shared/form/form-field.ts'
import { SchemaForm } from '../../../shared/form/schema-form.tsx'
import { showNotice } from '../../../shared/notices/notices.ts'
import styles from './edit.module.css'
import { useDeviceFields } from './use-device-fields.tsx'

const taken = ['radioImei', 'meterNo', 'modelId', 'periodS'] as const
type Taken = (typeof taken)[number]

const isTaken = (field: FormField<string>): field is FormField<Taken> =>
  taken.some((name) => name === field.name)

interface ReplaceFormProps {
  readonly device: Device
  readonly guard: FormGuard
  /** Called with the number of the new device. */
  readonly onReplaced: (id: number) => void
}

/** Replaces a device by a new one, which takes over its place; the old one is retired with its history. */
export function ReplaceForm({ device, guard, onReplaced }: ReplaceFormProps) {
  const { t } = useTranslation('devices')
  const fields = useDeviceFields(device.kind).filter(isTaken)
  let replacement = device.id
  return (
    <>
      <p className={styles.meta}>{t('edit.replaceMeans')}</p>
      <SchemaForm
        schema={replaceDev.input}
        fields={[
          {
            name: 'imei',
            label: t('edit.newSerial'),
            control: 'text',
            scanned: 'serial',
            hint: t('edit.serialHint'),
            wrongText: t('edit.wrongSerial'),
          },
          ...fields,
        ]}
        initial={{}}
        fixed={{ id: device.id, version: device.version }}
        submit={t('edit.replace')}
        onSave={async (input) => {
          const { device: added } = await call(replaceDev, input)
          replacement = added.id
          showNotice('success', t('edit.replaced', { old: device.imei, imei: added.imei }))
        }}
        onDone={() => onReplaced(replacement)}
        {...guard}
      />
    </>
  )
}
