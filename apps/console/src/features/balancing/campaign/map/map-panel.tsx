import type { CampaignDetail, CampaignMember } from '@isotherm/contract/balancing/campaign'
import { Segmented, Select } from 'antd'
import { type CSSProperties, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toCompactAddress, toWholeAddress } from '../../../../shared/format/address.ts'
import { useFormat } from '../../../../shared/format/use-format.ts'
import { useIsMobile } from '../../../../shared/screen/use-width.ts'
import { HeatRamp } from '../../../../shared/section/heat-ramp.tsx'
import { type HeatScale, toShare } from '../../../../shared/section/heat-scale.ts'
import { type BuildingSection, toWidth } from '../../../../shared/section/section-layout.ts'
import { Panel } from '../../../../shared/ui/page-frame.tsx'
import { EmptyState } from '../../../../shared/ui/states.tsx'
import { cellDecimals, toCellFill } from '../../cell-metric.ts'
import { isUndone } from '../figures/figure-rows.ts'
import { sourceOf } from '../rooms/room-rows.ts'
import styles from './map.module.css'
import {
  type MapMetric,
  type MapSide,
  type MapValues,
  mapMetrics,
  mapSides,
  toMapScale,
  toMapValues,
  toMemberSections,
} from './member-map.ts'

/** Cross-sections of all valves, before and after side by side; on a narrow screen one of them. */
export function MapPanel({ campaign }: { readonly campaign: CampaignDetail }) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const isMobile = useIsMobile()
  const { members, indices } = campaign
  const hasAfter = indices.after !== undefined
  const nameOf = (each: MapSide) =>
    t(`campaign.figures.${each === 'after' && isUndone(campaign) ? 'undone' : each}`)
  const [metric, setMetric] = useState<MapMetric>('deviation')
  const [chosen, setChosen] = useState<MapSide>()
  const side = chosen ?? (hasAfter ? 'after' : 'expected')
  const sections = useMemo(() => toMemberSections(members), [members])
  const values = useMemo(
    () => ({
      before: toMapValues(members, 'before', metric),
      expected: toMapValues(members, 'expected', metric),
      after: toMapValues(members, 'after', metric),
    }),
    [members, metric],
  )
  const scale = toMapScale(Object.values(values), metric)
  // On a wide screen `before` is always shown on the left, and the choice is that of the right side.
  const choices = mapSides.filter((each) => (each !== 'before' || isMobile) && (each !== 'after' || hasAfter))
  const right = side === 'before' ? 'expected' : side
  const sides: readonly MapSide[] = isMobile ? [side] : ['before', right]
  const decimals = cellDecimals[metric]
  return (
    <Panel title={t('campaign.map.title')}>
      <div className={styles.legend}>
        <Select<MapMetric>
          size="small"
          className={styles.metric ?? ''}
          aria-label={t('campaign.map.metric')}
          value={metric}
          options={mapMetrics.map((each) => ({ value: each, label: t(`section.metric.${each}`) }))}
          onChange={setMetric}
        />
        {choices.length > 1 && (
          <Segmented<MapSide>
            size="small"
            aria-label={t('campaign.map.side')}
            value={sides.at(-1) ?? side}
            options={choices.map((each) => ({ value: each, label: nameOf(each) }))}
            onChange={setChosen}
          />
        )}
        {scale && (
          <HeatRamp
            low={format.number(scale.low, decimals)}
            high={format.number(scale.high, decimals)}
            fill={(share) => toCellFill(share, metric)}
          />
        )}
        {!isMobile && (
          <span className={styles.hint}>{t('campaign.map.sides', { right: nameOf(right) })}</span>
        )}
      </div>
      {scale ? (
        <MapGrid sections={sections} sides={sides} values={values} metric={metric} scale={scale} />
      ) : (
        <EmptyState />
      )}
    </Panel>
  )
}

interface MapDisplay {
  readonly values: Readonly<Record<MapSide, MapValues>>
  readonly metric: MapMetric
  readonly scale: HeatScale
}

interface MapGridProps extends MapDisplay {
  readonly sections: readonly BuildingSection<CampaignMember>[]
  readonly sides: readonly MapSide[]
}

/** Width of a valve's cell. */
const CELL_PX = 50

/** Buildings in as many columns as fit, each with both sides. */
export function MapGrid({ sections, sides, ...display }: MapGridProps) {
  const widest = Math.max(1, ...sections.map(toWidth))
  const sizes: CSSProperties & Record<`--${string}`, string | number> = {
    '--side': `${widest * CELL_PX}px`,
    '--sides': sides.length,
  }
  return (
    <div className={styles.map} style={sizes} data-testid="campaign-map" data-sides={sides.length}>
      {sections.map((section) => (
        <div key={section.key} className={styles.line}>
          <span className={styles.building} title={toWholeAddress(section.key)}>
            {section.key.split(',').slice(-2).join(' / ')}
          </span>
          {sides.map((side) => (
            <Building key={side} section={section} side={side} {...display} />
          ))}
        </div>
      ))}
    </div>
  )
}

interface BuildingProps extends MapDisplay {
  readonly section: BuildingSection<CampaignMember>
  readonly side: MapSide
}

function Building({ section: { units, storeys }, side, values, metric, scale }: BuildingProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  return (
    <div className={styles.storeys}>
      {storeys.map(({ floor, cells }) => (
        <div key={floor} className={styles.storey}>
          {cells.map((cell, unit) => (
            <span key={units[unit]} className={styles.unit}>
              {cell.map((member) => {
                const value = values[side].get(member.deviceId)
                const text = format.number(value, cellDecimals[metric])
                const isEstimated =
                  metric === 'room' && side !== 'after' && sourceOf(member.before) === 'estimated'
                const facts = t('campaign.map.cell', {
                  place: toCompactAddress(member.nestaddr),
                  side: t(`campaign.figures.${side}`),
                  value: text,
                })
                const title = isEstimated ? `${facts} · ${t('campaign.rooms.estimated')}` : facts
                return (
                  <span
                    key={member.deviceId}
                    role="img"
                    className={styles.cell}
                    title={title}
                    aria-label={title}
                    data-estimated={isEstimated || undefined}
                    data-excluded={member.excluded !== undefined || undefined}
                    style={
                      value === undefined
                        ? undefined
                        : { background: toCellFill(toShare(value, scale), metric) }
                    }
                  >
                    {text}
                  </span>
                )
              })}
            </span>
          ))}
        </div>
      ))}
    </div>
  )
}
