import { Segmented, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useIsMobile } from '../../../shared/screen/use-width.ts'
import { type ColourBy, colourings } from '../view/colour-by.ts'
import { type MapUrl, sides } from '../view/map-url.ts'
import styles from './map.module.css'

interface MapToolbarProps {
  readonly url: MapUrl
  readonly change: (part: Partial<MapUrl>) => void
}

/** Choice of the colouring; on a narrow screen also of map or list. */
export function MapToolbar({ url, change }: MapToolbarProps) {
  const { t } = useTranslation('map')
  const toName = useColouringName()
  const isMobile = useIsMobile()
  return (
    <div className={styles.toolbar}>
      <Select<ColourBy>
        className={styles.by ?? ''}
        aria-label={t('by.label')}
        data-testid="map-by"
        value={url.by}
        options={colourings.map((each) => ({ value: each, label: toName(each) }))}
        onChange={(by) => change({ by })}
      />
      {isMobile && (
        <Segmented
          aria-label={t('side.label')}
          value={url.side}
          options={sides.map((each) => ({ value: each, label: t(`side.${each}`) }))}
          onChange={(side) => change({ side })}
        />
      )}
    </div>
  )
}

/** Returns the name of a colouring. */
export function useColouringName(): (by: ColourBy) => string {
  const { t } = useTranslation('map')
  const format = useFormat()
  return (by) => (by === 'health' ? t('by.health') : format.metricName(by))
}
