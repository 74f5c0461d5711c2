import { useMemo } from 'react'
import { useFormat } from '../../shared/format/use-format.ts'
import { decimalsOf, type HeatUnit, toUnit } from './heat-unit.ts'

export interface HeatText {
  /** A heat of kWh with its unit. */
  readonly heat: (kwh: number) => string
  /** A heat of kWh without its unit, with more decimals for a heat per area. */
  readonly value: (kwh: number | undefined, more?: number) => string
}

/** Texts of heats in the chosen unit. */
export function useHeatText(unit: HeatUnit): HeatText {
  const format = useFormat()
  return useMemo(() => {
    const value = (kwh: number | undefined, more = 0) =>
      format.number(kwh === undefined ? undefined : toUnit(kwh, unit), decimalsOf(unit, more))
    return { value, heat: (kwh) => `${value(kwh)}\u00a0${unit}` }
  }, [format, unit])
}
