import type { DeviceKind } from '@isotherm/contract/devices'
import { insertDev } from '@isotherm/contract/endpoints/devices/devices'
import { Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import type { FormField } from '../../../shared/form/form-field.ts'
import { useSelectedNodes } from '../../../shared/nodes/tree-selection.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { RecordDrawer } from '../../../shared/records/record-drawer.tsx'
import { newDeviceInput } from './device-input.ts'
import styles from './edit.module.css'
import { useDeviceFields } from './use-device-fields.tsx'

/** Usual report period, s. */
const USUAL_PERIOD_S = 900

interface AddDeviceProps {
  readonly kinds: readonly [DeviceKind, ...DeviceKind[]]
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onDone: () => void
}

/** The drawer that adds a device to a node; at first the node that is selected in the tree. */
export function AddDevice({ kinds, isOpen, onClose, onDone }: AddDeviceProps) {
  const { t } = useTranslation(['devices', 'common'])
  const [kind, setKind] = useState(kinds[0])
  const nodes = useSelectedNodes()
  const fields = useDeviceFields(kind)
  const serial = {
    name: 'imei',
    label: t('column.serial'),
    hint: t('edit.serialHint'),
    wrongText: t('edit.wrongSerial'),
    control: 'text',
    scanned: 'serial',
  } as const satisfies FormField<string>
  const node = {
    name: 'node',
    label: t('column.place'),
    control: 'node',
    isScanned: true,
  } as const satisfies FormField<string>
  return (
    <RecordDrawer
      record={isOpen ? kind : undefined}
      title={t(`edit.add.${kind}`)}
      {...(kinds.length > 1 && {
        head: (
          <div className={styles.head}>
            <Segmented
              value={kind}
              options={kinds.map((value) => ({ value, label: t(`deviceKind.${value}`, { ns: 'common' }) }))}
              onChange={setKind}
            />
          </div>
        ),
      })}
      schema={newDeviceInput}
      fields={[node, serial, ...fields]}
      fixed={{ kind }}
      initial={{ periodS: USUAL_PERIOD_S, ...(nodes?.length === 1 && { node: nodes[0] }) }}
      onSave={async (input) => {
        const device = await call(insertDev, input)
        showNotice('success', t('edit.added', { name: device.name }))
      }}
      onDone={onDone}
      onClose={onClose}
    />
  )
}
