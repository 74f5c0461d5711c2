import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../../../../shared/format/address.ts'
import { useFormat } from '../../../../shared/format/use-format.ts'
import { HeatRamp } from '../../../../shared/section/heat-ramp.tsx'
import { type HeatScale, toShare } from '../../../../shared/section/heat-scale.ts'
import { cellDecimals, toCellFill } from '../../cell-metric.ts'
import { isUndone } from '../figures/figure-rows.ts'
import styles from '../parts/report.module.css'
import {
  PLAN_MARGIN,
  PLAN_WIDTH,
  type PlacedBuilding,
  type PlanSpot,
  toDeviationPlan,
  toRadius,
} from './deviation-plan.ts'
import { MapGrid } from './map-panel.tsx'
import { type MapSide, toMapScale, toMapValues, toMemberSections } from './member-map.ts'

interface ReportMapProps {
  readonly campaign: CampaignDetail
  /** Positions of its buildings, as far as known. */
  readonly places: readonly PlacedBuilding[]
}

/** Deviation of buildings from the mean return, before and after, on a plan or as cross-sections. */
export function ReportMap({ campaign, places }: ReportMapProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const { members, indices } = campaign
  const right: MapSide = indices.after === undefined ? 'expected' : 'after'
  const sides = ['before', right] as const
  const values = {
    before: toMapValues(members, 'before', 'deviation'),
    expected: toMapValues(members, 'expected', 'deviation'),
    after: toMapValues(members, 'after', 'deviation'),
  }
  const scale = toMapScale([values.before, values[right]], 'deviation')
  if (!scale) return null
  const plans = sides.map((side) => toDeviationPlan(members, values[side], places))
  const decimals = cellDecimals.deviation
  const nameOf = (side: MapSide) =>
    t(`campaign.figures.${side === 'after' && isUndone(campaign) ? 'undone' : side}`)
  return (
    <>
      <h2>{t('campaign.report.map')}</h2>
      <p className={styles.facts}>
        <HeatRamp
          low={format.number(scale.low, decimals)}
          high={format.number(scale.high, decimals)}
          fill={(share) => toCellFill(share, 'deviation')}
        />
        <span>{t('campaign.report.mapHint')}</span>
      </p>
      {plans.every((plan) => plan !== undefined) ? (
        <div className={styles.plans} data-testid="deviation-plan">
          {plans.map((plan, index) => {
            const name = nameOf(sides[index] ?? right)
            return plan && <DeviationPlan key={name} name={name} spots={plan} scale={scale} />
          })}
        </div>
      ) : (
        <MapGrid
          sections={toMemberSections(members)}
          sides={sides}
          values={values}
          metric="deviation"
          scale={scale}
        />
      )}
    </>
  )
}

interface DeviationPlanProps {
  readonly name: string
  readonly spots: readonly PlanSpot[]
  readonly scale: HeatScale
}

/** Maximum of spots with names. */
const MAX_NAMED = 60

function DeviationPlan({ name, spots, scale }: DeviationPlanProps) {
  const format = useFormat()
  const radius = toRadius(spots)
  const top = Math.min(...spots.map(({ y }) => y)) - PLAN_MARGIN
  const bottom = Math.max(...spots.map(({ y }) => y)) + PLAN_MARGIN
  return (
    <figure>
      <figcaption>{name}</figcaption>
      <svg viewBox={`0 ${top} ${PLAN_WIDTH} ${bottom - top}`} role="img" aria-label={name}>
        {spots.map(({ key, x, y, valueK }) => (
          <g key={key} transform={`translate(${x} ${y})`}>
            <title>{toWholeAddress(key)}</title>
            <circle
              r={radius}
              style={{
                fill: valueK === undefined ? 'none' : toCellFill(toShare(valueK, scale), 'deviation'),
              }}
            />
            {spots.length <= MAX_NAMED && (
              <>
                <text className={styles.value} dy="0.35em">
                  {format.number(valueK, 1)}
                </text>
                <text dy={radius + 8}>{key.split(',').at(-1)}</text>
              </>
            )}
          </g>
        ))}
      </svg>
    </figure>
  )
}
