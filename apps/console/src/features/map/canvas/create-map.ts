import Attribution from 'ol/control/Attribution.js'
import ScaleLine from 'ol/control/ScaleLine.js'
import type BaseLayer from 'ol/layer/Base.js'
import LibraryMap from 'ol/Map.js'
import { fromLonLat, toLonLat } from 'ol/proj.js'
import View from 'ol/View.js'
import type { MapView } from '../view/mercator.ts'
import { createGestures, EASE_MS } from './gestures.ts'
import { fromLibraryZoom, toLibraryZoom, zoomLimits } from './map-zoom.ts'

/** A pointer that moves less than this while pressed counts as a click, px. */
const CLICK_TOLERANCE_PX = 3

interface MapParts {
  readonly target: HTMLElement
  /** Places of the scale and the attribution. */
  readonly foot: HTMLElement
  readonly layers: BaseLayer[]
  readonly view: MapView
  readonly isMotionReduced: boolean
}

const toCenter = ({ center: [longitudeDeg, latitudeDeg] }: MapView) => fromLonLat([longitudeDeg, latitudeDeg])

/** Creates the map of the library in an element. North is always up. */
export function createMap({ target, foot, layers, view, isMotionReduced }: MapParts): LibraryMap {
  const map = new LibraryMap({
    target,
    layers,
    pixelRatio: window.devicePixelRatio,
    moveTolerance: CLICK_TOLERANCE_PX,
    view: new View({
      center: toCenter(view),
      zoom: toLibraryZoom(view.zoom),
      ...zoomLimits,
      enableRotation: false,
      smoothResolutionConstraint: false,
    }),
    interactions: createGestures(isMotionReduced),
    controls: [
      new ScaleLine({ units: 'metric', target: foot }),
      new Attribution({ collapsible: false, target: foot }),
    ],
  })
  // Page zoom changes the pixel ratio; the library would keep the initial one.
  map.on('change:size', () => map.setPixelRatio(window.devicePixelRatio))
  return map
}

export function readView(map: LibraryMap): MapView {
  const view = map.getView()
  const [longitudeDeg = 0, latitudeDeg = 0] = toLonLat(view.getCenter() ?? [0, 0])
  return { center: [longitudeDeg, latitudeDeg], zoom: fromLibraryZoom(view.getZoom() ?? 0) }
}

/** Moves the map to a view, at once or animated. Resolves at the end, also if the user moved it elsewhere. */
export function goTo(map: LibraryMap, view: MapView, isMotionReduced: boolean): Promise<void> {
  const { zoom } = view
  const duration = isMotionReduced ? 0 : EASE_MS
  map.getView().cancelAnimations()
  return new Promise((resolve) => {
    map.getView().animate({ center: toCenter(view), zoom: toLibraryZoom(zoom), duration }, () => resolve())
  })
}
