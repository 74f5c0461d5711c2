import { type ColourBy, healthFills, toShareFill } from '../view/colour-by.ts'

/** Colours of the page as a canvas takes them: it draws by itself and knows no CSS variables. */
export interface MapColours {
  readonly surface: string
  readonly ink: string
  readonly accent: string
  /** From the least to the most of what the map is coloured by, in equal steps. */
  readonly ramp: readonly string[]
  readonly health: typeof healthFills
}

/** Steps of the ramp: nobody tells apart the colours of two neighbours. */
const RAMP_STEPS = 64

/** What colours of CSS are in the theme in force. All are set before any is read: styles are then computed once. */
function readAll(colours: readonly string[]): readonly string[] {
  const box = document.createElement('div')
  box.hidden = true
  const probes = colours.map((colour) => {
    const probe = document.createElement('i')
    probe.style.color = colour
    return probe
  })
  box.append(...probes)
  document.body.append(box)
  const read = probes.map((probe) => getComputedStyle(probe).color)
  box.remove()
  return read
}

/** The colours of the theme in force for a map that is coloured by something. */
export function readColours(by: ColourBy): MapColours {
  const { good, caution, alarm, none } = healthFills
  const plain = ['var(--surface)', 'var(--ink)', 'var(--accent)', good, caution, alarm, none]
  const steps = Array.from({ length: RAMP_STEPS + 1 }, (_, step) => toShareFill(by, step / RAMP_STEPS))
  const [surface = '', ink = '', accent = '', ...rest] = readAll([...plain, ...steps])
  const [goodRead = '', cautionRead = '', alarmRead = '', noneRead = '', ...ramp] = rest
  const health = { good: goodRead, caution: cautionRead, alarm: alarmRead, none: noneRead }
  return { surface, ink, accent, ramp, health }
}
