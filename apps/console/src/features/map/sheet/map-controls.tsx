import { ExpandOutlined, MinusOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { MAX_ZOOM, type MapView } from '../view/mercator.ts'
import styles from './map.module.css'

interface MapControlsProps {
  readonly view: MapView
  readonly onView: (view: MapView) => void
  readonly onFit: () => void
}

/** Buttons for zoom in, zoom out and show all, and the north mark. */
export function MapControls({ view, onView, onFit }: MapControlsProps) {
  const { t } = useTranslation('map')
  const zoomBy = (steps: number) => () =>
    onView({ ...view, zoom: Math.min(MAX_ZOOM, Math.max(0, view.zoom + steps)) })
  const buttons = [
    { key: 'in', name: t('control.zoomIn'), icon: <PlusOutlined />, act: zoomBy(1) },
    { key: 'out', name: t('control.zoomOut'), icon: <MinusOutlined />, act: zoomBy(-1) },
    { key: 'fit', name: t('control.fit'), icon: <ExpandOutlined />, act: onFit },
  ]
  return (
    <div className={styles.controls}>
      {buttons.map(({ key, name, icon, act }) => (
        <Button
          key={key}
          icon={icon}
          aria-label={name}
          title={name}
          data-testid={`map-${key}`}
          onClick={act}
        />
      ))}
      <span className={styles.north} aria-hidden>
        <i />
        {t('control.north')}
      </span>
    </div>
  )
}
