import {
  Fragment,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import styles from './chart-pointer.module.css'
import { placeBox } from './place-box.ts'
import { type Span, toInstant, toLengthPx, toPlacePx } from './time-axis.ts'

/** Content of the tooltip at a place in a chart. */
export interface Reading {
  /** Instant, Unix ms. */
  readonly at: number
  readonly head: string
  readonly lines: readonly ReadingLine[]
}

export interface ReadingLine {
  /** Name of the value; absent if the heading names it. */
  readonly label?: string
  readonly value: string
  /** Colour of its curve. */
  readonly color?: string
}

/** Position of the pointer: px from the left and top of the chart, and its instant, Unix ms. */
export interface ChartPlace {
  readonly xPx: number
  readonly yPx: number
  readonly at: number
  readonly msPerPx: number
}

/** Room around the curves, px. */
export interface ChartRoom {
  readonly leftPx: number
  readonly rightPx: number
  readonly topPx: number
  readonly bottomPx: number
}

interface ChartPointerProps {
  readonly room: ChartRoom
  /** Span of the time axis. */
  readonly span: Span
  /** Returns the tooltip for a place; undefined without a reading. */
  readonly read: (place: ChartPlace) => Reading | undefined
  readonly children: ReactNode
}

/** Horizontal position in the frame and its width, px. */
interface FramePlace {
  readonly xPx: number
  readonly yPx: number
  readonly widthPx: number
}

function toChartPlace({ xPx, yPx, widthPx }: FramePlace, span: Span, room: ChartRoom): ChartPlace {
  const axis = { ...room, widthPx }
  const msPerPx = (span.to - span.from) / toLengthPx(axis)
  return { xPx, yPx, at: toInstant(span, xPx, axis), msPerPx }
}

/** Tooltip of a chart: a box with the values at the pointer, and a line at their instant. */
export function ChartPointer({ room, span, read, children }: ChartPointerProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<FramePlace>()
  const note = ({ clientX, clientY, currentTarget }: PointerEvent) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    const [xPx, yPx] = [clientX - left, clientY - top]
    const isInside =
      xPx >= room.leftPx && xPx <= width - room.rightPx && yPx >= room.topPx && yPx <= height - room.bottomPx
    setPlace(isInside ? { xPx, yPx, widthPx: width } : undefined)
  }
  // After a touch the tooltip stays until the next touch, because a finger cannot hover.
  const leave = ({ pointerType }: PointerEvent) => pointerType === 'mouse' && setPlace(undefined)
  const isShown = place !== undefined
  useEffect(() => {
    if (!isShown) return
    const stop = new AbortController()
    const hide = ({ target }: Event) => {
      if (!(target instanceof Node && frame.current?.contains(target))) setPlace(undefined)
    }
    document.addEventListener('pointerdown', hide, { signal: stop.signal })
    return () => stop.abort()
  }, [isShown])
  // Compute it at every render: the axis may have moved under a pointer that rests.
  const reading = place && read(toChartPlace(place, span, room))
  return (
    <div
      ref={frame}
      className={styles.frame}
      onPointerDown={note}
      onPointerMove={note}
      onPointerLeave={leave}
    >
      {children}
      {place && reading && (
        <>
          <div
            className={styles.line}
            style={{
              left: toPlacePx(span, reading.at, { ...room, ...place }),
              top: room.topPx,
              bottom: room.bottomPx,
            }}
          />
          <Values place={place} reading={reading} />
        </>
      )}
    </div>
  )
}

function Values({ place, reading }: { readonly place: FramePlace; readonly reading: Reading }): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  // Place the box after rendering, because its size depends on the content.
  useLayoutEffect(() => {
    const frame = box.current?.parentElement
    if (!box.current || !frame) return
    const { offsetWidth: width, offsetHeight: height } = box.current
    const size = { width: frame.clientWidth, height: frame.clientHeight }
    const { x, y } = placeBox({ x: place.xPx, y: place.yPx }, { width, height }, size)
    box.current.style.translate = `${x}px ${y}px`
  })
  return (
    <div ref={box} className={styles.values} style={{ left: 0, top: 0 }} data-testid="chart-values">
      <span>{reading.head}</span>
      {reading.lines.map(({ label, value, color }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two valves may have the same name
        <Fragment key={index}>
          {label !== undefined && (
            <span>
              {color !== undefined && (
                <span aria-hidden style={{ color }}>
                  ●{' '}
                </span>
              )}
              {label}
            </span>
          )}
          <strong className={label === undefined ? styles.alone : undefined}>{value}</strong>
        </Fragment>
      ))}
    </div>
  )
}
