import type { CampaignDetail, CampaignMember } from '@isotherm/contract/balancing'
import { Segmented, Select } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BuildingSection } from '../../../shared/cross-section.ts'
import { toCompactAddress, toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { type HeatScale, toRamp, toShare } from '../../../shared/heat-scale.ts'
import { Panel } from '../../../shared/ui/page-frame.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { useIsMobile } from '../../../shared/ui/use-width.ts'
import { cellDecimals, toCellFill } from '../now/cell-metric.ts'
import styles from './map.module.css'
import {
  findMapValue,
  type MapMetric,
  type MapSide,
  mapMetrics,
  toMapScale,
  toMemberSections,
} from './member-map.ts'

/** Every valve in its building and unit, before beside after; where there is no room for both, one of them. */
export function MapPanel({ campaign }: { readonly campaign: CampaignDetail }) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  const isMobile = useIsMobile()
  const { members, indices } = campaign
  const hasAfter = indices.after !== undefined
  const [metric, setMetric] = useState<MapMetric>('return')
  const [chosen, setChosen] = useState<MapSide>()
  const side = chosen ?? (hasAfter ? 'after' : 'expected')
  const sections = useMemo(() => toMemberSections(members), [members])
  const scale = useMemo(() => toMapScale(members, metric), [members, metric])
  const choices = (['before', 'expected', 'after'] as const).filter(
    (each) => (each !== 'before' || isMobile) && (each !== 'after' || hasAfter),
  )
  const sides: readonly MapSide[] = isMobile ? [side] : ['before', side === 'before' ? 'expected' : side]
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
            options={choices.map((each) => ({ value: each, label: t(`campaign.figures.${each}`) }))}
            onChange={setChosen}
          />
        )}
        {scale && (
          <span className={styles.scale}>
            <span className="num">{format.number(scale.low, decimals)}</span>
            <i style={{ background: toRamp((share) => toCellFill(share, metric)) }} />
            <span className="num">{format.number(scale.high, decimals)}</span>
          </span>
        )}
      </div>
      {scale ? <MapGrid sections={sections} sides={sides} metric={metric} scale={scale} /> : <EmptyState />}
    </Panel>
  )
}

interface MapLook {
  readonly sides: readonly MapSide[]
  readonly metric: MapMetric
  readonly scale: HeatScale
}

/** A line for each building, its sides beside one another. */
export function MapGrid({
  sections,
  ...look
}: MapLook & { readonly sections: readonly BuildingSection<CampaignMember>[] }) {
  const { t } = useTranslation('balancing')
  return (
    <div className={styles.map} data-testid="campaign-map" data-sides={look.sides.length}>
      <div className={styles.line} aria-hidden>
        <span />
        {look.sides.map((side) => (
          <strong key={side}>{t(`campaign.figures.${side}`)}</strong>
        ))}
      </div>
      {sections.map((section) => (
        <div key={section.key} className={styles.line}>
          <span className={styles.building} title={toWholeAddress(section.key)}>
            {section.key.split(',').slice(-2).join(' / ')}
          </span>
          {look.sides.map((side) => (
            <Building key={side} section={section} side={side} {...look} />
          ))}
        </div>
      ))}
    </div>
  )
}

interface BuildingProps extends MapLook {
  readonly section: BuildingSection<CampaignMember>
  readonly side: MapSide
}

function Building({ section: { units, storeys }, side, metric, scale }: BuildingProps) {
  const { t } = useTranslation('balancing')
  const format = useFormat()
  return (
    <div className={styles.storeys}>
      {storeys.map(({ floor, cells }) => (
        <div key={floor} className={styles.storey}>
          {cells.map((cell, unit) => (
            <span key={units[unit]} className={styles.unit}>
              {cell.map((member) => {
                const value = findMapValue(member, side, metric)
                const text = format.number(value, cellDecimals[metric])
                const title = t('campaign.map.cell', {
                  place: toCompactAddress(member.nestaddr),
                  side: t(`campaign.figures.${side}`),
                  value: text,
                })
                return (
                  <span
                    key={member.deviceId}
                    role="img"
                    className={styles.cell}
                    title={title}
                    aria-label={title}
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
