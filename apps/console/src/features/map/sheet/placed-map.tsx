import type { MapExtent } from '@isotherm/contract/network/map'
import type { NodeKey } from '@isotherm/contract/tree'
import { Button } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toSelectionMark } from '../../../shared/nodes/tree-selection.ts'
import { useIsMobile } from '../../../shared/screen/use-width.ts'
import type { Drafting } from '../detail/use-draft.ts'
import { PlaceList } from '../list/place-list.tsx'
import type { MapBase, MapSubject } from '../places/place-queries.ts'
import { useOnlyNode } from '../places/use-only-node.ts'
import type { MapUrl } from '../view/map-url.ts'
import { type MapView, type Size, toBounds, toFit } from '../view/mercator.ts'
import { useMeasuredBox } from '../view/use-measured-box.ts'
import styles from './map.module.css'
import { MapSheet } from './map-sheet.tsx'

export interface PlacedMapProps {
  readonly subject: MapSubject
  readonly base: MapBase
  /** The bounding box to show. */
  readonly extent: MapExtent
  /** No selected node has a position: `extent` is the box of its ancestor. */
  readonly isEmpty: boolean
  readonly url: MapUrl
  readonly change: (part: Partial<MapUrl>) => void
  readonly drafting: Drafting
  readonly onOpen: (node: NodeKey) => void
}

/** Assumed size while only the list is shown. */
const ASSUMED: Size = { widthPx: 800, heightPx: 600 }

/** The map and the list of its visible places. */
export function PlacedMap(props: PlacedMapProps) {
  const { subject, extent, isEmpty, url, change, onOpen } = props
  const { t } = useTranslation('map')
  const isMobile = useIsMobile()
  const [measure, measured] = useMeasuredBox()
  const size = measured ?? ASSUMED
  const mark = toSelectionMark(subject.nodes)
  const fit = useMemo(() => toFit(extent, size), [extent, size])
  // A view of another selection is not used for this one.
  const view = url.view && url.of === mark ? url.view : fit
  const within = useMemo(() => toBounds(view, size), [view, size])
  const only = useOnlyNode()
  const goTo = (next: MapView) => change({ view: next, of: mark })
  return (
    <div className={styles.columns} data-side={url.side}>
      <div className={styles.map} ref={measure} data-testid="map">
        {measured && (!isMobile || url.side === 'map') && (
          <MapSheet
            {...props}
            view={view}
            size={measured}
            only={only?.key}
            onView={goTo}
            onFit={() => change({ view: undefined })}
          />
        )}
        {isEmpty && only && (
          <div className={styles.notices}>
            <p className={styles.notice} role="status">
              {t('unplaced', { name: only.label })}
              <Button size="small" onClick={() => onOpen(only.key)}>
                {t('place.add')}
              </Button>
            </p>
          </div>
        )}
      </div>
      <div className={styles.list}>
        {(measured || (isMobile && url.side === 'list')) && (
          <PlaceList subject={subject} url={url} change={change} within={within} onOpen={onOpen} />
        )}
      </div>
    </div>
  )
}
