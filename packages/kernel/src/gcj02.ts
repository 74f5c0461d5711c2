/** A point on the ground, degrees. */
export interface GroundPosition {
  readonly longitudeDeg: number
  readonly latitudeDeg: number
}

/** Semi-major axis, m, and eccentricity squared of the Krasovsky 1940 ellipsoid. */
const AXIS_M = 6_378_245
const ECCENTRICITY_2 = 0.006693421622965943

const toRadians = (degrees: number): number => (degrees * Math.PI) / 180

/** Positions in this box, which is larger than China, are shifted. */
const isShifted = ({ longitudeDeg, latitudeDeg }: GroundPosition): boolean =>
  longitudeDeg >= 72.004 && longitudeDeg <= 137.8347 && latitudeDeg >= 0.8293 && latitudeDeg <= 55.8271

/** A term of the shift: 2/3 of weighted sines of multiples of a coordinate. */
const swing = (x: number, waves: readonly (readonly [weight: number, multiple: number])[]): number =>
  (waves.reduce((sum, [weight, multiple]) => sum + weight * Math.sin(multiple * x * Math.PI), 0) * 2) / 3

/** Shift of GCJ-02, m on the ellipsoid, north and east. */
function shiftOf({ longitudeDeg, latitudeDeg }: GroundPosition): {
  readonly north: number
  readonly east: number
} {
  const x = longitudeDeg - 105
  const y = latitudeDeg - 35
  const root = Math.sqrt(Math.abs(x))
  const along = swing(x, [
    [20, 6],
    [20, 2],
  ])
  const north =
    -100 +
    2 * x +
    3 * y +
    0.2 * y * y +
    0.1 * x * y +
    0.2 * root +
    along +
    swing(y, [
      [20, 1],
      [40, 1 / 3],
      [160, 1 / 12],
      [320, 1 / 30],
    ])
  const east =
    300 +
    x +
    2 * y +
    0.1 * x * x +
    0.1 * x * y +
    0.1 * root +
    along +
    swing(x, [
      [20, 1],
      [40, 1 / 3],
      [150, 1 / 12],
      [300, 1 / 30],
    ])
  return { north, east }
}

/**
 * Converts WGS-84 to GCJ-02, the system of Chinese maps; positions outside the shifted box do not change. The
 * formula is not published by the authority; this is the one of github.com/googollee/eviltransform, by which maps
 * fit. Worked examples, with its figures: gcj02.test.ts.
 */
export function toGcj02(position: GroundPosition): GroundPosition {
  if (!isShifted(position)) return position
  const { north, east } = shiftOf(position)
  const latitude = toRadians(position.latitudeDeg)
  const squash = 1 - ECCENTRICITY_2 * Math.sin(latitude) ** 2
  const meridianM = (AXIS_M * (1 - ECCENTRICITY_2)) / squash ** 1.5
  const parallelM = (AXIS_M / Math.sqrt(squash)) * Math.cos(latitude)
  return {
    longitudeDeg: position.longitudeDeg + (east / parallelM) * (180 / Math.PI),
    latitudeDeg: position.latitudeDeg + (north / meridianM) * (180 / Math.PI),
  }
}

/** Iterations of the inverse; each one reduces the error to less than a hundredth. */
const REPEATS = 6

/** Converts GCJ-02 to WGS-84, with an error below one millimetre. */
export function toWgs84(position: GroundPosition): GroundPosition {
  let guess = position
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const shifted = toGcj02(guess)
    guess = {
      longitudeDeg: guess.longitudeDeg + position.longitudeDeg - shifted.longitudeDeg,
      latitudeDeg: guess.latitudeDeg + position.latitudeDeg - shifted.latitudeDeg,
    }
  }
  return guess
}
