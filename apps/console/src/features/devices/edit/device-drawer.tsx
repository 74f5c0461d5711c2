import type { Device } from '@isotherm/contract/devices'
import { getDevice } from '@isotherm/contract/endpoints/devices/devices'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { call } from '../../../shared/api/client.ts'
import { FormDrawer, type FormGuard } from '../../../shared/form/form-drawer.tsx'
import { ChangeHistory } from '../../../shared/records/change-history.tsx'
import { useIsPermitted } from '../../../shared/session/session-store.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { GatewayLines } from '../config/gateway-lines.tsx'
import { AddControl } from '../controls/add-control.tsx'
import { isControlling } from '../controls/controls-query.ts'
import { DeviceControls } from '../controls/device-controls.tsx'
import { DeviceUses, mayIrrigate } from '../controls/device-uses.tsx'
import { FirstReadings } from '../first-readings/first-readings.tsx'
import { GatewayRefusals } from '../logins/gateway-refusals.tsx'
import { LineSearch } from '../scan/line-search.tsx'
import { GatewayUnregistered } from '../unregistered/gateway-unregistered.tsx'
import { DeviceHead } from './device-head.tsx'
import { deviceKey } from './device-key.ts'
import { DeviceSegments } from './device-segments.tsx'
import styles from './edit.module.css'
import { EditForm } from './edit-form.tsx'
import { GatewayLoginButton, isGateway } from './gateway-login.tsx'
import { MoveForm } from './move-form.tsx'
import { ReplaceForm } from './replace-form.tsx'
import { UseButton } from './use-button.tsx'

interface DeviceDrawerProps {
  /** Number of the shown device; undefined closes the drawer. */
  readonly id: number | undefined
  readonly onOpen: (id: number) => void
  readonly onClose: () => void
  /** Called after a change. */
  readonly onChanged: () => void
}

/** The drawer of one device: identity, state, replacements and changes, with forms to edit, move and replace it. */
export default function DeviceDrawer({ id, onOpen, onClose, onChanged }: DeviceDrawerProps) {
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

type Mode = 'edit' | 'move' | 'replace' | 'control'

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
  // A user who opens the drawer again at once must not get a form with the cached values from before the change.
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
        {device.use === 'in-use' && isControlling(device.kind) && (
          <DeviceControls
            device={device}
            kind={device.kind}
            isEditable={isChangeable}
            onAdd={mode === 'control' ? undefined : () => setMode('control')}
            onChanged={onChanged}
          />
        )}
        {device.use === 'in-use' && mayIrrigate(device.kind) && <DeviceUses device={device} />}
        {mayEdit && isGateway(device) && <GatewayLines device={device} isEditable={isChangeable} />}
        {isChangeable && isGateway(device) && mayManageGateways && <LineSearch device={device} />}
        {mayEdit && isGateway(device) && <GatewayUnregistered device={device} onAdopted={onChanged} />}
        {mayEdit && isGateway(device) && <GatewayRefusals device={device} />}
      </div>
      {isChangeable && mode === 'edit' && <EditForm device={device} guard={guard} onDone={done} />}
      {isChangeable && mode === 'move' && <MoveForm device={device} guard={backToEdit} onDone={done} />}
      {isChangeable && mode === 'control' && isControlling(device.kind) && (
        <AddControl
          device={device}
          kind={device.kind}
          guard={backToEdit}
          onDone={() => {
            setMode('edit')
            onChanged()
          }}
        />
      )}
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
