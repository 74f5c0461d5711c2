/**
 * The plane of web maps: Web Mercator (EPSG:3857), scaled so that the world is a square with sides of 1. x grows from west
 * to east, y from north to south (OGC 17-083r4, Two Dimensional Tile Matrix Set, annex D). The square ends at latitudes of
 * ±85.0511°. Worked example: web-mercator.test.ts.
 */

/** x of a longitude in degrees: 0 at −180°, 1 at 180°. Not clamped. */
export const toMercatorX = (longitudeDeg: number): number => longitudeDeg / 360 + 0.5

/** y of a latitude in degrees, 0 to 1; latitudes beyond the square are on its edge. */
export function toMercatorY(latitudeDeg: number): number {
  const sine = Math.sin((latitudeDeg * Math.PI) / 180)
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
  return Math.min(1, Math.max(0, y))
}

/** Longitude of an x, degrees. */
export const toLongitude = (x: number): number => (x - 0.5) * 360

/** Latitude of a y, degrees. */
export const toLatitude = (y: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI
