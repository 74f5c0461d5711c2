/** Settings of the city process. */
export interface CitySettings {
  readonly url: string
  readonly secret: string
  readonly stepS: number
  readonly warmUpSteps: number
  readonly steps: number
}

/** Measurements of the city process. */
export interface CityResult {
  readonly simulatedS: number
  /** Processor time of all threads of the process, s. */
  readonly cpuS: number
  readonly wallS: number
  /** Highest resident memory. */
  readonly rssMb: number
  readonly households: number
  readonly devices: number
  readonly readings: number
  readonly messages: number
}
