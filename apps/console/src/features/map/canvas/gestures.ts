import DoubleClickZoom from 'ol/interaction/DoubleClickZoom.js'
import DragPan from 'ol/interaction/DragPan.js'
import DragZoom from 'ol/interaction/DragZoom.js'
import Interaction, { zoomByDelta } from 'ol/interaction/Interaction.js'
import KeyboardPan from 'ol/interaction/KeyboardPan.js'
import KeyboardZoom from 'ol/interaction/KeyboardZoom.js'
import MouseWheelZoom from 'ol/interaction/MouseWheelZoom.js'
import PinchZoom from 'ol/interaction/PinchZoom.js'
import Kinetic from 'ol/Kinetic.js'

/** Duration of a movement by click or key, ms. */
export const EASE_MS = 250

/** Kinetic movement after a drag: deceleration, lowest speed (px/ms) and measured time (ms). */
const createKinetic = () => new Kinetic(-0.005, 0.05, 100)

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** True for the plus key without Shift, `=` on Chinese and American keyboards. With a modifier it belongs to the browser. */
export const isUnshiftedPlus = ({ key, ctrlKey, metaKey, altKey }: Pressed): boolean =>
  key === '=' && !(ctrlKey || metaKey || altKey)

const createEqualsZoom = (duration: number) =>
  new Interaction({
    handleEvent({ type, originalEvent, map }) {
      const isMeant =
        type === 'keydown' && originalEvent instanceof KeyboardEvent && isUnshiftedPlus(originalEvent)
      if (!isMeant) return true
      zoomByDelta(map.getView(), 1, undefined, duration)
      originalEvent.preventDefault()
      return false
    },
  })

/** The interactions of the map: drag, pinch, wheel, double click, Shift+box, arrow keys, plus and minus. */
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
