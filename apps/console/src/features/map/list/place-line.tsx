import type { MapPlace } from '@isotherm/contract/network/map'
import type { NodeKey } from '@isotherm/contract/tree'
import { useTranslation } from 'react-i18next'
import { toCompactAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { type HeatScale, toShare } from '../../../shared/section/heat-scale.ts'
import { HealthBadge } from '../places/health-badge.tsx'
import { type ColourBy, healthFills, toMetric, toShareFill } from '../view/colour-by.ts'
import styles from './list.module.css'

/** A place with its address. */
export interface ListedPlace extends MapPlace {
  readonly nestaddr: string
}

interface PlaceLineProps {
  readonly place: ListedPlace
  readonly by: ColourBy
  readonly scale: HeatScale | undefined
  readonly isChosen: boolean
  readonly onOpen: (node: NodeKey) => void
}

/** One place of the list: name, address and the value of the colouring. */
export function PlaceLine({ place, by, scale, isChosen, onOpen }: PlaceLineProps) {
  const { t } = useTranslation('map')
  const format = useFormat()
  const { node, label, nestaddr, value, health } = place
  const metric = toMetric(by)
  const fill = metric ? value && scale && toShareFill(by, toShare(value.mean, scale)) : healthFills[health]
  return (
    <button
      type="button"
      className={`bare ${styles.line}`}
      aria-current={isChosen}
      data-testid={`map-place-${node}`}
      onClick={() => onOpen(node)}
    >
      <i style={fill ? { background: fill } : undefined} />
      <span className={styles.name}>
        <strong>{label}</strong>
        <small>{toCompactAddress(nestaddr.split(',').slice(0, -1).join(','))}</small>
      </span>
      <span className={styles.value}>
        {metric && (
          <span className="num">{value ? format.metric(metric, value.mean) : t('legend.noValue')}</span>
        )}
        {(!metric || health === 'alarm' || health === 'caution') && <HealthBadge health={health} />}
      </span>
    </button>
  )
}
