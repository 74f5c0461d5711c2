import { PushpinFilled } from '@ant-design/icons'
import type { Device, DeviceState } from '@isotherm/contract/devices'
import { type KeyboardEvent, memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Trust } from '../../../shared/devices/device-trust.ts'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { toShare } from '../../../shared/section/heat-scale.ts'
import { SectionCell } from '../../../shared/section/section-cell.tsx'
import { canControl, findMetric } from '../rows/valve-row.ts'
import { type SectionMetric, toFill } from './heat-scale.ts'
import styles from './section.module.css'

interface ValveCellProps {
  readonly device: Device
  readonly state: DeviceState | undefined
  readonly trust: Trust
  readonly isHeld: boolean
  readonly isSelected: boolean
  readonly metric: SectionMetric
  readonly low: number
  readonly high: number
  readonly onSelect: (ids: readonly number[], selected: boolean) => void
  readonly onDetails: (deviceId: number) => void
}

const lookOf = {
  live: 'plain',
  doubtful: 'outlined',
  stale: 'hatched',
  silent: 'hatched',
  unknown: 'hatched',
  never: 'hatched',
} as const satisfies Record<Trust, string>

/** One valve in its position, coloured by a metric. A click selects it or, without control permission, opens its details. */
export const ValveCell = memo(function ValveCell(props: ValveCellProps) {
  const { device, state, trust, isHeld, isSelected, metric, low, high } = props
  const { t } = useTranslation(['valves', 'common'])
  const format = useFormat()
  const mayControl = canControl(device)
  const value = findMetric(state, metric)
  // Old or missing values have no colour.
  const isCurrent = value !== undefined && (trust === 'live' || trust === 'doubtful')
  const title = [
    toWholeAddress(device.nestaddr),
    `${format.metricName(metric)} ${format.metric(metric, value)}`,
    t(`device.trust.${trust}`, { ns: 'common' }),
    ...(isHeld ? [t('filter.held')] : []),
  ].join(' · ')
  // Enter clicks a button with any modifier; Shift+Enter is the keyboard form of the double click.
  const openByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !event.shiftKey) return
    event.preventDefault()
    props.onDetails(device.id)
  }
  return (
    <SectionCell
      look={lookOf[trust]}
      fill={isCurrent ? toFill(toShare(value, { low, high }), metric) : undefined}
      data-testid={`cell-${device.id}`}
      data-trust={trust}
      aria-pressed={mayControl ? isSelected : undefined}
      title={title}
      onClick={() => (mayControl ? props.onSelect([device.id], !isSelected) : props.onDetails(device.id))}
      onDoubleClick={() => props.onDetails(device.id)}
      onKeyDown={openByKey}
      aria-keyshortcuts="Shift+Enter"
    >
      {format.metricValue(metric, value)}
      {isHeld && <PushpinFilled className={styles.pin} aria-hidden />}
    </SectionCell>
  )
})
