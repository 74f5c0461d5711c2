import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Answer } from '../../../shared/ui/answer.tsx'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { placeQuery } from '../places/place-queries.ts'
import type { LngLat } from '../view/mercator.ts'
import { PlaceDetails } from './place-details.tsx'
import type { Drafting } from './use-draft.ts'

interface PlaceDrawerProps {
  /** Undefined closes the drawer. */
  readonly node: NodeKey | undefined
  readonly drafting: Drafting
  /** Centres the map on a WGS-84 position. */
  readonly onShow: (at: LngLat) => void
  readonly onClose: () => void
}

const WIDTH_PX = 380

/** The details of one node, beside the map or, on a phone, below it. */
export function PlaceDrawer({ node, drafting, onShow, onClose }: PlaceDrawerProps) {
  const { t } = useTranslation('map')
  const query = useQuery({ ...placeQuery(node ?? ''), enabled: node !== undefined })
  return (
    <SideDrawer
      isWanted={node !== undefined}
      title={(node !== undefined && query.data?.label) || t('title')}
      widthPx={WIDTH_PX}
      isSheet
      onClose={onClose}
    >
      {node !== undefined && (
        <Answer query={query}>
          {(found) => <PlaceDetails key={found.node} found={found} drafting={drafting} onShow={onShow} />}
        </Answer>
      )}
    </SideDrawer>
  )
}
