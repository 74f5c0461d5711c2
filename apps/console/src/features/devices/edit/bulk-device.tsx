import type { Device, DeviceKind } from '@isotherm/contract/devices'
import { updateBatchDev } from '@isotherm/contract/endpoints/devices/devices'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { FormDrawer, type FormGuard } from '../../../shared/form/form-drawer.tsx'
import type { FormField } from '../../../shared/form/form-field.ts'
import { SchemaForm } from '../../../shared/form/schema-form.tsx'
import { showNotice } from '../../../shared/notices/notices.ts'
import styles from './edit.module.css'
import { useDeviceFields } from './use-device-fields.tsx'

const common = ['modelId', 'concentratorId', 'periodS', 'limits', 'characteristic'] as const
type Common = (typeof common)[number]

const isCommon = (field: FormField<string>): field is FormField<Common> =>
  common.some((name) => name === field.name)

interface BulkDeviceProps {
  /** The devices to change; empty while the drawer is closed. */
  readonly devices: readonly Device[]
  readonly onClose: () => void
  readonly onDone: () => void
}

/** The drawer that makes the same changes to many devices, all or none. Empty fields change nothing. */
export function BulkDevice({ devices, onClose, onDone }: BulkDeviceProps) {
  const { t } = useTranslation('devices')
  const [first] = devices
  return (
    <FormDrawer
      isOpen={first !== undefined}
      title={t('edit.changeMany', { count: devices.length })}
      onClose={onClose}
    >
      {(guard) => first && <BulkForm kind={first.kind} devices={devices} guard={guard} onDone={onDone} />}
    </FormDrawer>
  )
}

interface BulkFormProps extends Pick<BulkDeviceProps, 'devices' | 'onDone'> {
  readonly kind: DeviceKind
  readonly guard: FormGuard
}

function BulkForm({ kind, devices, guard, onDone }: BulkFormProps) {
  const { t } = useTranslation('devices')
  const isOneKind = devices.every((device) => device.kind === kind)
  const fields = useDeviceFields(kind).filter(isCommon)
  const shown = isOneKind ? fields : fields.filter(({ name }) => name === 'periodS')
  return (
    <>
      <p className={styles.meta}>{t('edit.changeManyMeans')}</p>
      <SchemaForm
        schema={updateBatchDev.input.shape.changes}
        fields={[{ name: 'node', label: t('edit.newPlace'), control: 'node' }, ...shown]}
        initial={{}}
        submit={t('edit.changeAction', { count: devices.length })}
        onSave={async (changes) => {
          const items = devices.map(({ id, version }) => ({ id, version }))
          const { datalist } = await call(updateBatchDev, { items, changes })
          showNotice('success', t('edit.changed', { count: datalist.length }))
        }}
        onDone={onDone}
        {...guard}
      />
    </>
  )
}
