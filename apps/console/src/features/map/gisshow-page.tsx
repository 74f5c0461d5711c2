import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { toSelectionMark, useSelectedNodes } from '../../shared/nodes/tree-selection.ts'
import { useIsMobile } from '../../shared/screen/use-width.ts'
import { Answer } from '../../shared/ui/answer.tsx'
import { PageFrame } from '../../shared/ui/page-frame.tsx'
import { SelectionGone } from '../../shared/ui/selection-gone.tsx'
import { usePageUrl } from '../../shared/url/use-page-url.ts'
import { loadCanvas } from './canvas/load-canvas.ts'
import { PlaceDrawer } from './detail/place-drawer.tsx'
import { type Draft, useDraft } from './detail/use-draft.ts'
import { NoPlaces } from './no-places.tsx'
import { baseQuery, extentQuery } from './places/place-queries.ts'
import { usePlaceEvents } from './places/use-place-events.ts'
import { MapToolbar } from './sheet/map-toolbar.tsx'
import { PlacedMap } from './sheet/placed-map.tsx'
import { fromWgs84 } from './view/ground-position.ts'
import { parseMapUrl, toMapSearch } from './view/map-url.ts'
import { type LngLat, toLifted } from './view/mercator.ts'

/** The map of the selected subtree: stations, pipes and buildings, coloured by a metric or by device state. */
export default function GisshowPage() {
  const nodes = useSelectedNodes()
  return nodes ? (
    <MapOf nodes={nodes} />
  ) : (
    <PageFrame>
      <SelectionGone />
    </PageFrame>
  )
}

/** Zoom for one building with the streets around it. */
const STREETS_ZOOM = 16
/** On a phone the details cover the lower part of the map, so the position is shown so far above the middle, px. */
const ABOVE_SHEET_PX = 200

function MapOf({ nodes }: { readonly nodes: readonly NodeKey[] }) {
  const { t } = useTranslation('map')
  const [url, change] = usePageUrl(parseMapUrl, toMapSearch)
  const drafting = useDraft(url.place)
  const isMobile = useIsMobile()
  const isDrawn = !isMobile || url.side === 'map'
  useEffect(() => {
    // Loads the canvas in parallel with the data. A failure is shown in place of the map.
    if (isDrawn) loadCanvas().catch(() => undefined)
  }, [isDrawn])
  const base = useQuery(baseQuery())
  const coordinates = base.data?.coordinates ?? 'wgs84'
  const extent = useQuery({ ...extentQuery({ nodes, coordinates }), enabled: base.data !== undefined })
  usePlaceEvents()
  const open = (place: NodeKey) => {
    drafting.end()
    change({ place }, { push: true })
  }
  const show = (at: LngLat) => {
    const zoom = Math.max(url.view?.zoom ?? 0, STREETS_ZOOM)
    const view = toLifted(fromWgs84(at, coordinates), zoom, isMobile ? ABOVE_SHEET_PX : 0)
    change({ view, of: toSelectionMark(nodes), side: 'map' })
  }
  // On a phone the map must be visible to place the marker.
  const begin = (draft: Draft) => {
    drafting.begin(draft)
    if (!isMobile) return
    if (draft.at) show(draft.at)
    else change({ side: 'map' })
  }
  return (
    <PageFrame fill toolbar={<MapToolbar url={url} change={change} />}>
      <Answer query={base} loading={t('loading')}>
        {(mapBase) => (
          <Answer query={extent} loading={t('loading')}>
            {({ extent: box, count }) =>
              box ? (
                <PlacedMap
                  subject={{ nodes, coordinates }}
                  base={mapBase}
                  extent={box}
                  isEmpty={count === 0}
                  url={url}
                  change={change}
                  drafting={drafting}
                  onOpen={open}
                />
              ) : (
                <NoPlaces onOpen={open} />
              )
            }
          </Answer>
        )}
      </Answer>
      <PlaceDrawer
        node={url.place}
        drafting={{ ...drafting, begin }}
        onShow={show}
        onClose={() => {
          drafting.end()
          change({ place: undefined })
        }}
      />
    </PageFrame>
  )
}
