import { Table, type TableProps } from 'antd'
import { type ReactNode, useCallback, useState } from 'react'
import { alignColumns } from './align-columns.ts'

/** Height of the head of a small antd table with our tokens, px. */
const HEAD_PX = 33
/** Height of the horizontal scrollbar, which lies below the rows (theme.css), px. */
const SCROLLBAR_PX = 8

type Owned = 'virtual' | 'scroll' | 'size' | 'pagination'

export interface DenseTableProps<Row> extends Omit<TableProps<Row>, Owned> {
  /** Sum of the column widths, px, for horizontal scrolling. */
  readonly widthPx: number
}

/** A virtual table that fills its parent. Only visible rows are in the document. */
export function DenseTable<Row extends object>({ widthPx, ...table }: DenseTableProps<Row>): ReactNode {
  const [heightPx, setHeightPx] = useState(0)
  const measure = useCallback((element: HTMLDivElement | null) => {
    if (!element) return
    const observer = new ResizeObserver(([entry]) => {
      // A hidden tab has no height; its table uses the last one.
      if (entry && entry.contentRect.height > 0) setHeightPx(Math.floor(entry.contentRect.height))
    })
    observer.observe(element)
    const stopAligning = alignColumns(element)
    return () => {
      observer.disconnect()
      stopAligning()
    }
  }, [])
  return (
    <div className="dense-table" ref={measure}>
      {heightPx > HEAD_PX + SCROLLBAR_PX && (
        <Table<Row>
          {...table}
          virtual
          size="small"
          pagination={false}
          scroll={{ x: widthPx, y: heightPx - HEAD_PX - SCROLLBAR_PX }}
        />
      )}
    </div>
  )
}
