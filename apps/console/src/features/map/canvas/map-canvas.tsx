import 'ol/ol.css'
import type { GroundFile } from '@isotherm/contract/network/map-ground'
import type LibraryMap from 'ol/Map.js'
import type MapBrowserEvent from 'ol/MapBrowserEvent.js'
import { toLonLat } from 'ol/proj.js'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsMotionReduced } from '../../../shared/screen/use-motion.ts'
import { findNear } from '../paint/find-near.ts'
import type { GroundColours } from '../paint/ground-colours.ts'
import type { MapStyle } from '../paint/map-style.ts'
import { toScene } from '../paint/scene.ts'
import type { DrawnData } from '../paint/to-drawn.ts'
import { groundReader } from '../places/ground-files.ts'
import { isSameView, type LngLat, type MapView } from '../view/mercator.ts'
import styles from './canvas.module.css'
import { createMap, goTo, readView } from './create-map.ts'
import { createDraftPin, type DraftPin } from './draft-pin.ts'
import { createFileLayers } from './ground/file-layers.ts'
import { type BaseTiles, createTileLayer } from './ground/tile-layer.ts'
import { toZoom } from './map-zoom.ts'
import { createNetworkLayer } from './network-layer.ts'
import { createReportedViews } from './reported-views.ts'

export interface MapCanvasProps {
  readonly view: MapView
  readonly mapStyle: MapStyle
  readonly tiles: BaseTiles | undefined
  /** Map files, from bottom to top. */
  readonly ground: readonly GroundFile[]
  readonly groundColours: GroundColours
  readonly data: DrawnData
  /** Node whose details are shown. */
  readonly chosen: string | undefined
  /** Name of the map for screen readers. */
  readonly label: string
  /** Position of the draggable pin while a node is being placed. */
  readonly draft: LngLat | undefined
  readonly draftLabel: string
  /** Called a few times per second while the map moves. */
  readonly onMove: (view: MapView) => void
  /** Called when the map has stopped. */
  readonly onView: (view: MapView) => void
  /** Called for a click, with the key of the point under it, if any. */
  readonly onClick: (key: string | undefined, at: LngLat) => void
  readonly onDraft: (at: LngLat) => void
  /** Called when base map tiles cannot be loaded. */
  readonly onTilesFailed: () => void
  /** Called when a map file, or a part of it, cannot be loaded. */
  readonly onGroundFailed: (file: string) => void
}

/** Period of onMove while the map moves, ms. */
const MOVE_EVERY_MS = 200

type NetworkLayer = ReturnType<typeof createNetworkLayer>
type FileLayers = ReturnType<typeof createFileLayers>

interface CreatedMap {
  readonly map: LibraryMap
  readonly network: NetworkLayer
  readonly ground: FileLayers
  /** Number of running movements that the page started. Their views are not reported back to the page. */
  pageMoves: number
  /** The views reported to the page. */
  readonly reported: ReturnType<typeof createReportedViews>
}

/** The selectable point near the pointer. */
function findUnder({ map, network }: CreatedMap, { coordinate }: MapBrowserEvent): string | undefined {
  const [x = 0, y = 0] = coordinate
  const resolution = map.getView().getResolution() ?? 1
  return findNear(network.getPoints(), { x, y }, { resolution, zoom: toZoom(resolution) })?.key
}

/** The map in the page. It is created once and updated by each new view, style and network. */
export default function MapCanvas(props: MapCanvasProps) {
  const { view, mapStyle, tiles, ground, groundColours, data, chosen, label, draft, draftLabel } = props
  const { language } = useTranslation().i18n
  const isMotionReduced = useIsMotionReduced()
  const box = useRef<HTMLElement>(null)
  const foot = useRef<HTMLDivElement>(null)
  const mapRef = useRef<CreatedMap>(undefined)
  const pin = useRef<DraftPin>(undefined)
  const scene = useMemo(() => toScene(data), [data])
  const moved = useEffectEvent(props.onMove)
  const rested = useEffectEvent(props.onView)
  const tilesFailed = useEffectEvent(props.onTilesFailed)
  const groundFailed = useEffectEvent(props.onGroundFailed)
  const drafted = useEffectEvent(props.onDraft)
  const clicked = useEffectEvent(props.onClick)

  const create = useEffectEvent((target: HTMLElement, footElement: HTMLElement): CreatedMap => {
    const network = createNetworkLayer({ scene, mapStyle, chosen }, getComputedStyle(target).fontFamily)
    const files = createFileLayers(ground, groundReader, (file) => groundFailed(file))
    const layers = [
      ...(tiles ? [createTileLayer(tiles, () => tilesFailed())] : []),
      ...files.layers,
      network.layer,
    ]
    const map = createMap({ target, foot: footElement, layers, view, isMotionReduced })
    return { network, ground: files, map, pageMoves: 0, reported: createReportedViews() }
  })
  const listen = useEffectEvent((created: CreatedMap, target: HTMLElement) => {
    const { map } = created
    let isMoved = false
    let movedAt = 0
    const note = () => {
      isMoved = true
      target.dataset.state = 'moving'
      const now = performance.now()
      if (created.pageMoves > 0 || now - movedAt < MOVE_EVERY_MS) return
      movedAt = now
      moved(readView(map))
    }
    map.getView().on(['change:center', 'change:resolution'], note)
    map.on('moveend', () => {
      if (!isMoved) return
      isMoved = false
      const at = readView(map)
      created.reported.note(at)
      rested(at)
    })
    map.on('rendercomplete', () => {
      const isAtRest = !map.getView().getAnimating() && !map.getView().getInteracting()
      if (isAtRest) target.dataset.state = 'drawn'
    })
    map.on('click', (event) => {
      const [longitudeDeg = 0, latitudeDeg = 0] = toLonLat(event.coordinate)
      clicked(findUnder(created, event), [longitudeDeg, latitudeDeg])
    })
    map.on('pointermove', (event) => {
      if (!event.dragging) target.style.cursor = findUnder(created, event) === undefined ? '' : 'pointer'
    })
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: the map is created once
  useEffect(() => {
    if (!box.current || !foot.current) return
    const created = create(box.current, foot.current)
    mapRef.current = created
    listen(created, box.current)
    return () => {
      mapRef.current = undefined
      pin.current = undefined
      created.map.dispose()
    }
  }, [isMotionReduced, tiles, ground])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new map has layers without a look
  useEffect(() => {
    if (!mapRef.current || !box.current) return
    const { fontFamily } = getComputedStyle(box.current)
    mapRef.current.ground.show({ colours: groundColours, fontFamily, language })
  }, [groundColours, language, isMotionReduced, tiles, ground])

  const follow = useEffectEvent(async () => {
    const created = mapRef.current
    if (!created || created.reported.isEcho(view) || isSameView(view, readView(created.map))) return
    created.pageMoves += 1
    await goTo(created.map, view, isMotionReduced)
    created.pageMoves -= 1
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the map moves only for a changed view
  useEffect(() => void follow(), [view])

  useEffect(() => mapRef.current?.network.show({ scene }), [scene])
  useEffect(() => mapRef.current?.network.show({ mapStyle, chosen }), [mapStyle, chosen])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new map has no pin yet
  useEffect(() => {
    if (!mapRef.current || !draft) {
      pin.current?.end()
      pin.current = undefined
      return
    }
    pin.current ??= createDraftPin(mapRef.current.map, (at) => drafted(at))
    pin.current.put(draft, draftLabel)
  }, [draft, draftLabel, isMotionReduced, tiles, ground])

  return (
    <section
      ref={box}
      className={styles.canvas}
      data-testid="map-canvas"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow, plus and minus keys move it
      tabIndex={0}
    >
      <div ref={foot} className={styles.foot} />
    </section>
  )
}
