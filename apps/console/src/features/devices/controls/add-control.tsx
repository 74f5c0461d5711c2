import type { Device } from '@isotherm/contract/devices'
import { insertCtlDev } from '@isotherm/contract/endpoints/devices/control-devices'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import type { FormGuard } from '../../../shared/form/form-drawer.tsx'
import { NodePicker } from '../../../shared/form/node-picker.tsx'
import { SchemaForm } from '../../../shared/form/schema-form.tsx'
import { showNotice } from '../../../shared/notices/notices.ts'
import { type ControllingKind, controlsQuery, purposesOf } from './controls-query.ts'

/** A name given here is shorter than a device's may be. */
const NAME_LENGTH = 60

/** Cuts between characters: half of a surrogate pair is no character, and refused in a name. */
function shorten(name: string): string {
  let short = ''
  for (const character of name) {
    if (short.length + character.length > NAME_LENGTH) break
    short += character
  }
  return short
}

interface AddControlProps {
  readonly device: Device
  readonly kind: ControllingKind
  readonly guard: FormGuard
  readonly onDone: () => void
}

/** The form that states what a device controls. At first it is the device's own node, by the device's name. */
export function AddControl({ device, kind, guard, onDone }: AddControlProps) {
  const { t } = useTranslation('devices')
  const client = useQueryClient()
  const purposes = purposesOf[kind].map((value) => ({
    value,
    label: t(`controls.purpose.${value}`),
  }))
  return (
    <SchemaForm
      schema={insertCtlDev.input}
      fields={[
        {
          name: 'purpose',
          label: t('controls.purposeOf'),
          control: 'select',
          options: purposes,
          hint: t(`controls.hint.${kind}`),
        },
        {
          name: 'node',
          label: t('controls.node'),
          control: 'own',
          render: ({ id, value, onValue }) => (
            <NodePicker
              id={id}
              value={typeof value === 'string' ? value : undefined}
              first={{ key: device.node, nestaddr: device.nestaddr }}
              onNode={onValue}
            />
          ),
        },
        { name: 'name', label: t('column.name'), control: 'text' },
      ]}
      initial={{ node: device.node, name: shorten(device.name) }}
      fixed={{ deviceId: device.id }}
      submit={t('controls.add')}
      onSave={async (input) => {
        const added = await call(insertCtlDev, input)
        showNotice('success', t('controls.added', { name: added.name }))
      }}
      onDone={() => {
        void client.invalidateQueries({ queryKey: controlsQuery(device.id).queryKey })
        onDone()
      }}
      {...guard}
    />
  )
}
