import 'maplibre-gl/dist/maplibre-gl.css'
import {
  AttributionControl,
  type GeoJSONSource,
  Map as LibraryMap,
  Marker,
  ScaleControl,
  setWorkerUrl,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { useEffect, useEffectEvent, useRef } from 'react'
import { isSameView, type LngLat, MAX_ZOOM, type MapView } from '../mercator.ts'
import styles from './canvas.module.css'
import { coarsenWhileSlow } from './coarsen.ts'
import { CHOOSABLE, isChosen, type StyleInput, toStyle } from './map-style.ts'
import { type DrawnData, NETWORK } from './to-drawn.ts'

// A file of our own beside the page's: the server's policy lets only these run.
setWorkerUrl(workerUrl)

export interface MapCanvasProps {
  readonly view: MapView
  readonly look: Omit<StyleInput, 'data'>
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
  /** The browser cannot draw it. */
  readonly onFailed: (error: unknown) => void
  /** Pictures of the ground do not come. */
  readonly onTilesFailed: () => void
}

/** Tiles of the network are asked for so often while the map moves, ms. */
const MOVE_EVERY_MS = 200
const EASE_MS = 250
/** A finger is not as sharp as a pointer, px. */
const REACH_PX = 8

function readView(map: LibraryMap): MapView {
  const { lng, lat } = map.getCenter()
  return { center: [lng, lat], zoom: map.getZoom() }
}

/** Something that can be chosen near a point of the box. */
function findNear(map: LibraryMap, { x, y }: { readonly x: number; readonly y: number }): string | undefined {
  const [hit] = map.queryRenderedFeatures(
    [
      [x - REACH_PX, y - REACH_PX],
      [x + REACH_PX, y + REACH_PX],
    ],
    { layers: [...CHOOSABLE] },
  )
  const key: unknown = hit?.properties.key
  return typeof key === 'string' ? key : undefined
}

/** The map library in the page: made once, told of each new view, look and network. North is always up. */
export default function MapCanvas(props: MapCanvasProps) {
  const { view, look, data, chosen, label, draft, draftLabel } = props
  const box = useRef<HTMLDivElement>(null)
  const held = useRef<LibraryMap>(undefined)
  const marker = useRef<Marker>(undefined)
  const made = useRef<MapCanvasProps['look']>(undefined)
  const create = useEffectEvent((container: HTMLElement) => {
    const { center, zoom } = view
    const map = new LibraryMap({
      container,
      style: toStyle({ ...look, data }),
      center: [...center],
      zoom,
      maxZoom: MAX_ZOOM,
      maxPitch: 0,
      dragRotate: false,
      renderWorldCopies: false,
      fadeDuration: 0,
      attributionControl: false,
      locale: { 'Map.Title': label },
    })
    made.current = look
    map.touchZoomRotate.disableRotation()
    map.keyboard.disableRotation()
    map.addControl(new AttributionControl({ compact: false, customAttribution: [] }), 'bottom-left')
    map.addControl(new ScaleControl({ unit: 'metric' }), 'bottom-left')
    return map
  })
  const listen = useEffectEvent((map: LibraryMap, container: HTMLElement) => {
    coarsenWhileSlow(map)
    let movedAt = 0
    map.on('move', () => {
      container.dataset.state = 'moving'
      const now = performance.now()
      if (now - movedAt < MOVE_EVERY_MS) return
      movedAt = now
      moved(readView(map))
    })
    map.on('moveend', () => rested(readView(map)))
    map.on('idle', () => {
      container.dataset.state = 'drawn'
    })
    map.on('click', ({ point, lngLat }) => clicked(findNear(map, point), [lngLat.lng, lngLat.lat]))
    map.on('mousemove', ({ point }) => {
      map.getCanvas().style.cursor = findNear(map, point) === undefined ? '' : 'pointer'
    })
    map.on('error', ({ error, ...event }) => {
      if ('sourceId' in event && event.sourceId === 'tiles') tilesFailed()
      else console.error('the map', error)
    })
  })
  const moved = useEffectEvent(props.onMove)
  const rested = useEffectEvent(props.onView)
  const failed = useEffectEvent(props.onFailed)
  const tilesFailed = useEffectEvent(props.onTilesFailed)
  const drafted = useEffectEvent(props.onDraft)
  const clicked = useEffectEvent(props.onClick)

  useEffect(() => {
    if (!box.current) return
    try {
      const map = create(box.current)
      held.current = map
      listen(map, box.current)
      return () => {
        held.current = undefined
        marker.current = undefined
        map.remove()
      }
    } catch (error) {
      failed(error)
      return
    }
  }, [])

  useEffect(() => {
    const map = held.current
    if (map && !isSameView(view, readView(map)))
      map.easeTo({ center: [...view.center], zoom: view.zoom, duration: EASE_MS })
  }, [view])

  const restyle = useEffectEvent(() => {
    // It was made with the look it had then.
    if (made.current !== look) held.current?.setStyle(toStyle({ ...look, data }))
    made.current = look
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the look is what the style is made of
  useEffect(() => restyle(), [look])

  useEffect(() => {
    void held.current?.getSource<GeoJSONSource>(NETWORK)?.setData(data)
  }, [data])

  useEffect(() => {
    held.current?.getCanvas().setAttribute('aria-label', label)
  }, [label])

  const mark = useEffectEvent(() => {
    const map = held.current
    if (!map) return
    const show = () => {
      if (map.getLayer('chosen')) map.setFilter('chosen', isChosen(chosen))
    }
    if (map.isStyleLoaded()) show()
    else map.once('idle', show)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new style has forgotten what is chosen
  useEffect(() => mark(), [chosen, look])

  useEffect(() => {
    const map = held.current
    if (!map || !draft) {
      marker.current?.remove()
      marker.current = undefined
      return
    }
    const [longitude, latitude] = draft
    if (!marker.current) {
      const pin = new Marker({ draggable: true, color: 'var(--accent)' })
      pin.on('dragend', () => {
        const { lng, lat } = pin.getLngLat()
        drafted([lng, lat])
      })
      pin.setLngLat([longitude, latitude]).addTo(map)
      marker.current = pin
    } else marker.current.setLngLat([longitude, latitude])
    marker.current.getElement().setAttribute('aria-label', draftLabel)
  }, [draft, draftLabel])

  return <div ref={box} className={styles.canvas} data-testid="map-canvas" />
}
