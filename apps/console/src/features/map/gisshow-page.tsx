import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSelectedNodes } from '../../shared/tree-selection.ts'
import { Answer } from '../../shared/ui/answer.tsx'
import { PageFrame } from '../../shared/ui/page-frame.tsx'
import { SelectionGone } from '../../shared/ui/selection-gone.tsx'
import { usePageUrl } from '../../shared/use-page-url.ts'
import { PlaceDrawer } from './detail/place-drawer.tsx'
import { useDraft } from './detail/use-draft.ts'
import { MapToolbar } from './map-toolbar.tsx'
import { parseMapUrl, toMapSearch } from './map-url.ts'
import { NoPlaces } from './no-places.tsx'
import { PlacedMap } from './placed-map.tsx'
import { baseQuery, extentQuery } from './queries.ts'
import { usePlaceNews } from './use-place-news.ts'

/** Stations, pipes and buildings of the selected subtree where they lie, coloured by how they are. */
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

function MapOf({ nodes }: { readonly nodes: readonly NodeKey[] }) {
  const { t } = useTranslation('map')
  const [url, change] = usePageUrl(parseMapUrl, toMapSearch)
  const drafting = useDraft()
  const base = useQuery(baseQuery())
  const coordinates = base.data?.coordinates ?? 'wgs84'
  const extent = useQuery({ ...extentQuery({ nodes, coordinates }), enabled: base.data !== undefined })
  usePlaceNews()
  const open = (place: NodeKey) => {
    drafting.end()
    change({ place }, { push: true })
  }
  return (
    <PageFrame fill toolbar={<MapToolbar url={url} change={change} />}>
      <Answer query={base} loading={t('loading')}>
        {(tiles) => (
          <Answer query={extent} loading={t('loading')}>
            {({ extent: box, count }) =>
              box ? (
                <PlacedMap
                  subject={{ nodes, coordinates }}
                  tiles={tiles}
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
        drafting={drafting}
        onClose={() => {
          drafting.end()
          change({ place: undefined })
        }}
      />
    </PageFrame>
  )
}
