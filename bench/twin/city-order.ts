/** Settings of the city process. */
export interface CityOrder {
  readonly url: string
  readonly secret: string
  readonly stepS: number
  readonly warmUpSteps: number
  readonly steps: number
}

/** What it measured of itself. */
export interface CityResult {
  readonly simulatedS: number
  /** Of all threads of the process. */
  readonly cpuS: number
  readonly wallS: number
  /** At its highest. */
  readonly rssMb: number
  readonly households: number
  readonly devices: number
  readonly readings: number
  readonly messages: number
}
