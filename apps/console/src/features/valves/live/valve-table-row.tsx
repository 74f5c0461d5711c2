import type { Command, ValveHold } from '@isotherm/contract/command'
import type { Device, DeviceState } from '@isotherm/contract/devices'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Trust } from '../../../shared/devices/device-trust.ts'
import { TrustBadge } from '../../../shared/devices/trust-badge.tsx'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { Age } from '../../../shared/format/age.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { AddressButton } from '../../../shared/inputs/address-button.tsx'
import { CurveIcon, RowButton, RowCheckbox } from '../../../shared/inputs/row-controls.tsx'
import { CommandBadge } from '../../../shared/ui/command-badge.tsx'
import { HoldBadge } from '../holds/hold-badge.tsx'
import text from '../lists/text.module.css'
import { type Column, metricOfColumn } from '../rows/row-query.ts'
import { canControl, findMetric, findPending, findTargetPct } from '../rows/valve-row.ts'
import { OpeningBar } from './opening-bar.tsx'
import styles from './valve-list.module.css'

interface RowProps {
  readonly device: Device
  readonly state: DeviceState | undefined
  readonly command: Command | undefined
  readonly hold: ValveHold | undefined
  readonly trust: Trust
  readonly columns: readonly Column[]
  readonly template: string
  readonly top: number
  readonly height: number
  readonly selected: boolean
  readonly controllable: boolean
  readonly onSelect: (ids: readonly number[], selected: boolean) => void
  readonly onSet: (deviceId: number) => void
  readonly onDetails: (deviceId: number) => void
  readonly onHistory: ((deviceId: number) => void) | undefined
}

/** One row of the live table. It renders only when its own data changed. */
export const ValveTableRow = memo(function ValveTableRow(props: RowProps) {
  const { device, state, trust, selected, controllable, onSelect, onSet, onHistory } = props
  const { t } = useTranslation('valves')
  const format = useFormat()
  const mayControl = canControl(device)
  return (
    <tr
      className={styles.row}
      data-testid={`valve-row-${device.id}`}
      data-trust={trust}
      data-selected={selected || undefined}
      style={{ gridTemplateColumns: props.template, height: props.height, top: props.top }}
    >
      {controllable && (
        <td>
          <RowCheckbox
            checked={selected}
            disabled={!mayControl}
            aria-label={t('table.selectRow', { name: device.name })}
            onChange={(checked) => onSelect([device.id], checked)}
          />
        </td>
      )}
      <td className={text.address} title={`${toWholeAddress(device.nestaddr)} · ${device.imei}`}>
        <AddressButton
          nestaddr={device.nestaddr}
          data-testid={`details-${device.id}`}
          onClick={() => props.onDetails(device.id)}
        />
      </td>
      {props.columns.map((column) => (
        <td key={column} data-column={column}>
          <CellContent {...props} column={column} format={format} />
        </td>
      ))}
      <td className={`${styles.actions} ${styles.ends}`}>
        {onHistory && (
          <RowButton
            isQuiet
            aria-label={t('table.history')}
            title={t('table.history')}
            data-testid={`valve-history-${device.id}`}
            onClick={() => onHistory(device.id)}
          >
            <CurveIcon />
          </RowButton>
        )}
        {mayControl && state && (
          <RowButton data-testid={`set-opening-${device.id}`} onClick={() => onSet(device.id)}>
            {t('set.action')}
          </RowButton>
        )}
      </td>
    </tr>
  )
})

function CellContent({
  column,
  device,
  state,
  command,
  hold,
  trust,
  format,
}: RowProps & { readonly column: Column; readonly format: ReturnType<typeof useFormat> }) {
  if (column === 'age') return <Age ts={state?.ts} />
  if (column === 'hold') return hold ? <HoldBadge hold={hold} /> : null
  if (column === 'state') {
    const pending = findPending(command)
    return pending ? <CommandBadge {...pending} /> : <TrustBadge trust={trust} state={state} />
  }
  const targetPct = findTargetPct({ state, command })
  if (column === 'target') return format.metricValue('valve.target', targetPct)
  const metric = metricOfColumn[column]
  const value = findMetric(state, metric)
  if (column !== 'opening') return format.metricValue(metric, value)
  return (
    <OpeningBar
      openingPct={value}
      targetPct={targetPct}
      text={format.metricValue(metric, value)}
      testId={`valve-opening-${device.id}`}
    />
  )
}
