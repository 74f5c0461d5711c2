import type { OutputOf } from '@isotherm/contract/endpoint'
import type { getMeterRows, MeterRow } from '@isotherm/contract/endpoints/monitoring/meters'
import { useMemo } from 'react'
import type { StateLookup } from '../../shared/live/states-by-id.ts'
import { useShownStates } from '../../shared/live/use-shown-states.ts'

type Rows = OutputOf<typeof getMeterRows>

function withNewest(row: MeterRow, states: StateLookup): MeterRow {
  const { meter } = row
  const state = meter && states.get(meter.deviceId)
  const kwh = state?.metrics['heat.energy']
  if (!state || kwh === undefined || state.ts <= (meter.newest?.at ?? 0)) return row
  return { ...row, meter: { ...meter, newest: { kwh, at: state.ts, quality: state.quality } } }
}

/** Rows of meters with the register values that arrived after the answer. Consumption is counted by whole days. */
export function useLiveMeters(data: Rows | undefined): Rows | undefined {
  const states = useShownStates(
    'heat-meter',
    data?.datalist.flatMap(({ node, meter }) => (meter ? [{ id: meter.deviceId, node }] : [])) ?? [],
  )
  return useMemo(
    () => data && { ...data, datalist: data.datalist.map((row) => withNewest(row, states)) },
    [data, states],
  )
}
