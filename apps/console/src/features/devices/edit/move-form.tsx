import type { Device } from '@isotherm/contract/devices'
import { updateDev } from '@isotherm/contract/endpoints/devices/devices'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { call } from '../../../shared/api/client.ts'
import type { FormGuard } from '../../../shared/form/form-drawer.tsx'
import { SchemaForm } from '../../../shared/form/schema-form.tsx'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import styles from './edit.module.css'

const { id, version, node } = updateDev.input.shape

/** The change of a device that only moves it. */
const moveInput = z.object({ id, version, node: node.unwrap() })

interface MoveFormProps {
  readonly device: Device
  readonly guard: FormGuard
  readonly onDone: () => void
}

/** Moves a device to another node of the tree. */
export function MoveForm({ device, guard, onDone }: MoveFormProps) {
  const { t } = useTranslation('devices')
  return (
    <>
      <p>{t('edit.nowAt', { place: toWholeAddress(device.nestaddr) })}</p>
      <p className={styles.meta}>
        {t(device.kind === 'concentrator' ? 'edit.moveConcentrator' : 'edit.moveMeans')}
      </p>
      <SchemaForm
        schema={moveInput}
        fields={[{ name: 'node', label: t('edit.newPlace'), control: 'node', isScanned: true }]}
        initial={{}}
        fixed={{ id: device.id, version: device.version }}
        submit={t('edit.move')}
        onSave={async (input) => {
          const moved = await call(updateDev, input)
          showNotice('success', t('edit.moved', { name: moved.name, place: toWholeAddress(moved.nestaddr) }))
        }}
        onDone={onDone}
        {...guard}
      />
    </>
  )
}
