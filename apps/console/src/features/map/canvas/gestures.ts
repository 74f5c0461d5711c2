import DoubleClickZoom from 'ol/interaction/DoubleClickZoom.js'
import DragPan from 'ol/interaction/DragPan.js'
import DragZoom from 'ol/interaction/DragZoom.js'
import Interaction, { zoomByDelta } from 'ol/interaction/Interaction.js'
import KeyboardPan from 'ol/interaction/KeyboardPan.js'
import KeyboardZoom from 'ol/interaction/KeyboardZoom.js'
import MouseWheelZoom from 'ol/interaction/MouseWheelZoom.js'
import PinchZoom from 'ol/interaction/PinchZoom.js'
import Kinetic from 'ol/Kinetic.js'

/** What is begun by a click or a key is over after so long, ms. */
export const EASE_MS = 250

/** A hand that lets go moves the map on: by how much it slows down, the least speed in px/ms, and what counts, ms. */
const createKinetic = () => new Kinetic(-0.005, 0.05, 100)

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** The key of plus without shift, as keyboards of China and America have it; with a modifier it is the browser's. */
export const isPlus = ({ key, ctrlKey, metaKey, altKey }: Pressed): boolean =>
  key === '=' && !(ctrlKey || metaKey || altKey)

const createEqualsZoom = (duration: number) =>
  new Interaction({
    handleEvent({ type, originalEvent, map }) {
      const isMeant = type === 'keydown' && originalEvent instanceof KeyboardEvent && isPlus(originalEvent)
      if (!isMeant) return true
      zoomByDelta(map.getView(), 1, undefined, duration)
      originalEvent.preventDefault()
      return false
    },
  })

/** How hands and keys move the map: dragged, by two fingers, wheel, double click, box with shift, arrows, plus, minus. */
export function createGestures(isMotionReduced: boolean): Interaction[] {
  const duration = isMotionReduced ? 0 : EASE_MS
  return [
    new DragPan(isMotionReduced ? {} : { kinetic: createKinetic() }),
    new PinchZoom({ duration }),
    new MouseWheelZoom({ duration }),
    new DoubleClickZoom({ duration }),
    new DragZoom({ duration }),
    new KeyboardPan({ duration }),
    new KeyboardZoom({ duration }),
    createEqualsZoom(duration),
  ]
}
