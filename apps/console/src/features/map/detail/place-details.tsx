import { AimOutlined, EditOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { createElement } from 'react'
import { useTranslation } from 'react-i18next'
import { toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useNodePages } from '../../../shared/nodes/node-pages.ts'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import { HealthBadge } from '../places/health-badge.tsx'
import type { FoundPlace } from '../places/place-queries.ts'
import { MAP_PATH } from '../view/map-path.ts'
import type { LngLat } from '../view/mercator.ts'
import styles from './detail.module.css'
import { PositionForm } from './position-form.tsx'
import type { Drafting } from './use-draft.ts'

interface PlaceDetailsProps {
  readonly found: FoundPlace
  readonly drafting: Drafting
  readonly onShow: (at: LngLat) => void
}

/**
 * Position, device state and values of a node, with links to other pages. While the node is being placed only the form is
 * shown, because on a phone it would be below the visible part.
 */
export function PlaceDetails({ found, drafting, onShow }: PlaceDetailsProps) {
  const { t } = useTranslation('map')
  const format = useFormat()
  const { health, devCount, silentCount, badCount } = found
  const counts = [
    t('place.deviceCount', { count: devCount }),
    ...(silentCount > 0 ? [t('place.silent', { count: silentCount })] : []),
    ...(badCount > 0 ? [t('place.bad', { count: badCount })] : []),
  ]
  const values = found.values.map(({ metric, mean, low, high, count }) => {
    const range = { low: format.metricValue(metric, low), high: format.metricValue(metric, high), count }
    const value = (
      <>
        {format.metric(metric, mean)}
        <small className={styles.hint}>
          {count === 1 ? t('place.deviceCount', { count }) : t('place.valueOf', range)}
        </small>
      </>
    )
    return [format.metricName(metric), value] as const
  })
  return (
    <div className={styles.place} data-testid="map-details">
      <p className={styles.hint}>{toWholeAddress(found.nestaddr)}</p>
      <div className={styles.line}>
        <HealthBadge health={health} />
        <span className={styles.hint}>{counts.join(' · ')}</span>
      </div>
      {drafting.draft?.node !== found.node && (
        <>
          <NodePages found={found} />
          <section>
            <h3>{t('place.values')}</h3>
            {found.values.length === 0 ? (
              <p className={styles.hint}>{t('place.noValues')}</p>
            ) : (
              <FactList facts={values} className={styles.values} isTiled />
            )}
          </section>
        </>
      )}
      <Position found={found} drafting={drafting} onShow={onShow} />
    </div>
  )
}

/** The pages of the node menu, except the map itself. */
function NodePages({ found }: { readonly found: FoundPlace }) {
  const { t } = useTranslation()
  const { t: tMap } = useTranslation('map')
  const { pages, open } = useNodePages()
  return (
    <nav className={styles.line} aria-label={tMap('place.pages')}>
      {pages
        .filter(({ path }) => path !== MAP_PATH)
        .map(({ path, nodeAction, icon }) => (
          <Button
            key={path}
            size="small"
            icon={icon && createElement(icon)}
            onClick={() => open(path, found.chain)}
          >
            {nodeAction?.(t)}
          </Button>
        ))}
    </nav>
  )
}

/** Shown decimals of a degree: one decimetre. */
const DECIMALS = 6

function Position({ found, drafting, onShow }: PlaceDetailsProps) {
  const { t } = useTranslation('map')
  const format = useFormat()
  const { node, label, place, version, abilities } = found
  const { draft } = drafting
  const edit = () =>
    drafting.begin({
      node,
      label,
      version,
      outline: place?.outline ?? null,
      at: place ? [place.longitudeDeg, place.latitudeDeg] : undefined,
    })
  return (
    <section>
      <h3>{t('place.position')}</h3>
      {draft?.node === node ? (
        <PositionForm
          draft={draft}
          isRemovable={place !== null && abilities.includes('remove')}
          drafting={drafting}
        />
      ) : (
        <div className={styles.line}>
          <span className="num" data-testid="map-position">
            {place
              ? `${format.number(place.longitudeDeg, DECIMALS)}°, ${format.number(place.latitudeDeg, DECIMALS)}° (${t('form.wgs84')})`
              : t('place.noPosition')}
          </span>
          {place && (
            <Button
              size="small"
              icon={<AimOutlined />}
              onClick={() => onShow([place.longitudeDeg, place.latitudeDeg])}
            >
              {t('place.show')}
            </Button>
          )}
          {abilities.includes('edit') && (
            <Button size="small" icon={<EditOutlined />} data-testid="map-edit" onClick={edit}>
              {t(place ? 'place.edit' : 'place.add')}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}
