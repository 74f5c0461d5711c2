import type { Device } from '@isotherm/contract/devices'
import { getDevice, updateDev } from '@isotherm/contract/endpoints/devices/devices'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { call } from '../../../shared/api/client.ts'
import { FormDrawer, type FormGuard } from '../../../shared/form/form-drawer.tsx'
import { SchemaForm } from '../../../shared/form/schema-form.tsx'
import { showNotice } from '../../../shared/notices/notices.ts'
import { ChangeHistory } from '../../../shared/records/change-history.tsx'
import { useIsPermitted } from '../../../shared/session/session-store.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { GatewayLines } from '../config/gateway-lines.tsx'
import { FirstReadings } from '../first-readings/first-readings.tsx'
import { GatewayRefusals } from '../logins/gateway-refusals.tsx'
import { modelsQuery } from '../model-choice/models-query.ts'
import { LineSearch } from '../scan/line-search.tsx'
import { GatewayUnregistered } from '../unregistered/gateway-unregistered.tsx'
import { DeviceHead } from './device-head.tsx'
import { deviceChangesInput, toChanges, toFormValues } from './device-input.ts'
import { DeviceSegments } from './device-segments.tsx'
import styles from './edit.module.css'
import { GatewayLoginButton, isGateway } from './gateway-login.tsx'
import { MoveForm } from './move-form.tsx'
import { ReplaceForm } from './replace-form.tsx'
import { UseButton } from './use-button.tsx'
import { useDeviceFields } from './use-device-fields.tsx'

interface DeviceDrawerProps {
  /** Number of the shown device; undefined closes the drawer. */
  readonly id: number | undefined
  readonly onOpen: (id: number) => void
  readonly onClose: () => void
  /** Called after a change. */
  readonly onChanged: () => void
}

const deviceKey = (id: number | undefined) => ['devices', 'device', id] as const

/** The drawer of one device: identity, state, replacements and changes, with forms to edit, move and replace it. */
export function DeviceDrawer({ id, onOpen, onClose, onChanged }: DeviceDrawerProps) {
  const { t } = useTranslation('devices')
  const query = useQuery({
    queryKey: deviceKey(id),
    queryFn: ({ signal }) => call(getDevice, { id: id ?? 0 }, { signal }),
    enabled: id !== undefined,
  })
  const { name, imei } = query.data ?? {}
  return (
    <FormDrawer
      isOpen={id !== undefined}
      title={name === undefined ? t('edit.device') : `${name} · ${imei}`}
      onClose={onClose}
    >
      {(guard) => (
        <Answer query={query}>
          {(device) => (
            <DeviceDetails
              key={device.id}
              device={device}
              guard={guard}
              onOpen={onOpen}
              onClose={onClose}
              onChanged={onChanged}
            />
          )}
        </Answer>
      )}
    </FormDrawer>
  )
}

type Mode = 'edit' | 'move' | 'replace'

interface DeviceDetailsProps extends Omit<DeviceDrawerProps, 'id'> {
  readonly device: Device
  readonly guard: FormGuard
}

function DeviceDetails({ device, guard, onOpen, onClose, onChanged }: DeviceDetailsProps) {
  const { t } = useTranslation('devices')
  const client = useQueryClient()
  const [mode, setMode] = useState<Mode>('edit')
  const mayDebug = useIsPermitted('pd-devdebug')
  const mayManageGateways = useIsPermitted('pd-datadevmanager')
  const mayEdit = device.abilities.includes('edit')
  const isChangeable = mayEdit && device.use === 'in-use'
  const changed = () => {
    void client.invalidateQueries({ queryKey: deviceKey(device.id) })
    onChanged()
  }
  // Who opens it again at once must not get the values of before into the form, as a cached record would.
  const done = () => {
    void client.resetQueries({ queryKey: deviceKey(device.id) })
    onChanged()
    onClose()
  }
  const backToEdit = { ...guard, onCancel: () => setMode('edit') }
  return (
    <>
      <div className={styles.head}>
        <div className={styles.line}>
          {isChangeable && (
            <>
              <Button disabled={mode === 'move'} data-testid="device-move" onClick={() => setMode('move')}>
                {t('edit.moveAction')}
              </Button>
              <Button
                disabled={mode === 'replace'}
                data-testid="device-replace"
                onClick={() => setMode('replace')}
              >
                {t('edit.replaceAction')}
              </Button>
            </>
          )}
          {mayEdit && isGateway(device) && <GatewayLoginButton device={device} onChanged={changed} />}
          {mayEdit && <UseButton device={device} onDone={done} />}
          {mayDebug && <Link to={`/dev/devdebug?id=${device.id}`}>{t('debug.open')}</Link>}
        </div>
        <DeviceHead device={device} />
        {device.use === 'in-use' && <FirstReadings device={device} />}
        <DeviceSegments device={device} onOpen={onOpen} />
        {mayEdit && isGateway(device) && <GatewayLines device={device} isEditable={isChangeable} />}
        {isChangeable && isGateway(device) && mayManageGateways && <LineSearch device={device} />}
        {mayEdit && isGateway(device) && <GatewayUnregistered device={device} onAdopted={onChanged} />}
        {mayEdit && isGateway(device) && <GatewayRefusals device={device} />}
      </div>
      {isChangeable && mode === 'edit' && <EditForm device={device} guard={guard} onDone={done} />}
      {isChangeable && mode === 'move' && <MoveForm device={device} guard={backToEdit} onDone={done} />}
      {isChangeable && mode === 'replace' && (
        <ReplaceForm
          device={device}
          guard={backToEdit}
          onReplaced={(id) => {
            changed()
            onOpen(id)
          }}
        />
      )}
      <ChangeHistory entity="device" entityId={String(device.id)} />
    </>
  )
}

interface EditFormProps extends Pick<DeviceDetailsProps, 'device' | 'guard'> {
  readonly onDone: () => void
}

/** The form that edits a device. It sends only what changed. */
function EditForm({ device, guard, onDone }: EditFormProps) {
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
