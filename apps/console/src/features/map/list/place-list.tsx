import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Select } from 'antd'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Answer } from '../../../shared/ui/answer.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { type MapSubject, placesQuery } from '../places/place-queries.ts'
import { toMetric, toOwnScale } from '../view/colour-by.ts'
import { type ListOrder, listOrders, type MapUrl } from '../view/map-url.ts'
import type { Bounds } from '../view/mercator.ts'
import styles from './list.module.css'
import { type ListedPlace, PlaceLine } from './place-line.tsx'

interface PlaceListProps {
  readonly subject: MapSubject
  readonly url: MapUrl
  readonly change: (part: Partial<MapUrl>) => void
  /** The visible part of the map. */
  readonly within: Bounds
  readonly onOpen: (node: NodeKey) => void
}

/** The visible places as a list: for screen readers, and for sorting by value. */
export function PlaceList({ subject, url, change, within, onOpen }: PlaceListProps) {
  const { t } = useTranslation('map')
  const { by, order, place } = url
  const metric = toMetric(by)
  // Device state has no numeric order, so the network order is used.
  const sorted = metric ? order : 'tree'
  const query = useQuery(placesQuery(subject, { metric, within, order: sorted }))
  return (
    <section className={styles.panel} aria-label={t('list.label')} data-testid="map-list">
      <Answer query={query}>
        {({ datalist, total }) => (
          <>
            <header className={styles.head}>
              <span role="status">
                {t(total > datalist.length ? 'list.most' : 'list.total', {
                  count: total,
                  shown: datalist.length,
                })}
              </span>
              {metric && (
                <Select<ListOrder>
                  size="small"
                  className={styles.order ?? ''}
                  aria-label={t('list.order')}
                  value={order}
                  options={listOrders.map((each) => ({ value: each, label: t(`list.${each}`) }))}
                  onChange={(next) => change({ order: next })}
                />
              )}
            </header>
            {datalist.length === 0 ? (
              <EmptyState title={t('list.none')} />
            ) : (
              <Lines
                places={datalist}
                by={by}
                scale={toOwnScale(
                  by,
                  datalist.flatMap(({ value }) => value?.mean ?? []),
                )}
                chosen={place}
                onOpen={onOpen}
              />
            )}
          </>
        )}
      </Answer>
    </section>
  )
}

const LINE_PX = 52

interface LinesProps extends Pick<Parameters<typeof PlaceLine>[0], 'by' | 'scale' | 'onOpen'> {
  readonly places: readonly ListedPlace[]
  readonly chosen: NodeKey | undefined
}

function Lines({ places, chosen, ...line }: LinesProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: places.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    overscan: 6,
  })
  return (
    <div className={styles.scroller} ref={scroller}>
      <ul className={styles.lines} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const place = places[index]
          return place ? (
            <li key={key} style={{ transform: `translateY(${start}px)`, height: LINE_PX }}>
              <PlaceLine {...line} place={place} isChosen={place.node === chosen} />
            </li>
          ) : null
        })}
      </ul>
    </div>
  )
}
