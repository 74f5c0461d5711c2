import type { Device } from '@isotherm/contract/devices'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StateLookup } from '../../../shared/live/states-by-id.ts'
import { CountChips } from '../../../shared/ui/count-chips.tsx'
import { countVerdicts, type PlanItem, type PlanVerdict } from './opening-plan.ts'
import styles from './order.module.css'
import { PlanRow } from './plan-row.tsx'

interface PlanTableProps {
  readonly devices: readonly Device[]
  readonly states: StateLookup
  /** Empty until a target is entered. */
  readonly plan: readonly PlanItem[]
  /** Whether the preview from the server has arrived. */
  readonly isPreviewed: boolean
}

const ROW_PX = 36

/** The preview of an order: number of valves per verdict, and one row per valve. Only visible rows are rendered. */
export function PlanTable({ devices, states, plan, isPreviewed }: PlanTableProps) {
  const { t } = useTranslation('valves')
  const [chosen, setChosen] = useState<PlanVerdict>()
  const counts = useMemo(() => (isPreviewed ? countVerdicts(plan) : []), [plan, isPreviewed])
  const shown = counts.some(([verdict]) => verdict === chosen) ? chosen : undefined
  const itemOf = useMemo(() => new Map(plan.map((item) => [item.device.id, item])), [plan])
  const rows = useMemo(
    () => (shown ? devices.filter(({ id }) => itemOf.get(id)?.verdict === shown) : devices),
    [devices, itemOf, shown],
  )
  const scroller = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
    getItemKey: (index) => rows[index]?.id ?? index,
  })
  return (
    <>
      {devices.length > 1 && counts.length > 0 && (
        <CountChips
          label={t('set.preview')}
          chips={counts.map(([key, count]) => ({ key, text: t(`set.verdict.${key}`), count }))}
          chosen={shown}
          onChoose={(verdict) => setChosen(verdict === shown ? undefined : verdict)}
          testId="plan-count"
        />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard, and its rows take no focus */}
      <section className={styles.plan} ref={scroller} aria-label={t('set.preview')} tabIndex={0}>
        <ul style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const device = rows[item.index]
            return device ? (
              <li
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                data-testid={`plan-${device.id}`}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <PlanRow
                  device={device}
                  state={states.get(device.id)}
                  item={itemOf.get(device.id)}
                  isPreviewed={isPreviewed}
                />
              </li>
            ) : null
          })}
        </ul>
      </section>
    </>
  )
}
