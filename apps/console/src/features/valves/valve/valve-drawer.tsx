import { ControlOutlined, LineChartOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { DeviceFindings } from '../../../shared/devices/device-findings.tsx'
import { toTrust } from '../../../shared/devices/device-trust.ts'
import { TrustBadge } from '../../../shared/devices/trust-badge.tsx'
import { toCompactAddress, toWholeAddress } from '../../../shared/format/address.ts'
import { Age } from '../../../shared/format/age.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import text from '../lists/text.module.css'
import { canControl, type ValveRow } from '../rows/valve-row.ts'
import styles from './valve.module.css'
import { ValveCommands } from './valve-commands.tsx'
import { ValveFacts } from './valve-facts.tsx'
import { ValveHold } from './valve-hold.tsx'

interface ValveDrawerProps {
  /** The shown valve; undefined closes the drawer. */
  readonly row: ValveRow | undefined
  /** Unix ms. */
  readonly now: number
  readonly onSet: (deviceId: number) => void
  readonly onHistory: ((deviceId: number) => void) | undefined
  readonly onClose: () => void
}

const WIDTH_PX = 460

/** The details of one valve, beside the live table. */
export function ValveDrawer({ row, now, onSet, onHistory, onClose }: ValveDrawerProps) {
  return (
    <SideDrawer
      isWanted={row !== undefined}
      title={row ? toCompactAddress(row.device.nestaddr) : ''}
      widthPx={WIDTH_PX}
      onClose={onClose}
    >
      {row && <ValveDetails key={row.device.id} row={row} now={now} onSet={onSet} onHistory={onHistory} />}
    </SideDrawer>
  )
}

type DetailsProps = Pick<ValveDrawerProps, 'now' | 'onSet' | 'onHistory'> & { readonly row: ValveRow }

function ValveDetails({ row, now, onSet, onHistory }: DetailsProps) {
  const { t } = useTranslation(['valves', 'common'])
  const format = useFormat()
  const { device, state, hold } = row
  const trust = toTrust(device, state, now)
  return (
    <div className={styles.valve} data-testid="valve-details">
      <p className={text.hint}>{toWholeAddress(device.nestaddr)}</p>
      <div className={styles.line}>
        {canControl(device) && (
          <Button type="primary" icon={<ControlOutlined />} onClick={() => onSet(device.id)}>
            {t('set.action')}
          </Button>
        )}
        {onHistory && (
          <Button icon={<LineChartOutlined />} onClick={() => onHistory(device.id)}>
            {t('table.history')}
          </Button>
        )}
      </div>
      <div className={styles.line}>
        <TrustBadge trust={trust} state={state} />
        {state && (
          <span className={text.hint} title={format.instant(state.ts)}>
            <Age ts={state.ts} />
          </span>
        )}
        {(trust === 'silent' || trust === 'unknown') && (
          <span className={text.hint}>{t(`device.absence.${trust}`, { ns: 'common' })}</span>
        )}
      </div>
      <ValveFacts device={device} state={state} trust={trust} />
      <ValveHold hold={hold} mayRelease={canControl(device)} />
      <DeviceFindings deviceId={device.id} />
      <ValveCommands deviceId={device.id} />
    </div>
  )
}
