import {
  ArrowRightOutlined,
  CheckOutlined,
  LockOutlined,
  PushpinOutlined,
  StopOutlined,
  SwapOutlined,
  WarningOutlined,
} from '@ant-design/icons'
import type { ValveHold } from '@isotherm/contract/command'
import type { Device, DeviceState } from '@isotherm/contract/devices'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { Badge, type BadgeLooks } from '../../../shared/ui/badge.tsx'
import text from '../lists/text.module.css'
import { findMetric } from '../rows/valve-row.ts'
import type { PlanItem, PlanVerdict } from './opening-plan.ts'
import styles from './order.module.css'

const looks: BadgeLooks<PlanVerdict> = {
  change: { tone: 'accent', icon: <SwapOutlined /> },
  same: { tone: 'muted', icon: <CheckOutlined /> },
  held: { tone: 'caution', icon: <PushpinOutlined /> },
  'below-minimum': { tone: 'caution', icon: <WarningOutlined /> },
  'too-far': { tone: 'caution', icon: <WarningOutlined /> },
  'outside-limits': { tone: 'caution', icon: <WarningOutlined /> },
  'switched-off': { tone: 'caution', icon: <StopOutlined /> },
  retired: { tone: 'muted', icon: <StopOutlined /> },
  'not-a-valve': { tone: 'muted', icon: <StopOutlined /> },
  'not-controllable': { tone: 'caution', icon: <LockOutlined /> },
}

interface PlanRowProps {
  readonly device: Device
  readonly state: DeviceState | undefined
  readonly item: PlanItem | undefined
  readonly isPreviewed: boolean
}

/** The preview of an order for one valve: the change, the verdict and its reason. */
export function PlanRow({ device, state, item, isPreviewed }: PlanRowProps) {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const why = usePlanText(item)
  return (
    <>
      <span className={styles.place}>{toWholeAddress(device.nestaddr)}</span>
      <span className={styles.change}>
        {format.metric('valve.opening', findMetric(state, 'valve.opening'))}
        <ArrowRightOutlined aria-hidden />
        <strong>{format.metric('valve.opening', item?.toPct)}</strong>
      </span>
      {isPreviewed && item && (
        <span className={styles.verdict}>
          <Badge {...looks[item.verdict]}>{t(`set.verdict.${item.verdict}`)}</Badge>
          {why && <span className={text.hint}>{why}</span>}
        </span>
      )}
    </>
  )
}

/** Details of a verdict: the limit or hold that refuses it, or the hold that would end. */
function usePlanText(item: PlanItem | undefined): string | undefined {
  const { t } = useTranslation('valves')
  const format = useFormat()
  const describe = ({ actor, priority, until }: ValveHold) =>
    t('set.holder', {
      actor,
      priority: t(`order.priorities.${priority}`, { ns: 'common' }),
      instant: format.instant(until),
    })
  if (item?.ends) return t('set.endsHold', { hold: describe(item.ends) })
  if (!item?.refusal) return undefined
  const { hold, minPct, maxPct } = item.refusal
  if (hold) return describe(hold)
  if (minPct === undefined) return undefined
  return maxPct === undefined
    ? t('set.atLeast', { minPct: format.number(minPct, 0) })
    : t('set.within', { minPct: format.number(minPct, 0), maxPct: format.number(maxPct, 0) })
}
