import type { StationHead } from '../physics/network.ts'
import type { PumpSpec } from './plant-spec.ts'

/** Head between the station's taps. A drive that holds a head slows the pump, but cannot exceed its curve. */
export const headOf =
  ({ shutOffPa, curve, exchanger }: PumpSpec, holdPa: number | undefined): StationHead =>
  (flow) => {
    const most = shutOffPa - (curve + exchanger) * flow * Math.abs(flow)
    return holdPa === undefined ? most : Math.min(holdPa, most)
  }
