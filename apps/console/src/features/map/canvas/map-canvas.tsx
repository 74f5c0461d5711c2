import 'ol/ol.css'
import type LibraryMap from 'ol/Map.js'
import type MapBrowserEvent from 'ol/MapBrowserEvent.js'
import { toLonLat } from 'ol/proj.js'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { useIsMotionReduced } from '../../../shared/ui/use-motion.ts'
import { findNear } from '../paint/find-near.ts'
import type { Look } from '../paint/look.ts'
import { toScene } from '../paint/scene.ts'
import type { DrawnData } from '../paint/to-drawn.ts'
import { isSameView, type LngLat, type MapView } from '../view/mercator.ts'
import styles from './canvas.module.css'
import { createMap, goTo, readView } from './create-map.ts'
import { createDraftPin, type DraftPin } from './draft-pin.ts'
import { type BaseTiles, createGroundLayer } from './ground-layer.ts'
import { toZoom } from './map-zoom.ts'
import { createNetworkLayer } from './network-layer.ts'
import { createToldViews } from './reported-views.ts'

export interface MapCanvasProps {
  readonly view: MapView
  readonly look: Look
  readonly tiles: BaseTiles | undefined
  readonly data: DrawnData
  /** Node of the place whose details are shown. */
  readonly chosen: string | undefined
  /** What the map shows, for those who cannot see it. */
  readonly label: string
  /** A place that is being put somewhere, and can be dragged. */
  readonly draft: LngLat | undefined
  readonly draftLabel: string
  /** While the map moves, a few times a second. */
  readonly onMove: (view: MapView) => void
  /** Once it has come to rest. */
  readonly onView: (view: MapView) => void
  /** A click, with what the thing under it is known by, if there is one. */
  readonly onClick: (key: string | undefined, at: LngLat) => void
  readonly onDraft: (at: LngLat) => void
  /** Pictures of the ground do not come. */
  readonly onTilesFailed: () => void
}

/** Tiles of the network are asked for so often while the map moves, ms. */
const MOVE_EVERY_MS = 200

type NetworkLayer = ReturnType<typeof createNetworkLayer>

interface Held {
  readonly map: LibraryMap
  readonly network: NetworkLayer
  /** Times that the map is on its way to a view it was given: that is known already. */
  led: number
  /** What the page was told. */
  readonly told: ReturnType<typeof createToldViews>
}

/** What can be chosen near where a pointer is. */
function findUnder({ map, network }: Held, { coordinate }: MapBrowserEvent): string | undefined {
  const [x = 0, y = 0] = coordinate
  const resolution = map.getView().getResolution() ?? 1
  return findNear(network.getPoints(), { x, y }, { resolution, zoom: toZoom(resolution) })?.key
}

/** The map library in the page: made once, told of each new view, look and network. */
export default function MapCanvas(props: MapCanvasProps) {
  const { view, look, tiles, data, chosen, label, draft, draftLabel } = props
  const isMotionReduced = useIsMotionReduced()
  const box = useRef<HTMLElement>(null)
  const foot = useRef<HTMLDivElement>(null)
  const held = useRef<Held>(undefined)
  const pin = useRef<DraftPin>(undefined)
  const scene = useMemo(() => toScene(data), [data])
  const moved = useEffectEvent(props.onMove)
  const rested = useEffectEvent(props.onView)
  const tilesFailed = useEffectEvent(props.onTilesFailed)
  const drafted = useEffectEvent(props.onDraft)
  const clicked = useEffectEvent(props.onClick)

  const create = useEffectEvent((target: HTMLElement, footElement: HTMLElement): Held => {
    const network = createNetworkLayer({ scene, look, chosen }, getComputedStyle(target).fontFamily)
    const layers = [...(tiles ? [createGroundLayer(tiles, () => tilesFailed())] : []), network.layer]
    const map = createMap({ target, foot: footElement, layers, view, isMotionReduced })
    return { network, map, led: 0, told: createToldViews() }
  })
  const listen = useEffectEvent((made: Held, target: HTMLElement) => {
    const { map } = made
    let isMoved = false
    let movedAt = 0
    const note = () => {
      isMoved = true
      target.dataset.state = 'moving'
      const now = performance.now()
      if (made.led > 0 || now - movedAt < MOVE_EVERY_MS) return
      movedAt = now
      moved(readView(map))
    }
    map.getView().on(['change:center', 'change:resolution'], note)
    map.on('moveend', () => {
      if (!isMoved) return
      isMoved = false
      const at = readView(map)
      made.told.note(at)
      rested(at)
    })
    map.on('rendercomplete', () => {
      const isAtRest = !map.getView().getAnimating() && !map.getView().getInteracting()
      if (isAtRest) target.dataset.state = 'drawn'
    })
    map.on('click', (event) => {
      const [longitudeDeg = 0, latitudeDeg = 0] = toLonLat(event.coordinate)
      clicked(findUnder(made, event), [longitudeDeg, latitudeDeg])
    })
    map.on('pointermove', (event) => {
      if (!event.dragging) target.style.cursor = findUnder(made, event) === undefined ? '' : 'pointer'
    })
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: gestures and the ground are given to it once
  useEffect(() => {
    if (!box.current || !foot.current) return
    const made = create(box.current, foot.current)
    held.current = made
    listen(made, box.current)
    return () => {
      held.current = undefined
      pin.current = undefined
      made.map.dispose()
    }
  }, [isMotionReduced, tiles])

  const follow = useEffectEvent(async () => {
    const made = held.current
    if (!made || made.told.isEcho(view) || isSameView(view, readView(made.map))) return
    made.led += 1
    await goTo(made.map, view, isMotionReduced)
    made.led -= 1
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another view is gone to
  useEffect(() => void follow(), [view])

  useEffect(() => held.current?.network.show({ scene }), [scene])
  useEffect(() => held.current?.network.show({ look, chosen }), [look, chosen])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another map has no pin yet
  useEffect(() => {
    if (!held.current || !draft) {
      pin.current?.end()
      pin.current = undefined
      return
    }
    pin.current ??= createDraftPin(held.current.map, (at) => drafted(at))
    pin.current.put(draft, draftLabel)
  }, [draft, draftLabel, isMotionReduced, tiles])

  return (
    <section
      ref={box}
      className={styles.canvas}
      data-testid="map-canvas"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows, plus and minus move it
      tabIndex={0}
    >
      <div ref={foot} className={styles.foot} />
    </section>
  )
}
