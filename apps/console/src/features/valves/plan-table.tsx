import {
  ArrowRightOutlined,
  CheckOutlined,
  LockOutlined,
  SwapOutlined,
  WarningOutlined,
} from '@ant-design/icons'
import type { Device, DeviceState } from '@isotherm/contract/devices'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { toCompactAddress } from '../../shared/format/address.ts'
import { useFormat } from '../../shared/format/use-format.ts'
import { Badge, type Tone } from '../../shared/ui/trust-badge.tsx'
import type { PlanItem, PlanVerdict } from './opening-plan.ts'
import styles from './order.module.css'
import { findMetric } from './valve-row.ts'

const looks: Readonly<Record<PlanVerdict, { readonly tone: Tone; readonly Icon: ComponentType }>> = {
  change: { tone: 'accent', Icon: SwapOutlined },
  same: { tone: 'muted', Icon: CheckOutlined },
  'outside-limits': { tone: 'caution', Icon: WarningOutlined },
  'not-controllable': { tone: 'caution', Icon: LockOutlined },
}

interface PlanTableProps {
  readonly devices: readonly Device[]
  readonly states: ReadonlyMap<number, DeviceState>
  /** Empty until a target is chosen. */
  readonly plan: readonly PlanItem[]
}

/** What an order would do to each valve. */
export function PlanTable({ devices, states, plan }: PlanTableProps) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const itemOf = new Map(plan.map((item) => [item.device.id, item]))
  return (
    <ul className={styles.plan} aria-label={t('set.preview')}>
      {devices.map((device) => {
        const item = itemOf.get(device.id)
        const look = item && looks[item.verdict]
        return (
          <li key={device.id} data-testid={`plan-${device.id}`}>
            <span className={styles.address} title={device.nestaddr}>
              {toCompactAddress(device.nestaddr)}
            </span>
            <span className={styles.change}>
              {format.metric('valve.opening', findMetric(states.get(device.id), 'valve.opening'))}
              <ArrowRightOutlined aria-hidden />
              <strong>{format.metric('valve.opening', item?.toPct)}</strong>
            </span>
            {item && look && (
              <Badge tone={look.tone} icon={<look.Icon />}>
                {t(`set.verdict.${item.verdict}`)}
              </Badge>
            )}
          </li>
        )
      })}
    </ul>
  )
}
