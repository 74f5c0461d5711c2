import type { MapCluster, MapPlace } from '@isotherm/contract/network/map'
import type { RefusedGroundFile } from '@isotherm/contract/network/map-ground'
import type { NodeKey } from '@isotherm/contract/tree'
import { Button } from 'antd'
import { Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { lazyView } from '../../../shared/lazy/lazy-view.ts'
import { ErrorState, LoadingState } from '../../../shared/ui/states.tsx'
import { loadCanvas } from '../canvas/load-canvas.ts'
import { toClusterKey, toDrawn, toThingsScale } from '../paint/to-drawn.ts'
import { useThings } from '../places/use-things.ts'
import { toMetric } from '../view/colour-by.ts'
import { fromWgs84, intoWgs84 } from '../view/ground-position.ts'
import { type LngLat, type MapView, type Size, toCloser } from '../view/mercator.ts'
import { GroundNotice } from './ground-notice.tsx'
import styles from './map.module.css'
import { MapControls } from './map-controls.tsx'
import { MapLegend } from './map-legend.tsx'
import { useColouringName } from './map-toolbar.tsx'
import type { PlacedMapProps } from './placed-map.tsx'
import { useMapColours } from './use-map-colours.ts'

const MapCanvas = lazyView(loadCanvas)

interface MapSheetProps extends Pick<PlacedMapProps, 'subject' | 'base' | 'url' | 'drafting' | 'onOpen'> {
  readonly view: MapView
  readonly size: Size
  /** The only node that is selected in the tree. */
  readonly only: NodeKey | undefined
  readonly onView: (view: MapView) => void
  readonly onFit: () => void
}

/** The map with its legend and buttons. */
export function MapSheet(props: MapSheetProps) {
  const { subject, base, url, drafting, view, size, only, onView, onFit, onOpen } = props
  const { t } = useTranslation('map')
  const toName = useColouringName()
  const { by, place } = url
  const [moving, setMoving] = useState<MapView>()
  const [areTilesLost, setTilesLost] = useState(false)
  const [lostFiles, setLostFiles] = useState<readonly string[]>([])
  const colours = useMapColours(by)
  const shown = useThings(subject, toMetric(by), moving ?? view, size)
  const { things } = shown
  const scale = useMemo(() => toThingsScale(things, by), [things, by])
  const texts = useDrawnTexts(toMetric(by))
  const data = useMemo(() => toDrawn(things, { scale, ...texts }), [things, scale, texts])
  const mapStyle = useMemo(
    () => colours && { colours: colours.colours, isByHealth: by === 'health' },
    [colours, by],
  )
  const { draft } = drafting
  const { coordinates } = subject
  const pick = (key: string | undefined, at: LngLat) => {
    if (draft) return drafting.move(intoWgs84(at, coordinates))
    if (key === undefined) return
    const cluster = things.clusters.find((each) => toClusterKey(each) === key)
    if (cluster) onView(toCloser(cluster.extent, view, size))
    else onOpen(key)
  }
  return (
    <>
      {mapStyle && colours && (
        <Suspense fallback={<LoadingState text={t('loading')} />}>
          <MapCanvas
            view={view}
            mapStyle={mapStyle}
            tiles={base.tiles ?? undefined}
            ground={base.ground.files}
            groundColours={colours.groundColours}
            data={data}
            chosen={place ?? only}
            label={t('label', { count: countPlaces(things), by: toName(by) })}
            draft={draft?.at && fromWgs84(draft.at, coordinates)}
            draftLabel={draft ? t('form.marker', { name: draft.label }) : ''}
            onMove={setMoving}
            onView={(next) => {
              setMoving(undefined)
              onView(next)
            }}
            onClick={pick}
            onDraft={(at) => drafting.move(intoWgs84(at, coordinates))}
            onTilesFailed={() => setTilesLost(true)}
            onGroundFailed={(file) =>
              setLostFiles((files) => (files.includes(file) ? files : [...files, file]))
            }
          />
        </Suspense>
      )}
      <MapNotices
        shown={shown}
        areTilesLost={areTilesLost}
        refused={base.ground.refused}
        lostFiles={lostFiles}
      />
      <MapControls view={view} onView={onView} onFit={onFit} />
      <MapLegend by={by} scale={scale} />
    </>
  )
}

const countPlaces = ({ places, clusters }: ReturnType<typeof useThings>['things']): number =>
  clusters.reduce((sum, { count }) => sum + count, places.length)

/** Label texts of places and clusters: name or count, and value. */
function useDrawnTexts(metric: ReturnType<typeof toMetric>) {
  const format = useFormat()
  return useMemo(() => {
    const toLines = (first: string, { value }: MapPlace | MapCluster) =>
      metric && value ? `${first}\n${format.metric(metric, value.mean)}` : first
    return {
      toPlaceText: (place: MapPlace) => toLines(place.label, place),
      toClusterText: (cluster: MapCluster) => toLines(format.number(cluster.count, 0), cluster),
    }
  }, [metric, format])
}

interface MapNoticesProps {
  readonly shown: ReturnType<typeof useThings>
  readonly areTilesLost: boolean
  readonly refused: readonly RefusedGroundFile[]
  readonly lostFiles: readonly string[]
}

/** Notices about missing data, tiles or map files. */
function MapNotices({ shown, areTilesLost, refused, lostFiles }: MapNoticesProps) {
  const { t } = useTranslation(['map', 'common'])
  const { things, error, retry } = shown
  if (error && countPlaces(things) === 0) return <ErrorState error={error} onRetry={retry} />
  return (
    <div className={styles.notices}>
      {error && (
        <p className={styles.notice} role="status">
          {t('old')}
          <Button type="link" size="small" onClick={retry}>
            {t('state.retry', { ns: 'common' })}
          </Button>
        </p>
      )}
      {areTilesLost && (
        <p className={styles.notice} role="status">
          {t('tilesFailed')}
        </p>
      )}
      <GroundNotice refused={refused} lostFiles={lostFiles} />
    </div>
  )
}
