import type { ValveCharacteristic } from '@isotherm/hydraulics/elements/valve'

/** Shape of a curve that a name plate can have. */
export type PlateCurve = Exclude<ValveCharacteristic['kind'], 'learned'>

/**
 * Words of each shape on name plates, in any case and width. A letter beside a word makes it part of another word:
 * INLINE is not LIN.
 */
const SHAPES: Readonly<Record<PlateCurve, RegExp>> = {
  'equal-percentage': /(?<![a-z])(?:eq\s*%|equal[\s-]*percent(?:age)?(?![a-z]))|等百分比/,
  linear: /(?<![a-z])lin(?:ear)?(?![a-z])|线性/,
  'quick-opening': /(?<![a-z])quick[\s-]*opening(?![a-z])|快开/,
}

/** Balls and their Chinese name. The ball of a V-port is shaped, so its curve is another one. */
const BALL = /(?<![a-z])ball(?![a-z])|球阀/
const V_PORT = /(?<![a-z])v[\s-]*(?:port|notch|ball)(?![a-z])|v\s*[型形]/

/**
 * The shape of a valve's curve from a name plate or model name such as `DN32 Kvs16 EQ%`; undefined if it names none, or
 * several (an actuator that can be set to either). A ball without another word is quick-opening.
 */
export function curveOfPlate(model: string): PlateCurve | undefined {
  const text = model.normalize('NFKC').toLowerCase()
  const named = (Object.keys(SHAPES) as PlateCurve[]).filter((shape) => SHAPES[shape].test(text))
  if (named.length > 0) return named.length === 1 ? named[0] : undefined
  return BALL.test(text) && !V_PORT.test(text) ? 'quick-opening' : undefined
}
