import { getRooms, getRoomVisits } from '@isotherm/contract/endpoints/monitoring/rooms'
import { getWeather } from '@isotherm/contract/endpoints/monitoring/weather'
import type { NodeKey } from '@isotherm/contract/tree'
import { useSession } from '../../../shared/session/session-store.ts'
import { WeatherPanel } from '../weather/weather-panel.tsx'
import { ColdRoomsPanel } from './cold-rooms-panel.tsx'
import { IrrigationPanel } from './irrigation-panel.tsx'
import { VisitsPanel } from './visits-panel.tsx'

/** Panels that depend on what the user may do, not on a page of valves: weather, cold rooms, visits and irrigation. */
export function RolePanels({ nodes }: { readonly nodes: readonly NodeKey[] }) {
  const permitted = useSession((session) => session.permitted)
  const may = ({ access }: { readonly access: typeof getRooms.access }) =>
    access.anyOf.some((permission) => permitted.has(permission))
  return (
    <>
      {may(getWeather) && <WeatherPanel nodes={nodes} />}
      {may(getRooms) && <ColdRoomsPanel nodes={nodes} />}
      {may(getRoomVisits) && <VisitsPanel nodes={nodes} />}
      {permitted.has('pe-irrreal') && <IrrigationPanel nodes={nodes} />}
    </>
  )
}
