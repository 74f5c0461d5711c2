import { type ColourBy, healthFills, toShareFill } from '../view/colour-by.ts'

/** The theme colours for the canvas, which cannot use CSS variables. */
export interface MapColours {
  readonly surface: string
  readonly ink: string
  readonly accent: string
  /** The colour ramp from lowest to highest, in equal steps. */
  readonly ramp: readonly string[]
  readonly health: typeof healthFills
}

/** Steps of the ramp: neighbouring colours cannot be distinguished. */
const RAMP_STEPS = 64

/** Resolves CSS colours in the current theme. All are set before the first is read, so that styles are computed once. */
export function readAll(colours: readonly string[]): readonly string[] {
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

/** The map colours in the current theme for a colouring. */
export function readColours(by: ColourBy): MapColours {
  const { good, caution, alarm, none } = healthFills
  const plain = ['var(--surface)', 'var(--ink)', 'var(--accent)', good, caution, alarm, none]
  const steps = Array.from({ length: RAMP_STEPS + 1 }, (_, step) => toShareFill(by, step / RAMP_STEPS))
  const [surface = '', ink = '', accent = '', ...rest] = readAll([...plain, ...steps])
  const [goodRead = '', cautionRead = '', alarmRead = '', noneRead = '', ...ramp] = rest
  const health = { good: goodRead, caution: cautionRead, alarm: alarmRead, none: noneRead }
  return { surface, ink, accent, ramp, health }
}
