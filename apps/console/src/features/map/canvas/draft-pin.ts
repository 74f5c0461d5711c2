import type { Coordinate } from 'ol/coordinate.js'
import type LibraryMap from 'ol/Map.js'
import Overlay from 'ol/Overlay.js'
import { fromLonLat, toLonLat } from 'ol/proj.js'
import type { LngLat } from '../view/mercator.ts'
import styles from './canvas.module.css'

const SVG = 'http://www.w3.org/2000/svg'
/** A drop-shaped pin, 26 by 36 px. Its tip is the position. */
const DROP = 'M13 36C10 28 1 21 1 13a12 12 0 0 1 24 0c0 8-9 15-12 23zM13 18a5 5 0 1 0 0-10 5 5 0 0 0 0 10z'

function createDrop(): HTMLElement {
  const element = document.createElement('div')
  element.setAttribute('role', 'img')
  element.className = styles.pin ?? ''
  const picture = document.createElementNS(SVG, 'svg')
  picture.setAttribute('viewBox', '0 0 26 36')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', DROP)
  picture.append(path)
  element.append(picture)
  return element
}

/** Makes the pin draggable and reports its new position. */
function makeDraggable(element: HTMLElement, pin: Overlay, onDrop: (at: LngLat) => void): void {
  let grabbed: { readonly x: number; readonly y: number; readonly from: Coordinate } | undefined
  const follow = (event: PointerEvent) => {
    const map = pin.getMap()
    if (!grabbed || !map) return
    const [x = 0, y = 0] = map.getEventPixel(event)
    pin.setPosition(map.getCoordinateFromPixel([x - grabbed.x, y - grabbed.y]))
  }
  element.addEventListener('pointerdown', (event) => {
    const [map, position] = [pin.getMap(), pin.getPosition()]
    if (!map || !position || event.button !== 0) return
    const [x = 0, y = 0] = map.getEventPixel(event)
    const [tipX = 0, tipY = 0] = map.getPixelFromCoordinate(position)
    grabbed = { x: x - tipX, y: y - tipY, from: position }
    element.setPointerCapture(event.pointerId)
    event.preventDefault()
  })
  element.addEventListener('pointermove', follow)
  element.addEventListener('pointerup', (event) => {
    if (!grabbed) return
    follow(event)
    grabbed = undefined
    const [longitudeDeg = 0, latitudeDeg = 0] = toLonLat(pin.getPosition() ?? [])
    onDrop([longitudeDeg, latitudeDeg])
  })
  element.addEventListener('pointercancel', () => {
    if (grabbed) pin.setPosition(grabbed.from)
    grabbed = undefined
  })
}

export interface DraftPin {
  readonly put: (at: LngLat, label: string) => void
  readonly end: () => void
}

/** A draggable pin on the map. It reports its position after a drag. */
export function createDraftPin(map: LibraryMap, onDrop: (at: LngLat) => void): DraftPin {
  const element = createDrop()
  const pin = new Overlay({ element, positioning: 'bottom-center' })
  makeDraggable(element, pin, onDrop)
  map.addOverlay(pin)
  return {
    put([longitudeDeg, latitudeDeg], label) {
      element.setAttribute('aria-label', label)
      pin.setPosition(fromLonLat([longitudeDeg, latitudeDeg]))
    },
    end: () => void map.removeOverlay(pin),
  }
}
