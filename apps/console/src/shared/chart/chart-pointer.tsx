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

/** What is told of a place in a chart. */
export interface Reading {
  /** The instant that it is of, Unix ms. */
  readonly at: number
  readonly head: string
  readonly lines: readonly ReadingLine[]
}

export interface ReadingLine {
  /** Absent where the head says what it is. */
  readonly label?: string
  readonly value: string
  /** Of its curve. */
  readonly color?: string
}

/** Where the pointer is: px from the left and the top of the chart, and the instant below it, Unix ms. */
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
  /** What the time axis shows now. */
  readonly span: Span
  /** What is told of a place between the axes; nothing where nothing was measured. */
  readonly read: (place: ChartPlace) => Reading | undefined
  readonly children: ReactNode
}

/** Where the pointer is in a frame of a width, px. */
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

/** Tells what the curves of a chart are where the pointer is: a box of values, and a line across where they were measured. */
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
  // A finger leaves as soon as it is lifted: what it pointed at stays until something else is touched.
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
  // When it is drawn: the axis may have moved under a pointer that rests.
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
  // Each time it is drawn: what it says decides how large it is.
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
        // biome-ignore lint/suspicious/noArrayIndexKey: two valves may go by one name
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
