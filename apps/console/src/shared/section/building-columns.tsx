import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useMemo, useRef } from 'react'
import styles from './building-columns.module.css'
import { type BuildingSection, toWidth } from './section-layout.ts'

interface BuildingLanesProps<Row> {
  readonly sections: readonly BuildingSection<Row>[]
  /** Width that there is, px; nothing is shown while it is 0. */
  readonly widthPx: number
  readonly children: (section: BuildingSection<Row>) => ReactNode
}

/** Room for a building's name, for the name of a floor, for a cell with its gap, and for a floor, px. */
const ROOM = { headPx: 64, floorPx: 64, cellPx: 58, storeyPx: 28 } as const

/** Buildings in as many lanes as there is room for, within what scrolls around them; only those in sight exist. */
export function BuildingLanes<Row>({ sections, widthPx, children }: BuildingLanesProps<Row>) {
  const widest = useMemo(() => Math.max(1, ...sections.map(toWidth)), [sections])
  if (widthPx === 0) return null
  const lanes = Math.max(1, Math.floor(widthPx / (ROOM.floorPx + widest * ROOM.cellPx)))
  return (
    <Lanes key={lanes} lanes={lanes} sections={sections}>
      {children}
    </Lanes>
  )
}

interface LanesProps<Row> extends Pick<BuildingLanesProps<Row>, 'sections' | 'children'> {
  readonly lanes: number
}

function Lanes<Row>({ sections, lanes, children }: LanesProps<Row>) {
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: sections.length,
    getScrollElement: () => box.current?.parentElement ?? null,
    estimateSize: (index) => ROOM.headPx + (sections[index]?.storeys.length ?? 1) * ROOM.storeyPx,
    overscan: 2 * lanes,
    lanes,
    getItemKey: (index) => sections[index]?.key ?? index,
  })
  return (
    <div ref={box} className={styles.lanes} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map((item) => {
        const section = sections[item.index]
        return section ? (
          <div
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            className={styles.place}
            style={{
              transform: `translateY(${item.start}px)`,
              insetInlineStart: `${(100 * item.lane) / lanes}%`,
              width: `${100 / lanes}%`,
            }}
          >
            {children(section)}
          </div>
        ) : null
      })}
    </div>
  )
}
