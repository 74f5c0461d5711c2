import { PushpinFilled } from '@ant-design/icons'
import type { Device, DeviceState } from '@isotherm/contract/devices'
import { type KeyboardEvent, memo } from 'react'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { toShare } from '../../../shared/heat-scale.ts'
import { SectionCell } from '../../../shared/ui/section-cell.tsx'
import { canControl, findMetric, type Trust } from '../rows/valve-row.ts'
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
  readonly onLook: (deviceId: number) => void
}

const lookOf = {
  live: 'plain',
  doubtful: 'outlined',
  stale: 'hatched',
  silent: 'hatched',
  unknown: 'hatched',
  never: 'hatched',
} as const satisfies Record<Trust, string>

/** One valve in its place, coloured by a metric. It is chosen by a click or Enter, by who may control it; else it is looked at. */
export const ValveCell = memo(function ValveCell(props: ValveCellProps) {
  const { device, state, trust, isHeld, isSelected, metric, low, high } = props
  const { t } = useTranslation('valves')
  const format = useFormat()
  const mayControl = canControl(device)
  const value = findMetric(state, metric)
  // What is old or absent has no colour: it says nothing of now.
  const isTold = value !== undefined && (trust === 'live' || trust === 'doubtful')
  const title = [
    toWholeAddress(device.nestaddr),
    `${format.metricName(metric)} ${format.metric(metric, value)}`,
    t(`trust.${trust}`),
    ...(isHeld ? [t('filter.held')] : []),
  ].join(' · ')
  // A button takes Enter for a click whatever else is pressed; with Shift it is the double click of the keyboard.
  const lookByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !event.shiftKey) return
    event.preventDefault()
    props.onLook(device.id)
  }
  return (
    <SectionCell
      look={lookOf[trust]}
      fill={isTold ? toFill(toShare(value, { low, high }), metric) : undefined}
      data-testid={`cell-${device.id}`}
      data-trust={trust}
      aria-pressed={mayControl ? isSelected : undefined}
      title={title}
      onClick={() => (mayControl ? props.onSelect([device.id], !isSelected) : props.onLook(device.id))}
      onDoubleClick={() => props.onLook(device.id)}
      onKeyDown={lookByKey}
      aria-keyshortcuts="Shift+Enter"
    >
      {format.metricValue(metric, value)}
      {isHeld && <PushpinFilled className={styles.pin} aria-hidden />}
    </SectionCell>
  )
})
