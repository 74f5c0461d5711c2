import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useMemo, useRef } from 'react'
import styles from './building-columns.module.css'
import { type BuildingSection, toWidth } from './section-layout.ts'

interface BuildingColumnsProps<Row> {
  readonly sections: readonly BuildingSection<Row>[]
  /** Available width, px; nothing is rendered while it is 0. */
  readonly widthPx: number
  readonly children: (section: BuildingSection<Row>) => ReactNode
}

/** Sizes, px: height of the heading, width of a floor's name, width of a cell with its gap, height of a floor. */
const ROOM = { headPx: 64, floorPx: 64, cellPx: 58, storeyPx: 28 } as const

/** Buildings in as many columns as fit. Renders only the visible ones. */
export function BuildingColumns<Row>({ sections, widthPx, children }: BuildingColumnsProps<Row>) {
  const widest = useMemo(() => Math.max(1, ...sections.map(toWidth)), [sections])
  if (widthPx === 0) return null
  const columns = Math.max(1, Math.floor(widthPx / (ROOM.floorPx + widest * ROOM.cellPx)))
  return (
    <Columns key={columns} columns={columns} sections={sections}>
      {children}
    </Columns>
  )
}

interface ColumnsProps<Row> extends Pick<BuildingColumnsProps<Row>, 'sections' | 'children'> {
  readonly columns: number
}

function Columns<Row>({ sections, columns, children }: ColumnsProps<Row>) {
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: sections.length,
    getScrollElement: () => box.current?.parentElement ?? null,
    estimateSize: (index) => ROOM.headPx + (sections[index]?.storeys.length ?? 1) * ROOM.storeyPx,
    overscan: 2 * columns,
    lanes: columns,
    getItemKey: (index) => sections[index]?.key ?? index,
  })
  return (
    <div ref={box} className={styles.columns} style={{ height: virtual.getTotalSize() }}>
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
              insetInlineStart: `${(100 * item.lane) / columns}%`,
              width: `${100 / columns}%`,
            }}
          >
            {children(section)}
          </div>
        ) : null
      })}
    </div>
  )
}
